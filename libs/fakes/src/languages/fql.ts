import type { Value } from '@onefold/mapping';
import { type Language, type LanguageOptions, type Predicate, QueryFault } from './language.js';
import {
  anyValue,
  checkOperator,
  fieldReader,
  Literal,
  not,
  some,
  valuesOf,
  wildcard,
} from './predicates.js';
import { languageOf, readEvery, readSome, type Tokens } from './syntax.js';

const words =
  /(?<open>\()|(?<close>\))|(?<and>\+)|(?<or>,)|(?<listOpen>\[)|(?<listClose>\])|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<operator>:(?:!~|!\*|>=|<=|[!><~*])?)|(?<word>[A-Za-z0-9_.@-]+)/y;
const units = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;

/**
 * CrowdStrike's FQL: `status:'normal'+last_seen:>'now-7d',(hostname:*'*WS*')`. `+` is and, `,` is or, and binds weaker.
 * Operators: `:` (equal; `*` in a text is a wildcard), `:!`, `:>`, `:>=`, `:<`, `:<=`, `:~` (contains), `:!~`, `:*` (wildcard), `:!*`.
 * Texts are compared without case. Times relative to now: `now-7d`.
 */
export const fql: Language = languageOf(words, readOr);

function readOr(tokens: Tokens, options: LanguageOptions): Predicate {
  return readSome(
    () => readAnd(tokens, options),
    () => tokens.accept('or'),
  );
}

function readAnd(tokens: Tokens, options: LanguageOptions): Predicate {
  return readEvery(
    () => tokens.group(() => readOr(tokens, options)) ?? readComparison(tokens, options),
    () => tokens.accept('and'),
  );
}

function readComparison(tokens: Tokens, options: LanguageOptions): Predicate {
  const field = tokens.expect('a property', 'word');
  const operator = tokens.expect('":"', 'operator');
  const reader = fieldReader(options, field.text, field.at);
  const name = operator.text.slice(1) || '=';
  checkOperator(options, name, operator.at);
  const values = readValues(tokens, options);
  const isNegative = name.startsWith('!');
  const plain = name.replace('!', '');
  const predicate = some(
    values.map((value): Predicate => {
      if (value === null) return (row) => valuesOf(reader(row)).length === 0;
      return anyValue(reader, testOf(plain, value));
    }),
  );
  return isNegative ? not(predicate) : predicate;
}

function testOf(operator: string, value: Value): (other: Value) => boolean {
  const literal = new Literal(value);
  switch (operator) {
    case '~':
      return (other) => literal.contains(other, 'anywhere');
    case '':
    case '=':
    case '*': {
      if (typeof value !== 'string' || !value.includes('*'))
        return (other) => literal.equals(other);
      const pattern = wildcard(value);
      return (other) => typeof other === 'string' && pattern.test(other);
    }
    default:
      return literal.test(operator);
  }
}

/** One value, or a list of which one has to fit. */
function readValues(tokens: Tokens, options: LanguageOptions): Value[] {
  if (!tokens.accept('listOpen')) return [readValue(tokens, options)];
  const values = [readValue(tokens, options)];
  while (tokens.accept('or')) values.push(readValue(tokens, options));
  tokens.expect(']', 'listClose');
  return values;
}

function readValue(tokens: Tokens, { now }: LanguageOptions): Value {
  const quoted = tokens.accept('text');
  if (quoted !== undefined) {
    const text = quoted.text.slice(1, -1).replace(/\\(.)/g, '$1');
    return relativeTime(text, now) ?? text;
  }
  const { text, at } = tokens.expect('a value', 'word');
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  const time = relativeTime(text, now);
  if (time !== undefined) return time;
  throw new QueryFault(`the value ${text} must be in quotes`, at);
}

function relativeTime(text: string, now: () => number): string | undefined {
  const found = /^now(?:-(\d+)([smhdw]))?$/.exec(text);
  if (found === null) return undefined;
  const [, amount = '0', unit = 's'] = found;
  const seconds = Number(amount) * units[unit as keyof typeof units];
  return new Date(now() - seconds * 1_000).toISOString();
}
