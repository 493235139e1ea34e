import { formatTemplate, MappingError } from '../index.js';
import { formatDocument } from '../document/format-document.js';
import { describeFaults, exitCodes } from './exit-codes.js';
import { isDocument, remedyForOther } from './is-document.js';
import type { Surroundings } from './terminal.js';

/** A mapping document or template, laid out one way. @throws MappingError */
function format(source: string): string {
  return isDocument(source) ? formatDocument(source) : formatTemplate(source);
}

/**
 * `fmt`: lays out files, each by itself; `-` is standard input, which goes to standard output.
 * @param isCheck only names the files that are not laid out
 * @returns the exit code
 */
export async function formatFiles(
  names: readonly string[],
  isCheck: boolean,
  terminal: Surroundings,
): Promise<number> {
  const codes: number[] = [];
  for (const name of names) codes.push(await formatFile(name, isCheck, terminal));
  return Math.max(...codes);
}

async function formatFile(name: string, isCheck: boolean, terminal: Surroundings): Promise<number> {
  const { read, write, out, err } = terminal;
  const isInput = name === '-';
  // Asking for the lines opens standard input, and the process would wait for its end.
  const source = isInput ? await textOf(terminal.lines) : read(name);
  if (source === undefined) {
    err(`${name}: there is no such file`);
    return exitCodes.wrong;
  }
  const other = remedyForOther(source);
  if (other !== undefined) {
    err(`${isInput ? 'standard input' : name}: ${other}`);
    return exitCodes.wrong;
  }
  let text: string;
  try {
    text = format(source);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    err(describeFaults(isInput ? 'standard input' : name, error));
    return exitCodes.wrong;
  }
  if (isCheck) {
    if (text === source) return exitCodes.fine;
    out(`${isInput ? 'standard input' : name} is not laid out`);
    return exitCodes.found;
  }
  if (isInput) out(text.trimEnd());
  else if (text !== source) {
    write(name, text);
    out(name);
  }
  return exitCodes.fine;
}

async function textOf(lines: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const line of lines) text += `${line}\n`;
  return text;
}
