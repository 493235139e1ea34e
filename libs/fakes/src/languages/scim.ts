import type { Value } from '@onefold/mapping';
import { type Language, type LanguageOptions, type Predicate, QueryFault } from './language.js';
import { anyValue, checkOperator, fieldReader, Literal, not, valuesOf } from './predicates.js';
import { languageOf, readEvery, readSome, type Tokens } from './syntax.js';

const words =
  /(?<open>\()|(?<close>\))|(?<listOpen>\[)|(?<listClose>\])|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?![\w.:-]))|(?<word>[A-Za-z$][\w.:$-]*)/y;
const comparisons: Readonly<Record<string, string>> = { gt: '>', ge: '>=', lt: '<', le: '<=' };

/**
 * The filter of SCIM (RFC 7644, 3.4.2.2), which Okta's `search` and `filter` are: `profile.lastName sw "Mc" and not (status eq "ACTIVE")`.
 * Operators: eq, ne, co, sw, ew, gt, ge, lt, le, pr; `emails[type eq "work"]`. Texts are compared without case.
 */
export const scim: Language = languageOf(words, readOr);

function readOr(tokens: Tokens, options: LanguageOptions): Predicate {
  return readSome(
    () =>
      readEvery(
        () => readPrimary(tokens, options),
        () => tokens.accept('word', 'and'),
      ),
    () => tokens.accept('word', 'or'),
  );
}

function readPrimary(tokens: Tokens, options: LanguageOptions): Predicate {
  const isNegated =
    tokens.peek()?.text.toLowerCase() === 'not' && tokens.peek(1)?.kind === 'open'
      ? tokens.accept('word') !== undefined
      : false;
  const inner = tokens.group(() => readOr(tokens, options));
  if (inner !== undefined) return isNegated ? not(inner) : inner;
  const { text: field, at } = tokens.expect('an attribute', 'word');
  if (tokens.accept('listOpen')) {
    const holds = withinElements(tokens, options, { field, at });
    tokens.expect(']', 'listClose');
    return holds;
  }
  const reader = fieldReader(options, field, at);
  const operator = tokens.expect('an operator', 'word');
  const name = operator.text.toLowerCase();
  checkOperator(options, name, operator.at);
  if (name === 'pr') return (row) => valuesOf(reader(row)).some((value) => value !== '');
  const value = readValue(tokens);
  if (value === null) {
    if (name === 'eq') return (row) => valuesOf(reader(row)).length === 0;
    if (name === 'ne') return (row) => valuesOf(reader(row)).length > 0;
  }
  const literal = new Literal(value);
  switch (name) {
    case 'eq':
      return anyValue(reader, (other) => literal.equals(other));
    case 'ne':
      return not(anyValue(reader, (other) => literal.equals(other)));
    case 'co':
      return anyValue(reader, (other) => literal.contains(other, 'anywhere'));
    case 'sw':
      return anyValue(reader, (other) => literal.contains(other, 'start'));
    case 'ew':
      return anyValue(reader, (other) => literal.contains(other, 'end'));
    default: {
      const comparison = comparisons[name];
      if (comparison === undefined)
        throw new QueryFault(`unknown operator "${operator.text}"`, operator.at);
      return anyValue(reader, literal.test(comparison));
    }
  }
}

/** `emails[type eq "work" and value co "@acme"]`: one element has to fit in all. */
function withinElements(
  tokens: Tokens,
  options: LanguageOptions,
  { field, at }: { field: string; at: number },
): Predicate {
  const { fields, read } = options;
  if (fields !== undefined && ![...fields].some((one) => one.startsWith(`${field}.`)))
    throw new QueryFault(`cannot filter by "${field}"`, at);
  const elements = read(field);
  const own = fields && [...fields].filter((one) => one.startsWith(`${field}.`));
  const inner = readOr(tokens, {
    ...options,
    read: (name) => (row) => row[name] ?? null,
    ...(own === undefined
      ? {}
      : { fields: new Set(own.map((one) => one.slice(field.length + 1))) }),
  });
  return anyValue(
    elements,
    (element) =>
      typeof element === 'object' && element !== null && inner(element as Record<string, Value>),
  );
}

function readValue(tokens: Tokens): Value {
  const text = tokens.accept('text');
  if (text !== undefined) {
    try {
      return JSON.parse(text.text) as string;
    } catch {
      throw new QueryFault('the text has an escape that is not valid', text.at);
    }
  }
  const number = tokens.accept('number');
  if (number !== undefined) return Number(number.text);
  const { text: word, at } = tokens.expect('a value', 'word');
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  throw new QueryFault(`the value ${word} must be in quotes`, at);
}
