import type { Expression, Span } from './ast.js';

/** A comment of a template, from its # to the end of its line. */
export interface Comment extends Span {
  text: string;
  /** True if nothing but blanks stands before it on its line. */
  isAlone: boolean;
}

/** The parts of a text that its tree does not have: comments, brackets and line breaks. */
export class Original {
  readonly comments: Comment[] = [];
  /** The ends of brackets by their beginnings, in the order of the beginnings. */
  private readonly brackets = new Map<number, number>();
  private readonly openings = new Map<number, number>();
  private taken = new Set<Comment>();

  constructor(readonly source: string) {
    const open: number[] = [];
    const pairs: [number, number][] = [];
    for (const { 0: found, index } of source.matchAll(
      /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"?|#[^\r\n]*|[()[\]{}]/g,
    )) {
      if (found.startsWith('#')) this.addComment(found.trimEnd(), index);
      else if ('([{'.includes(found)) open.push(index);
      else if (')]}'.includes(found)) pairs.push([open.pop() ?? index, index]);
    }
    for (const [start, end] of pairs.sort(([a], [b]) => a - b)) {
      this.brackets.set(start, end);
      this.openings.set(end, start);
    }
  }

  private addComment(text: string, start: number): void {
    const before = this.source.slice(this.source.lastIndexOf('\n', start) + 1, start);
    const isAlone = before.trim() === '';
    this.comments.push({ text, start, end: start + text.length, isAlone });
  }

  textOf({ start, end }: Span): string {
    return this.source.slice(start, end);
  }

  /** Takes the comments of a stretch that nobody has taken. */
  take(from: number, to: number): Comment[] {
    const found = this.comments.filter(
      (one) => one.start >= from && one.start < to && !this.taken.has(one),
    );
    for (const one of found) this.taken.add(one);
    return found;
  }

  /** Runs a rule; gives back the comments of a stretch that it took, and undefined, if it has left some of them. */
  takingAll({ start, end }: Span, rule: () => string): string | undefined {
    const before = new Set(this.taken);
    const text = rule();
    const isWhole = this.comments.every(
      (one) => one.start < start || one.start >= end || this.taken.has(one),
    );
    if (isWhole) return text;
    this.taken = before;
    return undefined;
  }

  /** The bracket that ends where a node ends, as that of a list or a call. */
  bracketEndingAt(end: number): Span | undefined {
    const start = this.openings.get(end - 1);
    return start === undefined ? undefined : { start, end: end - 1 };
  }

  /** The first brace behind a place. */
  braceAfter(at: number): Span | undefined {
    for (const [start, end] of this.brackets)
      if (start >= at && this.source[start] === '{') return { start, end };
    return undefined;
  }

  /** The innermost brace around a node. */
  braceAround(node: Span): Span | undefined {
    let found: Span | undefined;
    for (const [start, end] of this.brackets)
      if (this.source[start] === '{' && start < node.start && end >= node.end)
        found = { start, end };
    return found;
  }

  /** True if the line ends behind a bracket. */
  isBroken({ start }: Span): boolean {
    return /^[ \t]*(?:#[^\n]*)?\r?\n/.test(this.source.slice(start + 1));
  }

  /** True if a node cannot be on one line: it has comments, or lines that somebody has broken. */
  mustBreak({ start, end }: Span): boolean {
    if (this.comments.some((one) => one.start >= start && one.start < end)) return true;
    for (const [from, to] of this.brackets)
      if (from >= start && to < end && this.isBroken({ start: from, end: to })) return true;
    return this.breaks.some((at) => at >= start && at < end);
  }

  /** True if somebody has put brackets of its own around an operation. */
  isInBrackets({ start, end }: Expression): boolean {
    const after = /\S/.exec(this.source.slice(end))?.[0];
    return after === ')' && /\(\s*$/.test(this.source.slice(0, start));
  }

  /** Line breaks behind operators and dots. */
  private get breaks(): readonly number[] {
    return (this.ownBreaks ??= [...this.source.matchAll(/(?:[*/%|+\-=!<>&.]|=>)[ \t]*\r?\n/g)].map(
      ({ index }) => index,
    ));
  }
  private ownBreaks: number[] | undefined;

  /** True if the lines of two places differ. */
  hasBreakBetween(from: number, to: number): boolean {
    return this.source.slice(from, to).includes('\n');
  }

  /** True if the line before that of a place is empty. */
  hasEmptyLineBefore(at: number): boolean {
    const line = this.source.lastIndexOf('\n', at - 1);
    if (line < 0) return false;
    const before = this.source.lastIndexOf('\n', line - 1);
    return this.source.slice(before + 1, line).trim() === '';
  }
}
