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

/** Operators, longer ones before those that they begin with. */
const operators = [
  'ISNOTEMPTY',
  'ISEMPTY',
  'STARTSWITH',
  'ENDSWITH',
  'NOT LIKE',
  'NOTLIKE',
  'NOT IN',
  'NOTIN',
  'BETWEEN',
  'CONTAINS',
  'LIKE',
  'IN',
  '!=',
  '>=',
  '<=',
  '=',
  '>',
  '<',
] as const;
type Operator = (typeof operators)[number];

const condition = new RegExp(
  `^([a-z_][a-z0-9_.]*?)(${operators.map((one) => one.replace(/[<>=!]/g, '\\$&')).join('|')})(.*)$`,
  's',
);
const hoursAgo = /^javascript:gs\.(hours|days|minutes)Ago(?:Start)?\((\d+)\)$/;
const unitMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

/**
 * ServiceNow's encoded query: `active=true^priority<=2^ORstate=3^NQassigned_toISEMPTY`. `^` is and, `^OR` binds to the condition before
 * it, `^NQ` begins an alternative. Orders (`^ORDERBYDESCnumber`) are left out: they are not conditions. Times: `javascript:gs.daysAgo(7)`.
 */
export const sysparm: Language = (text, options) => {
  if (typeof text !== 'string') throw new QueryFault('the query must be a text');
  let at = 0;
  const alternatives = text.split('^NQ').map((part) => {
    const predicate = readAlternative(part, at, options);
    at += part.length + 3;
    return predicate;
  });
  return some(alternatives);
};

function readAlternative(text: string, start: number, options: LanguageOptions): Predicate {
  const groups: Predicate[][] = [];
  let at = start;
  for (const part of text.split('^')) {
    const isOrder = /^(ORDERBY|GROUPBY)/.test(part) || part === 'EQ' || part === '';
    const isOr = !isOrder && part.startsWith('OR');
    if (!isOrder) {
      const predicate = readCondition(isOr ? part.slice(2) : part, isOr ? at + 2 : at, options);
      const last = groups.at(-1);
      if (isOr && last !== undefined) last.push(predicate);
      else groups.push([predicate]);
    }
    at += part.length + 1;
  }
  return every(groups.map(some));
}

function readCondition(text: string, at: number, options: LanguageOptions): Predicate {
  const [, field = '', operator, given = ''] = condition.exec(text) ?? [];
  if (operator === undefined) throw new QueryFault(`"${text}" is not a condition`, at);
  const reader = fieldReader(options, field, at);
  checkOperator(options, operator, at + field.length);
  const literalOf = (value: string) => new Literal(timeOf(value, options) ?? value);
  const literal = literalOf(given);
  const isEmpty: Predicate = (row) => valuesOf(reader(row)).every((value) => value === '');
  const contains = anyValue(reader, (value) => literal.contains(value, 'anywhere'));
  const isIn = () => {
    const all = given.split(',').map(literalOf);
    return anyValue(reader, (value) => all.some((one) => one.equals(value)));
  };
  switch (operator as Operator) {
    case 'ISEMPTY':
      return isEmpty;
    case 'ISNOTEMPTY':
      return not(isEmpty);
    case 'STARTSWITH':
      return anyValue(reader, (value) => literal.contains(value, 'start'));
    case 'ENDSWITH':
      return anyValue(reader, (value) => literal.contains(value, 'end'));
    case 'LIKE':
    case 'CONTAINS':
      return contains;
    case 'NOT LIKE':
    case 'NOTLIKE':
      return not(contains);
    case 'IN':
      return isIn();
    case 'NOT IN':
    case 'NOTIN':
      return not(isIn());
    case 'BETWEEN': {
      const [low, high] = given.split('@').map(literalOf);
      if (low === undefined || high === undefined)
        throw new QueryFault('BETWEEN needs two values with @ between them', at);
      const [above, below] = [low.test('>='), high.test('<=')];
      return anyValue(reader, (value) => above(value) && below(value));
    }
    case '=':
      return given === '' ? isEmpty : anyValue(reader, (value) => literal.equals(value));
    case '!=':
      return given === '' ? not(isEmpty) : not(anyValue(reader, (value) => literal.equals(value)));
    default:
      return anyValue(reader, literal.test(operator));
  }
}

function timeOf(text: string, { now }: LanguageOptions): Value {
  const [, unit, amount] = hoursAgo.exec(text) ?? [];
  if (unit === undefined) return undefined;
  return new Date(now() - Number(amount) * unitMs[unit as keyof typeof unitMs]).toISOString();
}
