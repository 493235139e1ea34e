import { type Language, type LanguageOptions, type Predicate, QueryFault } from './language.js';
import { every, some } from './predicates.js';

/** A word of a query, and where it stands. */
export interface Token {
  kind: string;
  text: string;
  at: number;
}

/**
 * Reads a query word by word.
 * @param pattern a sticky expression with a named group for each kind of word; white space is skipped
 */
export class Tokens {
  private readonly tokens: Token[] = [];
  private next = 0;

  /** @throws QueryFault for a character that begins no word */
  constructor(
    private readonly text: string,
    pattern: RegExp,
  ) {
    const space = /\s*/y;
    let at = 0;
    while (at < text.length) {
      space.lastIndex = at;
      space.exec(text);
      at = space.lastIndex;
      if (at >= text.length) break;
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      const [kind, word] =
        Object.entries(found?.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
      if (kind === undefined || word === undefined || word === '')
        throw new QueryFault(`unexpected character "${text[at]}"`, at);
      this.tokens.push({ kind, text: word, at });
      at += word.length;
    }
  }

  get isAtEnd(): boolean {
    return this.next >= this.tokens.length;
  }

  peek(ahead = 0): Token | undefined {
    return this.tokens[this.next + ahead];
  }

  /** Takes the next word if it is of this kind, and one of these texts in any case. */
  accept(kind: string, ...texts: string[]): Token | undefined {
    const token = this.peek();
    if (token === undefined || token.kind !== kind) return undefined;
    if (texts.length > 0 && !texts.includes(token.text.toLowerCase())) return undefined;
    this.next += 1;
    return token;
  }

  /** @throws QueryFault unless the next word is this */
  expect(what: string, kind: string, ...texts: string[]): Token {
    return this.accept(kind, ...texts) ?? this.fail(`expected ${what}`);
  }

  /** Reads what parentheses enclose; undefined where none opens. @throws QueryFault unless they close */
  group<T>(read: () => T): T | undefined {
    if (!this.accept('open')) return undefined;
    const inner = read();
    this.expect(')', 'close');
    return inner;
  }

  /** @throws QueryFault unless everything was read */
  end(): void {
    if (!this.isAtEnd) this.fail(`unexpected "${this.peek()?.text ?? ''}"`);
  }

  fail(message: string): never {
    throw new QueryFault(message, this.peek()?.at ?? this.text.length);
  }
}

/** Reads a condition, and leaves what follows it. @throws QueryFault */
type ReadCondition = (tokens: Tokens, options: LanguageOptions) => Predicate;

/** Makes the language whose texts are one condition. @param words as of {@link Tokens} */
export function languageOf(words: RegExp, read: ReadCondition): Language {
  return (text, options) => {
    if (typeof text !== 'string') throw new QueryFault('the query must be a text');
    const tokens = new Tokens(text, words);
    const predicate = read(tokens, options);
    tokens.end();
    return predicate;
  };
}

/** Reads conditions of which all have to hold. @param acceptAnd takes the operator between two, if there is one */
export function readEvery(read: () => Predicate, acceptAnd: () => unknown): Predicate {
  return every(readJoined(read, acceptAnd));
}

/** Reads conditions of which one has to hold. @param acceptOr takes the operator between two, if there is one */
export function readSome(read: () => Predicate, acceptOr: () => unknown): Predicate {
  return some(readJoined(read, acceptOr));
}

function readJoined(read: () => Predicate, accept: () => unknown): Predicate[] {
  const all = [read()];
  while (accept() !== undefined) all.push(read());
  return all;
}
