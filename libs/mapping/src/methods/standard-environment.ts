import { functions as allFunctions, refusedFunctions } from './functions.js';
import { arrayMethods } from './array-methods.js';
import { chargedFunction, chargedMethod } from './charges.js';
import { caseMethods } from './case-methods.js';
import { escapeMethods } from './escape-methods.js';
import { pathMethods } from './path-methods.js';
import { replaceMethods } from './replace-methods.js';
import { sliceMethods } from './slice-methods.js';
import { quoteMethods } from './quote-methods.js';
import { trimMethods } from './trim-methods.js';
import { changeMethods } from './change-methods.js';
import { coercionMethods } from './coercion-methods.js';
import { codecMethods } from './codec-methods.js';
import { documentMethods } from './document-methods.js';
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
import type { Environment } from '../language/environment.js';
import type { Refused } from '../language/specification.js';

const refusedMethods: Refused = {
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

const allMethods = [
  ...generalMethods,
  ...coercionMethods,
  ...stringMethods,
  ...caseMethods,
  ...escapeMethods,
  ...pathMethods,
  ...replaceMethods,
  ...sliceMethods,
  ...trimMethods,
  ...quoteMethods,
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
  ...documentMethods,
  ...slugMethods,
];

/** The environment of every template that is given no other. */
export const standardEnvironment: Environment = {
  methods: new Map(allMethods.map((method) => [method.name, chargedMethod(method)])),
  functions: new Map(allFunctions.map((one) => [one.name, chargedFunction(one)])),
  refusedMethods,
  refusedFunctions,
};
