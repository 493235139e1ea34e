import { functions as allFunctions, refusedFunctions } from './functions.js';
import { arrayMethods } from './array-methods.js';
import { chargedFunction, chargedMethod } from './charges.js';
import { changeMethods } from './change-methods.js';
import { coercionMethods } from './coercion-methods.js';
import { codecMethods } from './codec-methods.js';
import { elementMethods } from './element-methods.js';
import { encodingMethods } from './encoding-methods.js';
import { generalMethods } from './general-methods.js';
import { jwtMethods } from './jwt-methods.js';
import { markupMethods } from './markup-methods.js';
import { messagePackMethods } from './messagepack-methods.js';
import { numberMethods } from './number-methods.js';
import { objectMethods } from './object-methods.js';
import { parsingMethods } from './parsing-methods.js';
import { queryMethods } from './query-methods.js';
import { regexMethods } from './regex-methods.js';
import { sortMethods } from './sort-methods.js';
import { stringMethods } from './string-methods.js';
import { timeMethods } from './time-methods.js';
import { schemaMethods } from './schema-methods.js';
import { slugMethods } from './slug-methods.js';
import type { Function, Method, Refused } from '../language/specification.js';

/** Every method by its name. */
export const methods: ReadonlyMap<string, Method> = new Map(
  [
    ...generalMethods,
    ...coercionMethods,
    ...stringMethods,
    ...regexMethods,
    ...numberMethods,
    ...elementMethods,
    ...sortMethods,
    ...arrayMethods,
    ...objectMethods,
    ...timeMethods,
    ...encodingMethods,
    ...parsingMethods,
    ...codecMethods,
    ...jwtMethods,
    ...schemaMethods,
    ...messagePackMethods,
    ...changeMethods,
    ...queryMethods,
    ...markupMethods,
    ...slugMethods,
  ].map((method) => [method.name, chargedMethod(method)]),
);

/** Every function by its name. */
export const functions: ReadonlyMap<string, Function> = new Map(
  allFunctions.map((one) => [one.name, chargedFunction(one)]),
);

export { refusedFunctions };

export const refusedMethods: Refused = {
  bloblang: 'a template cannot compile another that comes as data',
  compare_argon2: 'its cost is chosen by the data',
  compare_bcrypt: 'its cost is chosen by the data',
  from: 'there is one document at a time',
  from_all: 'there is one document at a time',
  parse_parquet: 'columns of files have no place in a mapping',
  vector: 'there is no database that would take it',
  ...Object.fromEntries(
    'anonymous_ip asn city connection_type country domain enterprise isp'
      .split(' ')
      .map((kind) => [`geoip_${kind}`, 'templates do not read files']),
  ),
};

/** A hint at the name somebody may have meant; undefined when none is near. */
export function suggestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best === undefined ? undefined : `Did you mean ${best}?`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_one, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next[j] = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] as number;
}
