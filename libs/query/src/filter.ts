import { type Field, type Fields, suggest } from './fields.js';
import { instantOf, parseInstant } from './instant.js';
import { QueryError } from './query-error.js';

export type Operator =
  'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'not in' | 'like' | 'not like';
export type FilterValue = string | number | boolean;

/** One condition. `in` and `not in` have several values, the other operators one. Times are in epoch milliseconds. */
export interface Filter {
  field: string;
  operator: Operator;
  values: readonly FilterValue[];
}

const operators: Record<string, Operator> = {
  eq: 'eq',
  neq: 'neq',
  ne: 'neq', // published examples use this spelling
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
  in: 'in',
  'not in': 'not in',
  like: 'like',
  'not like': 'not like',
};
const names = Object.keys(operators).join(', ');
const form = /^([A-Za-z_][\w.]*)\[([^\]]*)\](.*)$/s;
export const maxFilterValues = 1_000;
/** Maximum number of characters between the wildcards of a `like`: searching may look at half of them for each character of a value. */
export const maxLikeLength = 256;

/** Parses `field[operator]value`. @throws QueryError */
export function parseFilter(text: string, fields: Fields): Filter {
  const [, name = '', operatorText = '', valueText = ''] = form.exec(text) ?? [];
  if (name === '')
    throw new QueryError(
      'filter',
      text,
      0,
      'is not a filter',
      'Write field[operator]value, such as name[eq]acme.',
    );
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined)
    throw new QueryError(
      'filter',
      text,
      0,
      `cannot be filtered by "${name}"`,
      suggest(name, fields),
    );
  const word = operatorText.trim().toLowerCase();
  const operator = Object.hasOwn(operators, word) ? operators[word] : undefined;
  const at = name.length + 1;
  if (operator === undefined)
    throw new QueryError(
      'filter',
      text,
      at,
      `has no operator "${operatorText}"`,
      `Use one of ${names}.`,
    );
  if (
    operator.endsWith('like') &&
    field.type !== 'string' &&
    field.type !== 'enum' &&
    field.type !== 'list'
  )
    throw new QueryError(
      'filter',
      text,
      at,
      `"${name}" is a ${field.type}, which does not support ${operator}`,
      'Use eq, gt or lt.',
    );
  const start = at + operatorText.length + 1;
  const parts = operator.endsWith('in') ? splitValues(valueText) : [valueText];
  if (parts.length > maxFilterValues)
    throw new QueryError(
      'filter',
      text,
      start,
      `has ${parts.length} values, at most ${maxFilterValues} are allowed`,
      'Send several requests.',
    );
  if (operator.endsWith('like') && likePattern(valueText).some(isTooLong))
    throw new QueryError(
      'filter',
      text,
      start,
      `has more than ${maxLikeLength} characters without a wildcard`,
      'Search for fewer characters.',
    );
  return {
    field: name,
    operator,
    values: parts.map((part) => parseValue(part, field, operator, text, start)),
  };
}

function parseValue(
  part: string,
  field: Field,
  operator: Operator,
  text: string,
  at: number,
): FilterValue {
  const value = unquote(part.trim());
  const refuse = (message: string, remediation: string) =>
    new QueryError('filter', text, at, message, remediation);
  switch (field.type) {
    case 'number': {
      const number = Number(value);
      if (value === '' || Number.isNaN(number))
        throw refuse(`"${value}" is not a number`, 'Write a number, such as 42.');
      return number;
    }
    case 'boolean':
      if (value !== 'true' && value !== 'false')
        throw refuse(`"${value}" is not true or false`, 'Write true or false.');
      return value === 'true';
    case 'datetime': {
      // A + that a URL has unencoded arrives as a blank.
      const time = parseInstant(value.replace(/(:\d\d(?:\.\d+)?) (\d\d:?\d\d)$/, '$1+$2'));
      if (Number.isNaN(time))
        throw refuse(
          `"${value}" is not a valid time`,
          'Write RFC 3339, such as 2026-01-31T12:00:00Z, or milliseconds since 1970.',
        );
      return time;
    }
    case 'enum':
      if (field.values && !operator.endsWith('like') && !field.values.includes(value))
        throw refuse(
          `"${value}" is not an allowed value of the field`,
          `Use one of ${field.values.join(', ')}.`,
        );
      return value;
    case 'string':
    case 'list':
      return value;
  }
}

function unquote(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"')
    ? value.slice(1, -1).replaceAll('\\"', '"')
    : value;
}

/** Splits comma-separated values, which may be quoted. */
function splitValues(text: string): string[] {
  return text.match(/\s*"(?:[^"\\]|\\.)*"\s*|[^,]+/g) ?? [''];
}

/** Returns a predicate that is true for records that match all filters. @param read returns a field's value, times as epoch milliseconds or RFC 3339 */
export function matcher<Record>(
  filters: readonly Filter[],
  fields: Fields,
  read: (record: Record, field: string) => unknown,
): (record: Record) => boolean {
  const tests = filters.map((filter) => {
    const test = compileCondition(filter);
    const type = fields[filter.field]?.type ?? 'string';
    return (record: Record) => {
      const value = read(record, filter.field);
      if (Array.isArray(value)) {
        const negative = filter.operator === 'neq' || filter.operator.startsWith('not');
        return negative
          ? value.every((one) => test(comparable(one, type)))
          : value.some((one) => test(comparable(one, type)));
      }
      return test(comparable(value, type));
    };
  });
  return (record) => tests.every((test) => test(record));
}

function comparable(value: unknown, type: string): FilterValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (type === 'datetime') return instantOf(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return Number(value); // JSON.stringify cannot write one
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function compileCondition({
  operator,
  values,
}: Filter): (value: FilterValue | undefined) => boolean {
  const [wanted = ''] = values;
  const pattern = operator.endsWith('like') ? likePattern(String(wanted)) : undefined;
  switch (operator) {
    case 'eq':
      return (value) => value === wanted;
    case 'neq':
      return (value) => value !== wanted;
    case 'gt':
      return (value) => value !== undefined && value > wanted;
    case 'gte':
      return (value) => value !== undefined && value >= wanted;
    case 'lt':
      return (value) => value !== undefined && value < wanted;
    case 'lte':
      return (value) => value !== undefined && value <= wanted;
    case 'in':
      return (value) => value !== undefined && values.includes(value);
    case 'not in':
      return (value) => value === undefined || !values.includes(value);
    case 'like':
      return (value) => value !== undefined && matchesLike(String(value), pattern ?? []);
    case 'not like':
      return (value) => value === undefined || !matchesLike(String(value), pattern ?? []);
  }
}

/** Splits a pattern at its wildcards (`%` and `*`). A pattern without a wildcard matches anywhere. Case is ignored. */
export function likePattern(text: string): string[] {
  const pieces = text.toLowerCase().split(/[%*]/);
  return pieces.length === 1 ? ['', ...pieces, ''] : pieces;
}

function isTooLong(piece: string): boolean {
  return piece.length > maxLikeLength;
}

/** Matches in linear time, so that no pattern can make it slow. */
function matchesLike(value: string, [first = '', ...rest]: string[]): boolean {
  const text = value.toLowerCase();
  if (!text.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop() ?? '';
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
