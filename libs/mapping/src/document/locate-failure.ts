import type { Statement } from '../language/ast.js';
import { placeOf } from '../language/mapping-error.js';
import { parseTemplate } from '../language/parse.js';
import { remedyForNull } from '../language/remedies.js';
import { LimitError, type RunError } from '../language/run-error.js';
import { describePart, type TemplatePart } from './template-part.js';
import {
  type FailedStatement,
  fieldOf,
  inStatement,
  startOf,
  type TracedFailure,
  withoutStatement,
} from './failed-statement.js';

/** The place in a document of a failure. */
export interface FailurePlace {
  line: number;
  column: number;
  /** The target of the assignment, such as `root.email` or `$name`; undefined for a condition. */
  field: string | undefined;
  /** The text of the expression that failed; undefined where it is not known, as when a limit is exceeded. */
  expression: string | undefined;
}

/** A failure in words, and its place where it is known. */
export interface LocatedFailure {
  message: string;
  reason: string;
  place?: FailurePlace;
}

const maxCallers = 5;

/**
 * Describes a failure of a part of a document: `jira.yaml:6:14 in template default, root.email: expected string, got null (this.email).
 * Another value for null is written .or("").`
 * @param traced what running it again has shown; the statement is found by its line where it has shown nothing
 */
export function describeFailure(
  failure: RunError | LimitError,
  part: TemplatePart,
  file: string | undefined,
  traced?: TracedFailure,
): LocatedFailure {
  const at = traced ?? statementOf(failure, part);
  const reason = traced?.reason ?? withoutStatement(failure.message);
  if (at === undefined) {
    const named = describePart(part);
    const where = [
      ...(file === undefined ? [] : [file]),
      ...(named === undefined ? [] : [`in ${named}`]),
    ];
    const message = [where.join(' '), reason].filter((one) => one !== '').join(': ');
    return { reason, message: message + remedyOf(failure, reason) };
  }
  const expression = traced?.expression;
  const shown = expression === undefined ? reason : `${reason} (${expression})`;
  const callers = (traced?.appliedBy ?? [])
    .slice(0, maxCallers)
    .map((one) => placeInWords(one, file));
  return {
    reason,
    message:
      [`${placeInWords(at, file)}: ${shown}`, ...callers].join(', applied by ') +
      remedyOf(failure, reason),
    place: { ...placeIn(at), field: at.field, expression },
  };
}

/** A sentence behind the failure; nothing where no remedy is known, or where the template has failed on purpose. */
function remedyOf(failure: RunError | LimitError, reason: string): string {
  if (failure instanceof LimitError || failure.thrown !== undefined) return '';
  const remedy = remedyForNull(reason);
  return remedy === undefined ? '' : `. ${remedy}`;
}

/** `file.yaml:6:14 in template default, root.email` */
export function placeInWords(at: FailedStatement, file: string | undefined): string {
  const { line, column } = placeIn(at);
  // The text of a shared template is not in the file of the document.
  const isInFile = file !== undefined && at.part.kind !== 'shared template';
  const where = isInFile ? `${file}:${line}:${column}` : `line ${line}, column ${column}`;
  const named = describePart(at.part);
  const words = [named === undefined ? where : `${where} in ${named}`, at.field];
  return words.filter((one) => one !== undefined).join(', ');
}

function placeIn({ part: { located }, at }: FailedStatement): { line: number; column: number } {
  const place = placeOf(located.text, at);
  return located.locate(place.line, place.column);
}

/** Finds the statement of a template that a failure names. */
function statementOf(
  failure: RunError | LimitError,
  part: TemplatePart,
): FailedStatement | undefined {
  if (part.kind === 'select' || part.kind === 'expression')
    return { part, at: 0, field: fieldOf(undefined, part) };
  const named = failure instanceof LimitError ? (failure.context ?? '') : failure.message;
  const [before = '', line] = inStatement.exec(named) ?? [];
  if (line === undefined) return undefined;
  const isCondition = before.includes('condition');
  const { statements, maps } = parseTemplate(part.located.text);
  const statement = [statements, ...maps.values()]
    .flatMap(flattened)
    .find((one) => one.line === Number(line) && (one.kind === 'if') === isCondition);
  if (statement === undefined) return undefined;
  return { part, at: startOf(statement), field: fieldOf(statement, part) };
}

/** The statements of a body, those inside of `if` included. */
export function flattened(statements: readonly Statement[]): Statement[] {
  return statements.flatMap((statement) =>
    statement.kind === 'if'
      ? [
          statement,
          ...statement.branches.flatMap(({ body }) => flattened(body)),
          ...flattened(statement.otherwise ?? []),
        ]
      : [statement],
  );
}
