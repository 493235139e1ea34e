/** One thing wrong with a template. Lines and columns count from 1. */
export interface TemplateFault {
  message: string;
  line: number;
  column: number;
  hint?: string;
  /** The line itself, where it is not one of the text that the error is about. */
  excerpt?: string;
  /** The file that the document includes, where the line is of one. */
  file?: string;
}

const maxDescribed = 20;

/** A template that cannot be compiled; says where, with the source line and a caret. */
export class MappingError extends Error {
  constructor(
    readonly faults: readonly TemplateFault[],
    /** The text that the faults are in. */
    readonly source: string,
  ) {
    const lines = source.split(/\r?\n/);
    const described = faults.slice(0, maxDescribed).map((fault) => describeIn(fault, lines));
    const more = faults.length - described.length;
    super([...described, ...(more > 0 ? [`and ${more} more`] : [])].join('\n\n'));
    this.name = 'MappingError';
  }
}

const maxLineLength = 160;

/** `line 3, column 12: message`, then the line and a caret below the place. */
export function describeFault(fault: TemplateFault, source: string): string {
  return describeIn(fault, source.split(/\r?\n/));
}

function describeIn(
  { message, line, column, hint, excerpt, file }: TemplateFault,
  lines: readonly string[],
): string {
  const text = excerpt ?? lines[line - 1] ?? '';
  const start = Math.max(0, Math.min(column - 1 - maxLineLength / 2, text.length - maxLineLength));
  const shown = text.slice(start, start + maxLineLength);
  const caret = `${' '.repeat(Math.max(0, column - 1 - start))}^`;
  const number = String(line);
  const margin = ' '.repeat(number.length);
  return [
    `${file === undefined ? '' : `${file}: `}line ${line}, column ${column}: ${message}`,
    `${margin} |`,
    `${number} | ${shown}`,
    `${margin} | ${caret}`,
    ...(hint === undefined ? [] : [hint]),
  ].join('\n');
}

/** The line and column of a place in a text; columns count code points. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  let [line, start] = [1, 0];
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', start)) {
    line += 1;
    start = next + 1;
  }
  return { line, column: [...text.slice(start, at)].length + 1 };
}
