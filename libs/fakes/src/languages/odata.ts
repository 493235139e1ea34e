import type { Value } from '@onefold/mapping';
import {
  type Language,
  type LanguageOptions,
  type Predicate,
  QueryFault,
  type Row,
} from './language.js';
import { anyValue, checkOperator, fieldReader, Literal, not, valuesOf } from './predicates.js';
import { languageOf, readEvery, readSome, type Token, type Tokens } from './syntax.js';

const words =
  /(?<open>\()|(?<close>\))|(?<comma>,)|(?<colon>:)|(?<text>'(?:[^']|'')*')|(?<time>\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?)|(?<guid>[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{22})|(?<number>-?\d+(?:\.\d+)?(?![\w]))|(?<word>[A-Za-z_@][\w./@]*)/y;
const comparisons: Readonly<Record<string, string>> = { gt: '>', ge: '>=', lt: '<', le: '<=' };
const functions = { contains: 'anywhere', startswith: 'start', endswith: 'end' } as const;
const maps: Readonly<Record<string, (text: string) => Value>> = {
  tolower: (text) => text.toLowerCase(),
  toupper: (text) => text.toUpperCase(),
  trim: (text) => text.trim(),
  length: (text) => text.length,
};

/** The lambda variables that are in sight: what stands before the `/` is the element. */
type Variables = ReadonlySet<string>;

/**
 * OData's `$filter`: `startswith(displayName,'A') and (accountEnabled eq true or signInActivity/last ge 2026-01-01T00:00:00Z)`.
 * Operators: eq, ne, gt, ge, lt, le, in, and, or, not, has; functions contains, startswith, endswith, tolower, toupper, trim,
 * length; lambdas any and all. Texts are compared without case, as Graph and Defender do.
 */
export const odata: Language = languageOf(words, (tokens, options) =>
  new Filter(tokens, options).readOr(new Set()),
);

/** A value of a record, or a part of it that a function makes. */
type Reader = (row: Row) => Value;

class Filter {
  constructor(
    private readonly tokens: Tokens,
    private readonly options: LanguageOptions,
  ) {}

  readOr(variables: Variables): Predicate {
    return readSome(
      () => this.readAnd(variables),
      () => this.tokens.accept('word', 'or'),
    );
  }

  private readAnd(variables: Variables): Predicate {
    return readEvery(
      () => this.readNot(variables),
      () => this.tokens.accept('word', 'and'),
    );
  }

  private readNot(variables: Variables): Predicate {
    if (this.tokens.accept('word', 'not')) return not(this.readNot(variables));
    return this.tokens.group(() => this.readOr(variables)) ?? this.readComparison(variables);
  }

  private readComparison(variables: Variables): Predicate {
    const first = this.tokens.peek();
    const name = first?.text.toLowerCase() ?? '';
    if (first?.kind === 'word' && this.tokens.peek(1)?.kind === 'open') {
      if (name in functions) return this.readFunction(first, variables);
      if (/\/(any|all)$/.test(name)) return this.readLambda(first, variables);
    }
    const reader = this.readOperand(variables);
    const isOver = ['and', 'or'].includes(this.tokens.peek()?.text.toLowerCase() ?? '');
    const operator = isOver ? undefined : this.tokens.accept('word');
    if (operator === undefined) return (row) => reader(row) === true;
    const verb = operator.text.toLowerCase();
    checkOperator(this.options, verb, operator.at);
    if (verb === 'in') return this.readIn(reader);
    return compare(reader, verb, this.readLiteral(), operator);
  }

  private readFunction(token: Token, variables: Variables): Predicate {
    const name = token.text.toLowerCase() as keyof typeof functions;
    checkOperator(this.options, name, token.at);
    this.tokens.accept('word');
    this.tokens.expect('(', 'open');
    const reader = this.readOperand(variables);
    this.tokens.expect('","', 'comma');
    const literal = new Literal(this.readLiteral());
    this.tokens.expect(')', 'close');
    const holds = anyValue(reader, (value) => literal.contains(value, functions[name]));
    if (!this.tokens.accept('word', 'eq')) return holds;
    return this.readLiteral() === false ? not(holds) : holds;
  }

  /** `tags/any(t:t eq 'x')`, `addresses/all(a:a/city eq 'Bern')`. */
  private readLambda(token: Token, variables: Variables): Predicate {
    const [, path = '', verb = ''] = /^(.+)\/(any|all)$/i.exec(token.text) ?? [];
    checkOperator(this.options, verb.toLowerCase(), token.at);
    const reader = this.field(path, token.at, variables);
    this.tokens.accept('word');
    this.tokens.expect('(', 'open');
    if (this.tokens.accept('close')) return (row) => valuesOf(reader(row)).length > 0;
    const variable = this.tokens.expect('a variable', 'word').text;
    this.tokens.expect('":"', 'colon');
    const inner = this.readOr(new Set([...variables, variable]));
    this.tokens.expect(')', 'close');
    const test = (row: Row) => (element: Value) => inner({ ...row, [`$${variable}`]: element });
    if (verb.toLowerCase() === 'any') return (row) => valuesOf(reader(row)).some(test(row));
    return (row) => valuesOf(reader(row)).every(test(row));
  }

  private readIn(reader: Reader): Predicate {
    this.tokens.expect('(', 'open');
    const literals = [new Literal(this.readLiteral())];
    while (this.tokens.accept('comma')) literals.push(new Literal(this.readLiteral()));
    this.tokens.expect(')', 'close');
    return anyValue(reader, (value) => literals.some((one) => one.equals(value)));
  }

  private readOperand(variables: Variables): Reader {
    const token = this.tokens.expect('a property', 'word');
    const map = maps[token.text.toLowerCase()];
    if (map === undefined || !this.tokens.accept('open'))
      return this.field(token.text, token.at, variables);
    checkOperator(this.options, token.text.toLowerCase(), token.at);
    const inner = this.readOperand(variables);
    this.tokens.expect(')', 'close');
    return (row) => {
      const value = inner(row);
      return typeof value === 'string' ? map(value) : value;
    };
  }

  private field(path: string, at: number, variables: Variables): Reader {
    const [first = '', ...rest] = path.split('/');
    if (!variables.has(first)) return fieldReader(this.options, path.replaceAll('/', '.'), at);
    return (row) =>
      rest.reduce<Value>(
        (value, key) => (typeof value === 'object' && value !== null ? (value as Row)[key] : null),
        row[`$${first}`],
      );
  }

  private readLiteral(): Value {
    for (const kind of ['time', 'guid'] as const) {
      const token = this.tokens.accept(kind);
      if (token !== undefined) return token.text;
    }
    const text = this.tokens.accept('text');
    if (text !== undefined) return text.text.slice(1, -1).replaceAll("''", "'");
    const number = this.tokens.accept('number');
    if (number !== undefined) return Number(number.text);
    const word = this.tokens.accept('word', 'true', 'false', 'null');
    if (word === undefined) return this.tokens.fail('expected a value');
    return word.text === 'null' ? null : word.text === 'true';
  }
}

function compare(reader: Reader, verb: string, value: Value, operator: Token): Predicate {
  if (value === null) {
    const isAbsent: Predicate = (row) => valuesOf(reader(row)).length === 0;
    return verb === 'ne' ? not(isAbsent) : isAbsent;
  }
  const literal = new Literal(value);
  const equal = anyValue(reader, (other) => literal.equals(other));
  if (verb === 'eq' || verb === 'has') return equal;
  if (verb === 'ne') return not(equal);
  const comparison = comparisons[verb];
  if (comparison === undefined)
    throw new QueryFault(`unknown operator "${operator.text}"`, operator.at);
  return anyValue(reader, literal.test(comparison));
}
