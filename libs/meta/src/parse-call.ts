import { MetaError } from './meta-error.js';

/** An argument as it was written, and the character at which it starts. */
export interface Argument {
  at: number;
  value: string | Item[];
}

export interface Item {
  at: number;
  text: string;
}

export interface CallSyntax {
  text: string;
  name: string;
  arguments: Argument[];
  /** The character after the last argument, where a missing one would be reported. */
  end: number;
}

export const maxCallLength = 2_048;
const nameForm = /[a-z_/]*/y;
const bareForm = /[^\s,()[\]"]*/y;

/** Parses `group/function(argument, [item, item])`. @throws MetaError at the first unexpected character. */
export function parseCall(text: string): CallSyntax {
  if (text.length > maxCallLength)
    throw new MetaError(
      `${text.slice(0, 40)}…`,
      maxCallLength + 1,
      `the call is longer than ${maxCallLength} characters`,
      'Ask for less in one call, or send several.',
    );
  return new CallParser(text).call();
}

class CallParser {
  private at = 0;

  constructor(private readonly text: string) {}

  // call : name [ '(' [ argument { ',' argument } ] ')' ]
  call(): CallSyntax {
    this.space();
    const name = this.match(nameForm);
    if (name === '') throw this.error('the name of a meta function is expected here');
    this.space();
    const args: Argument[] = [];
    let end = this.at + 1;
    if (this.take('(')) {
      this.space();
      if (this.peek() !== ')') {
        do args.push(this.argument());
        while (this.take(','));
      }
      end = this.at + 1;
      if (!this.take(')'))
        throw this.error(args.length > 0 ? '"," or ")" is expected here' : '")" is expected here');
    }
    this.space();
    if (this.at < this.text.length) throw this.error('the end of the call is expected here');
    return { text: this.text, name, arguments: args, end };
  }

  // argument : '[' [ item { ',' item } ] ']' | item
  private argument(): Argument {
    this.space();
    const at = this.at + 1;
    if (!this.take('[')) {
      const { text } = this.item();
      return { at, value: text };
    }
    const items: Item[] = [];
    this.space();
    if (this.peek() !== ']') {
      do items.push(this.item());
      while (this.take(','));
    }
    if (!this.take(']')) throw this.error('"," or "]" is expected here');
    this.space();
    return { at, value: items };
  }

  // item : '"' { character | '\' character } '"' | characters without space , ( ) [ ] "
  private item(): Item {
    this.space();
    const at = this.at + 1;
    if (this.take('"')) {
      let text = '';
      while (this.at < this.text.length && this.peek() !== '"') {
        if (this.peek() === '\\') this.at += 1;
        text += this.peek();
        this.at += 1;
      }
      if (!this.take('"')) throw this.error('a closing quotation mark is expected here');
      this.space();
      return { at, text };
    }
    const text = this.match(bareForm);
    if (text === '') throw this.error('an argument is expected here');
    this.space();
    return { at, text };
  }

  private peek(): string {
    return this.text[this.at] ?? '';
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at += 1;
    return true;
  }

  private space(): void {
    while (this.peek() === ' ') this.at += 1;
  }

  private match(form: RegExp): string {
    form.lastIndex = this.at;
    const found = form.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  private error(problem: string): MetaError {
    const found = this.peek() === '' ? 'the end of the call' : `"${this.peek()}"`;
    return new MetaError(
      this.text,
      this.at + 1,
      `${problem}, not ${found}`,
      'Write it like stats/count, stats/count([priority]) or api/response(all, ["https://*"]).',
    );
  }
}
