import type { Value } from '@onefold/mapping';
import { type Language, type LanguageOptions, type Predicate, QueryFault } from './language.js';
import {
  anyValue,
  checkOperator,
  every,
  fieldReader,
  Literal,
  not,
  timeOf,
  valuesOf,
} from './predicates.js';
import { languageOf, readEvery, readSome, type Tokens } from './syntax.js';

const words =
  /(?<open>\()|(?<close>\))|(?<comma>,)|(?<range>\.\.)|(?<pipe>\|)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<time>datetime\([^)]*\))|(?<operator>==|!=|=~|!~|<=|>=|<|>|!?(?:in~?|(?:contains|startswith|endswith|has)(?:_cs)?|between)(?![\w.~]))|(?<span>\d+(?:ms|[dhms])(?!\w))|(?<number>-?\d+(?:\.\d+)?(?![\w.]))|(?<word>[A-Za-z_]\w*(?:\.\w+)*)/y;
const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const emptiness: Readonly<Record<string, boolean>> = {
  isnull: true,
  isempty: true,
  isnotnull: false,
  isnotempty: false,
};

/**
 * The Kusto query language of Microsoft Sentinel and Defender, as far as it chooses rows: `SigninLogs | where Location == "CH" and
 * TimeGenerated > ago(7d) | where User has "ada"`. Other stages than `where` and `filter` are refused.
 * `==`, `in` and what ends with `_cs` distinguish upper and lower case. A missing value is empty; of a list one value has to fit.
 * https://learn.microsoft.com/kusto/query/
 */
export const kql: Language = languageOf(words, (tokens, options) => {
  const isTable =
    tokens.peek()?.kind === 'word' && [undefined, 'pipe'].includes(tokens.peek(1)?.kind);
  const all: Predicate[] = [];
  if (isTable) tokens.accept('word');
  else all.push(readOr(tokens, options));
  while (tokens.accept('pipe')) {
    if (tokens.accept('word', 'where', 'filter') === undefined)
      tokens.fail(`the stage "${tokens.peek()?.text ?? ''}" is not supported`);
    all.push(readOr(tokens, options));
  }
  return every(all);
});

function readOr(tokens: Tokens, options: LanguageOptions): Predicate {
  return readSome(
    () => readAnd(tokens, options),
    () => tokens.accept('word', 'or'),
  );
}

function readAnd(tokens: Tokens, options: LanguageOptions): Predicate {
  return readEvery(
    () => tokens.group(() => readOr(tokens, options)) ?? readCondition(tokens, options),
    () => tokens.accept('word', 'and'),
  );
}

function readCondition(tokens: Tokens, options: LanguageOptions): Predicate {
  const name = tokens.expect('a column', 'word');
  if (tokens.peek()?.kind === 'open') return readCall(tokens, options, name);
  const reader = fieldReader(options, name.text, name.at);
  const operator = tokens.accept('operator');
  if (operator === undefined) return anyValue(reader, (value) => value === true);
  checkOperator(options, operator.text, operator.at);
  const isNegative = operator.text.startsWith('!');
  const plain = operator.text.replace(/^!=$/, '==').replace('!~', '=~').replace(/^!/, '');
  const predicate = anyValue(reader, readTest(tokens, options, plain));
  return isNegative ? not(predicate) : predicate;
}

/** `not(…)`, and the tests for nothing. */
function readCall(
  tokens: Tokens,
  options: LanguageOptions,
  { text, at }: { text: string; at: number },
): Predicate {
  tokens.expect('(', 'open');
  const name = text.toLowerCase();
  if (name === 'not') return not(closed(tokens, readOr(tokens, options)));
  const isEmpty = emptiness[name];
  if (isEmpty === undefined) throw new QueryFault(`the function "${text}" is not supported`, at);
  const field = tokens.expect('a column', 'word');
  const reader = fieldReader(options, field.text, field.at);
  return closed(tokens, (row) => valuesOf(reader(row)).every((one) => one === '') === isEmpty);
}

function closed(tokens: Tokens, predicate: Predicate): Predicate {
  tokens.expect(')', 'close');
  return predicate;
}

function readTest(
  tokens: Tokens,
  options: LanguageOptions,
  operator: string,
): (value: Value) => boolean {
  const literal = () => new Literal(readValue(tokens, options), /^==$|_cs$|^in$/.test(operator));
  const [kind = ''] = operator.split('_');
  switch (kind) {
    case '==':
    case '=~': {
      const one = literal();
      return (value) => equals(one, value);
    }
    case 'in':
    case 'in~': {
      tokens.expect('(', 'open');
      const all = [literal()];
      while (tokens.accept('comma')) all.push(literal());
      tokens.expect(')', 'close');
      return (value) => all.some((one) => equals(one, value));
    }
    case 'between': {
      tokens.expect('(', 'open');
      const from = literal().test('>=');
      tokens.expect('..', 'range');
      const to = literal().test('<=');
      tokens.expect(')', 'close');
      return (value) => from(value) && to(value);
    }
    case 'contains':
    case 'startswith':
    case 'endswith': {
      const where = { contains: 'anywhere', startswith: 'start', endswith: 'end' } as const;
      const one = literal();
      return (value) => one.contains(value, where[kind]);
    }
    case 'has': {
      const one = String(literal().value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      const term = new RegExp(
        `(?<![\\p{L}\\p{N}])${one}(?![\\p{L}\\p{N}])`,
        operator === 'has' ? 'iu' : 'u',
      );
      return (value) => typeof value === 'string' && term.test(value);
    }
    default:
      return literal().test(kind);
  }
}

/** A boolean of a query is not a text. */
function equals(one: Literal, value: Value): boolean {
  return typeof one.value === 'boolean' ? value === one.value : one.equals(value);
}

function readValue(tokens: Tokens, { now }: LanguageOptions): Value {
  const { kind, text, at } =
    tokens.accept('text') ??
    tokens.accept('number') ??
    tokens.accept('time') ??
    tokens.expect('a value', 'word');
  if (kind === 'text') return text.slice(1, -1).replace(/\\(.)/g, '$1');
  if (kind === 'number') return Number(text);
  if (kind === 'time') {
    const time = timeOf(text.slice('datetime('.length, -1).trim());
    if (time === undefined) throw new QueryFault(`${text} is not a time`, at);
    return new Date(time).toISOString();
  }
  if (text === 'true' || text === 'false') return text === 'true';
  if (text !== 'now' && text !== 'ago')
    throw new QueryFault(`the value ${text} must be in quotes`, at);
  tokens.expect('(', 'open');
  const span = text === 'ago' ? tokens.expect('a time span such as 7d', 'span').text : '0s';
  tokens.expect(')', 'close');
  const [, amount = '0', unit = 's'] = /^(\d+)([^\W\d]\w*)$/.exec(span) ?? [];
  return new Date(now() - Number(amount) * units[unit as keyof typeof units]).toISOString();
}
