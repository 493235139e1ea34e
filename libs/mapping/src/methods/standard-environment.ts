import { functions as allFunctions, refusedFunctions } from './functions.js';
import { arrayMethods } from './collections/array-methods.js';
import { chargedFunction, chargedMethod } from './charges.js';
import { caseMethods } from './text/case-methods.js';
import { escapeMethods } from './text/escape-methods.js';
import { pathMethods } from './text/path-methods.js';
import { replaceMethods } from './text/replace-methods.js';
import { sliceMethods } from './text/slice-methods.js';
import { quoteMethods } from './text/quote-methods.js';
import { trimMethods } from './text/trim-methods.js';
import { changeMethods } from './collections/change-methods.js';
import { coercionMethods } from './coercion-methods.js';
import { codecMethods } from './codecs/codec-methods.js';
import { documentMethods } from './documents/document-methods.js';
import { elementMethods } from './collections/element-methods.js';
import { encodingMethods } from './codecs/encoding-methods.js';
import { generalMethods } from './general-methods.js';
import { jwtMethods } from './codecs/jwt-methods.js';
import { markupMethods } from './documents/markup-methods.js';
import { messagePackMethods } from './codecs/messagepack-methods.js';
import { numberMethods } from './number-methods.js';
import { objectMethods } from './collections/object-methods.js';
import { parsingMethods } from './documents/parsing-methods.js';
import { queryMethods } from './collections/query-methods.js';
import { regexMethods } from './patterns/regex-methods.js';
import { sortMethods } from './collections/sort-methods.js';
import { stringMethods } from './text/string-methods.js';
import { timeMethods } from './times/time-methods.js';
import { schemaMethods } from './documents/schema-methods.js';
import { slugMethods } from './text/slug-methods.js';
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
