import { MappingError } from './mapping-error.js';

/** A place in a source text, and the small steps every rule of the grammar is made of. */
export class Source {
  at = 0;
  private depth = 0;

  constructor(readonly text: string) {}

  get done(): boolean {
    return this.at >= this.text.length;
  }

  peek(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  take(text: string): boolean {
    if (!this.peek(text)) return false;
    this.at += text.length;
    return true;
  }

  /** Takes what a sticky expression matches here; undefined when it does not. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** Spaces and tabs. */
  blanks(): boolean {
    return (this.match(/[ \t]+/y) ?? '') !== '';
  }

  /** Blanks, comments and line breaks. */
  space(): void {
    this.match(/(?:[ \t\r\n]|#[^\n]*\n)+/y);
  }

  /** A line break, with an optional comment before it. */
  lineBreak(): boolean {
    return this.match(/[ \t]*(?:#[^\n]*)?\r?\n/y) !== undefined;
  }

  expect(text: string, what = `"${text}"`): void {
    if (!this.take(text)) throw this.fault(`expected ${what}`);
  }

  /** @throws MappingError at this place, or at another. */
  fault(message: string, at = this.at, hint?: string): MappingError {
    const before = this.text.slice(0, at);
    const line = before.split('\n').length;
    const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
    return new MappingError(
      [{ message, line, column, ...(hint === undefined ? {} : { hint }) }],
      this.text,
    );
  }

  lineOf(at: number): number {
    return this.text.slice(0, at).split('\n').length;
  }

  /** Runs a rule one level deeper; sources that nest without end are refused before the stack is. */
  nested<T>(rule: () => T): T {
    if (this.depth >= 200) throw this.fault('expressions are nested more than 200 deep');
    this.depth += 1;
    try {
      return rule();
    } finally {
      this.depth -= 1;
    }
  }
}
