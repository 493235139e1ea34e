import { MappingError, placeOf } from './mapping-error.js';
import { remedyAt } from './remedies.js';

/** Thrown by a rule while it is only tried; nothing reads it. */
const unread = new MappingError([{ message: 'the rule does not fit', line: 1, column: 1 }], '');

/** A place in a source text, and the small steps every rule of the grammar is made of. */
export class Source {
  at = 0;
  private depth = 0;
  private attempts = 0;
  private readonly failed = new Set<number>();
  private counted = { at: 0, line: 1 };

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

  /** @param hint the remedy where the text has none of its own */
  expect(text: string, what = `"${text}"`, hint?: string): void {
    if (!this.take(text)) throw this.fault(`expected ${what}`, this.at, hint);
  }

  /** Makes the fault of this place, or of another. @param ownHint the hint where the text has no remedy of its own */
  fault(message: string, at = this.at, ownHint?: string): MappingError {
    if (this.attempts > 0) return unread;
    const hint = remedyAt(this.text, at) ?? ownHint;
    const place = placeOf(this.text, at);
    return new MappingError(
      [{ message, ...place, ...(hint === undefined ? {} : { hint }) }],
      this.text,
    );
  }

  /** The line of a place; cheap when places come in their order. */
  lineOf(at: number): number {
    if (at < this.counted.at) this.counted = { at: 0, line: 1 };
    for (;;) {
      const next = this.text.indexOf('\n', this.counted.at);
      if (next < 0 || next >= at) return this.counted.line;
      this.counted = { at: next + 1, line: this.counted.line + 1 };
    }
  }

  /**
   * Tries a rule; undefined where it does not fit, and the place is as before. What failed at a place once is not tried there
   * again: rules that fall back on each other would take time without end.
   */
  attempt<T>(rule: () => T): T | undefined {
    const start = this.at;
    if (this.failed.has(start)) return undefined;
    this.attempts += 1;
    try {
      return rule();
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      this.failed.add(start);
      this.at = start;
      return undefined;
    } finally {
      this.attempts -= 1;
    }
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
