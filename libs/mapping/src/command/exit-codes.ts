import { describeFault, type MappingError, type TemplateFault } from '../index.js';

/** The exit codes of all commands. */
export const exitCodes = {
  fine: 0,
  /** Something was found: a record that fails, a case that differs, a warning, a file that is not laid out. */
  found: 1,
  /** The command line, or a file that it names, is wrong. */
  wrong: 2,
} as const;

/** The faults of a file, each with its line and a caret. */
export function describeFaults(name: string, { message }: MappingError): string {
  return message.replace(/^line (\d+), column (\d+): /gm, `${name}:$1:$2: `);
}

/** A warning like a fault. */
export function describeWarning(name: string, warning: TemplateFault, source: string): string {
  return describeFault(warning, source).replace(/^line (\d+), column (\d+): /, `${name}:$1:$2: `);
}
