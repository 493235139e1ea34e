import type { ManagementSchemas } from '#contract';

export type Position = ManagementSchemas['TextPosition'];

/** A line of a text with the characters before a place in it. */
export interface TextPlace {
  line: string;
  before: string;
  /** In UTF-16 units, as text fields of the browser count. */
  offset: number;
}

/** Finds a place in a text. The service counts characters (code points), the browser UTF-16 units. */
export function placeIn(text: string, { line, column }: Position): TextPlace {
  const lines = text.split('\n');
  const found = lines[line - 1] ?? '';
  const before = [...found].slice(0, column - 1).join('');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return { line: found, before, offset: start + before.length };
}
