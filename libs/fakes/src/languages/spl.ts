import type { Value } from '@onefold/mapping';
import { type Language, type LanguageOptions, type Predicate, QueryFault } from './language.js';
import {
  anyValue,
  checkOperator,
  every,
  fieldReader,
  Literal,
  not,
  valuesOf,
} from './predicates.js';
import { languageOf, readEvery, readSome, type Token, type Tokens } from './syntax.js';

const words =
  /(?<open>\()|(?<close>\))|(?<comma>,)|(?<pipe>\|)|(?<text>"(?:[^"\\]|\\.)*")|(?<operator>!=|<=|>=|=|<|>)|(?<word>[^\s()|,"=<>!]+)/y;
/** Time modifiers, which are parameters of a search job. */
const modifiers = new Set(['earliest', 'latest']);

/**
 * The `search` command of Splunk: `search host=web* NOT (code>=500 OR user IN (ada, ben)) "access denied"`. Conditions beside each other
 * have to hold together, `OR` binds tighter than that, operators are in capitals. Values are compared without case, `*` is a wildcard.
 * `field!=value` needs the field, `NOT field=value` does not. A text alone is searched in all values. Other commands are refused.
 * https://docs.splunk.com/Documentation/Splunk/latest/SearchReference/Search
 */
export const spl: Language = languageOf(words, (tokens, options) => {
  tokens.accept('pipe');
  tokens.accept('word', 'search');
  const predicate = tokens.isAtEnd ? every([]) : readAnd(tokens, options);
  if (tokens.accept('pipe'))
    tokens.fail(`the command "${tokens.peek()?.text ?? ''}" is not supported`);
  return predicate;
});

function readAnd(tokens: Tokens, options: LanguageOptions): Predicate {
  return readEvery(
    () => readOr(tokens, options),
    () => acceptOperator(tokens, 'AND') ?? (endsGroup(tokens) ? undefined : tokens.peek()),
  );
}

function endsGroup(tokens: Tokens): boolean {
  return tokens.isAtEnd || ['close', 'pipe'].includes(tokens.peek()?.kind ?? '');
}

function readOr(tokens: Tokens, options: LanguageOptions): Predicate {
  return readSome(
    () => readNot(tokens, options),
    () => acceptOperator(tokens, 'OR'),
  );
}

function readNot(tokens: Tokens, options: LanguageOptions): Predicate {
  if (acceptOperator(tokens, 'NOT')) return not(readNot(tokens, options));
  return tokens.group(() => readAnd(tokens, options)) ?? readCondition(tokens, options);
}

/** Operators are in capitals; `or` is a text like others. */
function acceptOperator(tokens: Tokens, name: string): Token | undefined {
  return tokens.peek()?.text === name ? tokens.accept('word') : undefined;
}

function readCondition(tokens: Tokens, options: LanguageOptions): Predicate {
  const name = readWord(tokens, 'a field or text');
  const operator = tokens.accept('operator');
  const isList = operator === undefined && tokens.peek(1)?.kind === 'open';
  if (operator === undefined && !(isList && acceptOperator(tokens, 'IN') !== undefined))
    return termIn(name);
  if (modifiers.has(name.text))
    throw new QueryFault(`${name.text} is not supported within the search`, name.at);
  const reader = fieldReader(options, unquoted(name), name.at);
  if (operator === undefined) {
    const tests = readList(tokens).map(equality);
    return anyValue(reader, (value) => tests.some((test) => test(value)));
  }
  checkOperator(options, operator.text, operator.at);
  const value = readWord(tokens, 'a value');
  if (operator.text === '=') return anyValue(reader, equality(value));
  if (operator.text !== '!=')
    return anyValue(reader, new Literal(unquoted(value)).test(operator.text));
  const other = not(anyValue(reader, equality(value)));
  return (row) => valuesOf(reader(row)).length > 0 && other(row);
}

function readList(tokens: Tokens): Token[] {
  tokens.expect('(', 'open');
  const values = [readWord(tokens, 'a value')];
  while (tokens.accept('comma')) values.push(readWord(tokens, 'a value'));
  tokens.expect(')', 'close');
  return values;
}

function readWord(tokens: Tokens, what: string): Token {
  return tokens.accept('text') ?? tokens.expect(what, 'word');
}

function unquoted({ kind, text }: Token): string {
  return kind === 'text' ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
}

function equality(token: Token): (value: Value) => boolean {
  const text = unquoted(token);
  if (!text.includes('*')) {
    const literal = new Literal(text);
    return (value) => literal.equals(value);
  }
  const pattern = new RegExp(`^${patternOf(text)}$`, 'iu');
  return (value) => pattern.test(String(value));
}

/** A text that is a word, or words, of any value of the row. */
function termIn(token: Token): Predicate {
  const term = new RegExp(
    `(?<![\\p{L}\\p{N}_])${patternOf(unquoted(token))}(?![\\p{L}\\p{N}_])`,
    'iu',
  );
  const isIn = (value: Value): boolean => {
    if (typeof value === 'object' && value !== null) return Object.values(value).some(isIn);
    return ['string', 'number'].includes(typeof value) && term.test(String(value));
  };
  return (row) => Object.values(row).some(isIn);
}

function patternOf(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^]*');
}
