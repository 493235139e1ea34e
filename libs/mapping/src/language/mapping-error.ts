/** One thing wrong with a template. Lines and columns count from 1. */
export interface TemplateFault {
  message: string;
  line: number;
  column: number;
  hint?: string;
}

/** A template that cannot be compiled; says where, with the source line and a caret. */
export class MappingError extends Error {
  constructor(
    readonly faults: readonly TemplateFault[],
    source: string,
  ) {
    super(faults.map((fault) => describeFault(fault, source)).join('\n\n'));
    this.name = 'MappingError';
  }
}

const longestLine = 160;

/** `line 3, column 12: message`, then the line and a caret below the place. */
export function describeFault(
  { message, line, column, hint }: TemplateFault,
  source: string,
): string {
  const text = source.split(/\r?\n/)[line - 1] ?? '';
  const start = Math.max(0, Math.min(column - 1 - longestLine / 2, text.length - longestLine));
  const shown = text.slice(start, start + longestLine);
  const caret = `${' '.repeat(Math.max(0, column - 1 - start))}^`;
  const number = String(line);
  const margin = ' '.repeat(number.length);
  return [
    `line ${line}, column ${column}: ${message}`,
    `${margin} |`,
    `${number} | ${shown}`,
    `${margin} | ${caret}`,
    ...(hint === undefined ? [] : [hint]),
  ].join('\n');
}
