import { explainDocument, type ExplainedStatement } from '../document/explain-document.js';
import { describePart } from '../document/template-part.js';
import { Deleted, formatJson, MappingError, Nothing, parseJson, type Value } from '../index.js';
import { readDotPath } from '../language/dot-path.js';
import { parseTemplate } from '../language/parse.js';
import { describeFaults, exitCodes } from './exit-codes.js';
import { isDocument } from './is-document.js';
import type { Output } from './terminal.js';

export interface ExplainFlags {
  /** A record as JSON. */
  input: string;
  /** Such as `root.user.name`. */
  field: string;
  metadata?: Readonly<Record<string, string>>;
}

const maxValueLength = 120;
/** Maximum number of values shown for one expression, which a loop evaluates often. */
const maxRepeats = 3;

/** `explain`: shows the statements that made a field of a record, and the values of their expressions. @returns the exit code */
export function explain(
  name: string,
  source: string,
  { input, field, metadata = {} }: ExplainFlags,
  { out, err, shared }: Output,
): number {
  if (!isDocument(source)) {
    err(`${name} is not a mapping document: put the template below templates: default: |`);
    return exitCodes.wrong;
  }
  let path: string[];
  let record: Value;
  try {
    path = pathOf(field);
    record = parseJson(input);
  } catch (error) {
    err(
      error instanceof MappingError
        ? `--field ${field} is not a path such as root.user.name`
        : `the input is not JSON: ${(error as Error).message}`,
    );
    return exitCodes.wrong;
  }
  try {
    const explained = explainDocument(source, record, path, { name, shared, metadata });
    const { statements, mapped, failure } = explained;
    const shownField = path.length === 0 ? 'root' : field;
    if (failure !== undefined) err(failure.message);
    else if (mapped === undefined) out('the record is dropped: deleted() was assigned to root');
    else out(`${shownField} = ${shown(readDotPath(mapped.record, path))}`);
    for (const statement of statements) for (const line of linesOf(name, statement)) out(line);
    if (statements.length === 0) err(`no line that ran assigns ${shownField}`);
    return failure === undefined && statements.length > 0 ? exitCodes.fine : exitCodes.found;
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    err(describeFaults(name, error));
    return exitCodes.wrong;
  }
}

/** The names of a field as an assignment writes it. @throws MappingError */
function pathOf(field: string): string[] {
  const [statement] = parseTemplate(`${field} = null`).statements;
  return statement?.kind === 'assign' ? statement.path.slice(1) : [];
}

function linesOf(name: string, one: ExplainedStatement): string[] {
  const indent = '  '.repeat(one.depth);
  const isInFile = one.part.kind !== 'shared template';
  const where = isInFile ? `${name}:${one.line}:${one.column}` : `line ${one.line}`;
  const counts = new Map<string, number>();
  const values = one.values.flatMap(({ text, value }) => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count > maxRepeats) return count === maxRepeats + 1 ? [`${indent}    …`] : [];
    return [`${indent}    ${short(text.replace(/\s+/g, ' '))} = ${shown(value)}`];
  });
  const [first = '', ...rest] = one.text.split('\n');
  return [
    '',
    `${indent}${where} in ${describePart(one.part)}`,
    ...[first, ...rest].map((line) => `${indent}  ${line.trimEnd()}`),
    ...values,
  ];
}

function shown(value: Value): string {
  if (value === undefined) return 'not there';
  if (value === Deleted) return 'deleted()';
  if (value === Nothing) return 'nothing()';
  return short(formatJson(value));
}

function short(text: string): string {
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
