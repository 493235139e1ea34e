import type { Value } from '@onefold/mapping';
import { type Language, type LanguageOptions, type Predicate, QueryFault } from './language.js';
import {
  anyValue,
  checkOperator,
  every,
  fieldReader,
  Literal,
  not,
  some,
  valuesOf,
} from './predicates.js';

type Json = Readonly<Record<string, Value>>;
type Test = (other: Value) => boolean;

const bounds: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** Comparators of one value. Those that begin with a negation are their opposite. */
const comparators: Readonly<Record<string, (value: Value) => Test>> = {
  eq: (value) => {
    const literal = new Literal(value, true);
    return (other) => literal.equals(other);
  },
  in: (value) => {
    const literals = valuesOf(value).map((one) => new Literal(one, true));
    return (other) => literals.some((one) => one.equals(other));
  },
  eqIgnoreCase: (value) => {
    const literal = new Literal(value);
    return (other) => literal.equals(other);
  },
  contains: (value) => {
    const literal = new Literal(value, true);
    return (other) => literal.contains(other, 'anywhere');
  },
  containsIgnoreCase: (value) => {
    const literal = new Literal(value);
    return (other) => literal.contains(other, 'anywhere');
  },
  startsWith: (value) => {
    const literal = new Literal(value, true);
    return (other) => literal.contains(other, 'start');
  },
  endsWith: (value) => {
    const literal = new Literal(value, true);
    return (other) => literal.contains(other, 'end');
  },
};
const opposites: Readonly<Record<string, string>> = {
  neq: 'eq',
  nin: 'in',
  neqIgnoreCase: 'eqIgnoreCase',
  notContains: 'contains',
  notContainsIgnoreCase: 'containsIgnoreCase',
};

/**
 * Filters of GraphQL APIs as objects, as Linear has them: `{and: [{state: {name: {in: ["Done"]}}}, {createdAt: {gte: "2026-01-01"}}]}`.
 * Comparators: eq, neq, in, nin, gt, gte, lt, lte, null, contains, notContains, startsWith, endsWith, and some of them with IgnoreCase;
 * and, or, and some of a list. All conditions of an object have to hold.
 */
export const graphql: Language = (filter, options) => readFilter(filter, '', options);

function readFilter(filter: Value, path: string, options: LanguageOptions): Predicate {
  return every(
    Object.entries(objectOf(filter, path)).map(([key, value]) => {
      if (key === 'and' || key === 'or') {
        const all = valuesOf(value).map((one) => readFilter(one, path, options));
        return key === 'and' ? every(all) : some(all);
      }
      // A path through a list has the values of all of its items.
      if (key === 'some') return readFilter(value, path, options);
      return (
        readComparator(key, value, path, options) ??
        readFilter(value, path === '' ? key : `${path}.${key}`, options)
      );
    }),
  );
}

function readComparator(
  key: string,
  value: Value,
  path: string,
  options: LanguageOptions,
): Predicate | undefined {
  const bound = bounds[key];
  const opposite = opposites[key];
  const make = comparators[opposite ?? key];
  if (bound === undefined && make === undefined && key !== 'null') return undefined;
  checkOperator(options, key, 0);
  const read = fieldReader(options, path, 0);
  if (key === 'null') return (row) => (valuesOf(read(row)).length === 0) === value;
  if (value === null) throw new QueryFault(`Argument Validation Error: ${path}.${key} is null`);
  if (bound !== undefined) return anyValue(read, new Literal(value, true).test(bound));
  const holds = anyValue(read, make?.(value) ?? (() => false));
  return opposite === undefined ? holds : not(holds);
}

function objectOf(value: Value, path: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new QueryFault(
    `Argument Validation Error: the filter of ${path || 'the list'} must be an object`,
  );
}
