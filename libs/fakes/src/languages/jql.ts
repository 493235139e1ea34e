import type { Value } from '@onefold/mapping';
import { type JqlClause, type JqlOperand, parseJql } from './jql-syntax.js';
import { containsJqlWords, readJqlDate } from './jql-values.js';
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

type Comparison = Extract<JqlClause, { kind: 'compare' }>;

/**
 * Jira's JQL: `project = OPS and (status not in (Done, Closed) or summary ~ "disk full") and updated >= -5d order by created desc`.
 * Operators: =, !=, <, <=, >, >=, ~, !~, in, not in, is, is not; EMPTY, now(). Values are compared without case; an empty field is neither
 * equal nor unequal to anything. Orders are left out: they are not conditions.
 * https://support.atlassian.com/jira-software-cloud/docs/jql-operators/
 */
export const jql: Language = (text, options) => {
  if (typeof text !== 'string') throw new QueryFault('the query must be a text');
  const { where } = parseJql(text);
  return where === undefined ? () => true : predicateOf(where, options);
};

function predicateOf(clause: JqlClause, options: LanguageOptions): Predicate {
  switch (clause.kind) {
    case 'and':
      return every(clause.clauses.map((one) => predicateOf(one, options)));
    case 'or':
      return some(clause.clauses.map((one) => predicateOf(one, options)));
    case 'not':
      return not(predicateOf(clause.clause, options));
    case 'compare':
      return compare(clause, options);
  }
}

function compare(comparison: Comparison, options: LanguageOptions): Predicate {
  const { field, operator, operand } = comparison;
  checkOperand(comparison);
  checkOperator(options, operator, 0);
  // Names of fields are compared without case where they are known.
  const isKnown = options.fields?.has(field) ?? true;
  const reader = fieldReader(options, isKnown ? field : field.toLowerCase(), 0);
  const isEmpty: Predicate = (row) => valuesOf(reader(row)).every((value) => value === '');
  const isNegative = ['!=', '!~', 'not in', 'is not'].includes(operator);
  if (operand.kind === 'empty') return isNegative ? not(isEmpty) : isEmpty;
  const holds = anyValue(reader, testOf(operator, operand, options.now));
  return isNegative ? every([not(isEmpty), not(holds)]) : holds;
}

/** @throws QueryFault for an operand that the operator does not take */
function checkOperand({ field, operator, operand: { kind } }: Comparison): void {
  const takesList = operator === 'in' || operator === 'not in';
  const takesEmpty = ['is', 'is not', '=', '!='].includes(operator);
  const needsEmpty = operator === 'is' || operator === 'is not';
  const isWrong = takesList !== (kind === 'list') || (kind === 'empty' ? !takesEmpty : needsEmpty);
  if (isWrong)
    throw new QueryFault(
      `The operator '${operator}' does not support the operand of the field '${field}'.`,
    );
}

function testOf(
  operator: string,
  operand: JqlOperand,
  now: () => number,
): (value: Value) => boolean {
  if (operand.kind === 'list') {
    const tests = operand.values.map((one) => testOf('=', one, now));
    return (value) => tests.some((test) => test(value));
  }
  const text = textOf(operand, now);
  if (operator === '~' || operator === '!~')
    return (value) => containsJqlWords(String(value), text);
  if (operator === '=' || operator === '!=') {
    const literal = new Literal(text);
    return (value) => literal.equals(value);
  }
  const date = readJqlDate(text, now());
  return new Literal(date === undefined ? text : new Date(date).toISOString()).test(operator);
}

/** @throws QueryFault for functions other than now() */
function textOf(operand: JqlOperand, now: () => number): string {
  if (operand.kind === 'value') return operand.value;
  if (operand.kind === 'function' && operand.name === 'now') return new Date(now()).toISOString();
  const name = operand.kind === 'function' ? `the function ${operand.name}()` : operand.kind;
  throw new QueryFault(`${name} is not supported`);
}
