import { type RecordOutline, lintDocument, lintTemplate } from '../document/lint-document.js';
import { MappingError, parseJson, type TemplateFault, type Value } from '../index.js';
import { describeFaults, describeWarning, exitCodes } from './exit-codes.js';
import { isDocument, remedyForOther } from './is-document.js';
import type { Output } from './terminal.js';

export interface LintFlags {
  /** The id of an operation, whose records the document makes. */
  operation?: string | undefined;
  /** JSON: a record, a list of records, or one on each line. */
  input?: string | undefined;
}

const none: RecordOutline = { names: [], required: [], inside: () => undefined };

/** `lint`: warns of what is probably a mistake in a document that compiles. @returns the exit code */
export function lint(
  name: string,
  source: string,
  { operation, input }: LintFlags,
  { out, err, shared, outlineOf }: Output,
): number {
  if (operation !== undefined && outlineOf === undefined) {
    err(
      '--operation needs the contract of the operations, which is in a checkout of Onefold: npm run -s mapping -- lint …',
    );
    return exitCodes.wrong;
  }
  const outline = operation === undefined ? none : outlineOf?.(operation);
  if (outline === undefined) {
    err(
      `there is no operation ${operation ?? ''}: --operation takes an id such as ticketing_query_tickets`,
    );
    return exitCodes.wrong;
  }
  const other = remedyForOther(source);
  if (other !== undefined) {
    err(`${name}: ${other}`);
    return exitCodes.wrong;
  }
  let warnings: TemplateFault[];
  try {
    warnings = (isDocument(source) ? lintDocument : lintTemplate)(source, {
      shared,
      inputs: input === undefined ? undefined : recordsOf(input),
      operation:
        operation === undefined || outline === null ? undefined : { id: operation, outline },
    });
  } catch (error) {
    if (error instanceof MappingError) err(describeFaults(name, error));
    else if (error instanceof SyntaxError) err(`the input is not JSON: ${error.message}`);
    else throw error;
    return exitCodes.wrong;
  }
  if (operation !== undefined && outline === null)
    out(`the records of ${operation} are free: their fields are not checked`);
  for (const warning of warnings) err(describeWarning(name, warning, source));
  return warnings.length === 0 ? exitCodes.fine : exitCodes.found;
}

/** @throws SyntaxError */
function recordsOf(text: string): Value[] {
  const read = (json: string) => {
    const value = parseJson(json);
    return Array.isArray(value) ? (value as Value[]) : [value];
  };
  try {
    return read(text);
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .flatMap(read);
  }
}
