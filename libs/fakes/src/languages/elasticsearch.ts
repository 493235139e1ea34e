import type { Value } from '@onefold/mapping';
import {
  type Language,
  type LanguageOptions,
  type Predicate,
  QueryFault,
  type Row,
} from './language.js';
import {
  anyValue,
  checkOperator,
  every,
  fieldReader,
  Literal,
  not,
  some,
  valuesOf,
  wildcard,
} from './predicates.js';

type Json = Readonly<Record<string, Value>>;
type Clause = (body: Value, options: LanguageOptions) => Predicate;

const units = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  M: 2_592_000,
  y: 31_536_000,
} as const;
const bounds: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
/** Settings of range queries that are not bounds. */
const rangeSettings: readonly string[] = ['format', 'time_zone', 'boost', 'relation'];

/**
 * The query DSL of Elasticsearch and OpenSearch, as JSON: match_all, match_none, bool, term, terms, range, exists, ids, prefix, wildcard,
 * match, match_phrase, multi_match and query_string with plain words. Texts of term queries are compared exactly, those of match
 * queries by word without case. `now-7d/d` is a time.
 */
export const elasticsearch: Language = (query, options) => readQuery(query, options);

function readQuery(query: Value, options: LanguageOptions): Predicate {
  const body = objectOf(query, 'query');
  const [name, second] = Object.keys(body);
  if (name === undefined) throw new QueryFault('query malformed, empty clause found');
  if (second !== undefined)
    throw new QueryFault(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
  const clause = clauses[name];
  if (clause === undefined) throw new QueryFault(`unknown query [${name}]`);
  checkOperator(options, name, 0);
  return clause(body[name], options);
}

const clauses: Readonly<Record<string, Clause>> = {
  match_all: () => () => true,
  match_none: () => () => false,
  bool: readBool,
  term: field(({ value }) => {
    const literal = new Literal(value, true);
    return (other) => literal.equals(other);
  }, 'value'),
  terms: (body, options) => {
    const [name, values] = onlyField(body, 'terms', ['boost']);
    if (!Array.isArray(values)) throw new QueryFault('[terms] query requires an array of terms');
    const literals = values.map((value: Value) => new Literal(value, true));
    return anyValue(reader(options, name), (other) => literals.some((one) => one.equals(other)));
  },
  range: (body, options) => {
    const [name, range] = onlyField(body, 'range', []);
    const tests = Object.entries(objectOf(range, 'range')).flatMap(([key, value]) => {
      if (rangeSettings.includes(key) || value === null) return [];
      const bound = bounds[key];
      if (bound === undefined) throw new QueryFault(`[range] query does not support [${key}]`);
      return new Literal(dateMath(value, options.now), true).test(bound);
    });
    return anyValue(reader(options, name), (other) => tests.every((test) => test(other)));
  },
  exists: (body, options) => {
    const read = reader(options, textIn(body, 'field', 'exists'));
    return (row) => valuesOf(read(row)).length > 0;
  },
  ids: (body, options) => {
    const { values } = objectOf(body, 'ids');
    if (!Array.isArray(values)) throw new QueryFault('[ids] requires values to be specified');
    const wanted = new Set(values);
    return anyValue(options.read('_id'), (other) => wanted.has(other));
  },
  prefix: field(({ value, case_insensitive }) => {
    const literal = new Literal(value, case_insensitive !== true);
    return (other) => literal.contains(other, 'start');
  }, 'value'),
  wildcard: field(({ value, wildcard: other, case_insensitive }) => {
    const pattern = wildcard(String(value ?? other), {
      single: true,
      exact: case_insensitive !== true,
    });
    return (text) => typeof text === 'string' && pattern.test(text);
  }, 'value'),
  match: field(({ query, operator }) => {
    const words = wordsOf(query);
    const isAnd = typeof operator === 'string' && operator.toLowerCase() === 'and';
    return (other) => {
      const known = new Set(wordsOf(other));
      return isAnd ? words.every((word) => known.has(word)) : words.some((word) => known.has(word));
    };
  }, 'query'),
  match_phrase: field(({ query }) => {
    const phrase = ` ${wordsOf(query).join(' ')} `;
    return (other) => ` ${wordsOf(other).join(' ')} `.includes(phrase);
  }, 'query'),
  multi_match: (body, options) => {
    const { query, fields } = objectOf(body, 'multi_match');
    if (!Array.isArray(fields)) throw new QueryFault('[multi_match] requires fields');
    const words = wordsOf(query);
    return some(
      fields.map((name) =>
        anyValue(reader(options, String(name)), (other) => {
          const known = new Set(wordsOf(other));
          return words.some((word) => known.has(word));
        }),
      ),
    );
  },
  query_string: (body) => {
    const words = wordsOf(textIn(body, 'query', 'query_string'));
    return (row) => {
      const known = new Set(wordsOf(allTexts(row).join(' ')));
      return words.every((word) => known.has(word));
    };
  },
};

function readBool(body: Value, options: LanguageOptions): Predicate {
  const bool = objectOf(body, 'bool');
  const known = ['must', 'filter', 'should', 'must_not', 'minimum_should_match', 'boost'];
  for (const key of Object.keys(bool))
    if (!known.includes(key)) throw new QueryFault(`[bool] query does not support [${key}]`);
  const all = (key: string) => valuesOf(bool[key]).map((one) => readQuery(one, options));
  const needed = [...all('must'), ...all('filter')];
  const should = all('should');
  const forbidden = all('must_not').map(not);
  const given = bool['minimum_should_match'];
  const minimum =
    typeof given === 'number' ? given : needed.length === 0 && should.length > 0 ? 1 : 0;
  const enough: Predicate = (row) => should.filter((one) => one(row)).length >= minimum;
  return every([...needed, ...forbidden, enough]);
}

/** A clause over one field: `{field: value}` or `{field: {value: …, setting: …}}`. */
function field(make: (settings: Json) => (other: Value) => boolean, key: string): Clause {
  return (body, options) => {
    const [name, given] = onlyField(body, key, []);
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    const settings = isObject ? (given as Json) : { [key]: given };
    return anyValue(reader(options, name), make(settings));
  };
}

function onlyField(body: Value, clause: string, settings: readonly string[]): [string, Value] {
  const entries = Object.entries(objectOf(body, clause)).filter(([key]) => !settings.includes(key));
  const [first] = entries;
  if (first === undefined || entries.length > 1)
    throw new QueryFault(`[${clause}] query needs exactly one field`);
  return first;
}

/** A text has a sub-field `.keyword` for exact values; here both are the text itself. */
function reader(options: LanguageOptions, name: string): (row: Row) => Value {
  return fieldReader(options, name.replace(/\.keyword$/, ''), 0);
}

function dateMath(value: Value, now: () => number): Value {
  const found = /^now(?:([+-])(\d+)([smhdwMy]))?(\/d)?$/.exec(
    typeof value === 'string' ? value : '',
  );
  if (found === null) return value;
  const [, sign, amount = '0', unit = 's', day] = found;
  const seconds = Number(amount) * units[unit as keyof typeof units] * (sign === '+' ? 1 : -1);
  const time = now() + seconds * 1_000;
  return new Date(day === undefined ? time : time - (time % 86_400_000)).toISOString();
}

function wordsOf(value: Value): string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function allTexts(value: Value): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(allTexts);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(allTexts);
  return typeof value === 'number' ? [String(value)] : [];
}

function textIn(body: Value, key: string, clause: string): string {
  const value = objectOf(body, clause)[key];
  if (typeof value !== 'string') throw new QueryFault(`[${clause}] requires ${key}`);
  return value;
}

function objectOf(value: Value, clause: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new QueryFault(`[${clause}] query malformed, no start_object after query name`);
}
