import type { RecordOutline } from '../document/lint-document.js';
import type { SharedTemplates } from '../index.js';

/** Finds the fields of an operation's records; undefined for an unknown operation, null for records that are free. */
export type OutlineOf = (operation: string) => RecordOutline | null | undefined;

/** The output of a command: results to standard output, errors to standard error. */
export interface Output {
  out: (line: string) => void;
  err: (line: string) => void;
  /** Templates that documents may apply beside their own. */
  shared?: SharedTemplates | undefined;
  /** The fields that the contract has; absent where there is no contract, as in the package. */
  outlineOf?: OutlineOf | undefined;
}

/** The terminal around the program. */
export interface Surroundings extends Output {
  /** How the program is called, for its usage. */
  program: string;
  lines: AsyncIterable<string>;
  /** The text of a file; undefined when there is none. */
  read: (file: string) => string | undefined;
  write: (file: string, text: string) => void;
  /** Asks for the next line. */
  prompt: () => void;
}
