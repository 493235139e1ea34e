import type { Span } from './ast.js';
import type { Original } from './original.js';

/** Characters of the longest line. */
export const widest = 140;
export const step = '  ';

/** Whether a text can be put behind a line: both are on one line, which does not become too long. */
function fits(line: string, text: string): boolean {
  return !`${line}${text}`.includes('\n') && line.length + 1 + text.length <= widest;
}

/** Where a sub-expression stands: on one line when there is no indent. */
export type Indent = string | undefined;

/** Something in brackets or in a block, with its place in the original text. */
export interface Item {
  span: Span;
  print: (indent: Indent) => string;
  /** Whether it is a value alone, of which several stand on a line. */
  isLiteral?: boolean;
}

/** Lays parts out beside and below each other, with the comments and line breaks that stand between them in the original. */
export class Layout {
  constructor(private readonly original: Original | undefined) {}

  /**
   * Prints items below each other, with the comments and single empty lines that are between them.
   * @param within the brackets around them in the original
   * @returns the comment behind the opening bracket, and the lines
   */
  lines(
    items: readonly Item[],
    within: Span | undefined,
    indent: string,
    separator: string,
  ): { head: string; lines: string[] } {
    const { original } = this;
    if (original === undefined || within === undefined)
      return {
        head: '',
        lines: items.map(
          ({ print }, index) =>
            indent + print(indent) + (index + 1 < items.length ? separator : ''),
        ),
      };
    const lines: string[] = [];
    const add = (text: string, at: number) => {
      if (separator === '' && lines.length > 0 && original.hasEmptyLineBefore(at)) lines.push('');
      lines.push(indent + text);
    };
    let heads = '';
    const between = (from: number, to: number) => {
      for (const { text, start, isAlone } of original.take(from, to))
        if (isAlone) add(text, start);
        else if (lines.length === 0) heads += ` ${text}`;
        else lines[lines.length - 1] += ` ${text}`;
    };
    let at = within.start;
    for (const [index, { span, print }] of items.entries()) {
      between(at, span.start);
      const text = print(indent) + (index + 1 < items.length ? separator : '');
      const last = lines.at(-1) ?? '';
      if (this.isBeside(items, index, within, separator) && fits(last, text))
        lines[lines.length - 1] = `${last} ${text}`;
      else add(text, span.start);
      at = span.end;
    }
    between(at, within.end);
    return { head: heads, lines };
  }

  /**
   * Whether a part of a list may stay on the line of the part before it: somebody has put them there and broken other lines, or both
   * are values alone.
   */
  private isBeside(
    items: readonly Item[],
    index: number,
    within: Span,
    separator: string,
  ): boolean {
    const [before, item] = [items[index - 1], items[index]];
    if (separator === '' || before === undefined || item === undefined) return false;
    if (this.original?.hasBreakBetween(before.span.end, item.span.start) !== false) return false;
    return this.original.isBroken(within) || (before.isLiteral === true && item.isLiteral === true);
  }

  /** Several parts in brackets: beside each other, or one per line. */
  listed(
    [open, close]: readonly [string, string],
    parts: readonly Item[],
    indent: Indent,
    within: Span | undefined,
    { separator = ',', pad = '' } = {},
  ): string {
    const isFlat = indent === undefined;
    if (isFlat || parts.length === 0) {
      const comments = isFlat ? undefined : this.lines([], within, indent + step, separator);
      if (comments !== undefined && comments.head + comments.lines.join('') !== '')
        return `${open}${comments.head}\n${comments.lines.join('\n')}\n${indent}${close}`;
      if (parts.length === 0) return open + close;
      return `${open}${pad}${parts.map(({ print }) => print(undefined)).join(', ')}${pad}${close}`;
    }
    const { head, lines } = this.lines(parts, within, indent + step, separator);
    return `${open}${head}\n${lines.join('\n')}\n${indent}${close}`;
  }

  /** Prints what is between two parts of an expression that can be on two lines: a line break with its comments, or a default. */
  gap(from: number, to: number, indent: Indent, otherwise: string): string {
    const { original } = this;
    if (indent === undefined || !original?.hasBreakBetween(from, to)) return otherwise;
    let text = '';
    for (const comment of original.take(from, to))
      text += comment.isAlone ? `\n${indent}${step}${comment.text}` : ` ${comment.text}`;
    return `${text}\n${indent}${step}`;
  }

  /** True where a single part stays beside its brackets, as nobody has broken the line behind them. */
  hugs(within: Span | undefined, indent: Indent): boolean {
    const isBroken = within !== undefined && this.original?.isBroken(within) === true;
    return !isBroken || indent === undefined;
  }
}
