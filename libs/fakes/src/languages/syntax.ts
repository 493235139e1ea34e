import { QueryFault } from './language.js';

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

  /** @throws QueryFault unless everything was read */
  end(): void {
    if (!this.isAtEnd) this.fail(`unexpected "${this.peek()?.text ?? ''}"`);
  }

  fail(message: string): never {
    throw new QueryFault(message, this.peek()?.at ?? this.text.length);
  }
}
