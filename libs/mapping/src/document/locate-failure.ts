import { parseTemplate } from '../language/parse.js';
import type { Statement } from '../language/ast.js';
import { placeOf } from '../language/mapping-error.js';
import type { Located } from './read-document.js';

/** The place in a document of the statement that failed. */
export interface FailurePlace {
  line: number;
  column: number;
  /** The target of the assignment, such as `root.email` or `$name`; undefined for a condition. */
  field: string | undefined;
  /** The reason without the line of the template. */
  reason: string;
}

/** The text before the reason of a failure; the line is that within the template. */
const inStatement = /^failed (?:assignment|to check if condition) \(line (\d+)\): /;

/** Finds the statement of a template that a failure names; undefined where it names none, as limits do. */
export function locateFailure(
  { text, locate }: Located,
  message: string,
): FailurePlace | undefined {
  const [before = '', line] = inStatement.exec(message) ?? [];
  if (line === undefined) return undefined;
  const statement = statementAt(parseTemplate(text), Number(line), before.includes('condition'));
  if (statement === undefined) return undefined;
  const start = statement.kind === 'if' ? statement.start : statement.value.start;
  const place = placeOf(text, start);
  return {
    ...locate(place.line, place.column),
    field: fieldOf(statement),
    reason: message.slice(before.length),
  };
}

function statementAt(
  { statements, maps }: ReturnType<typeof parseTemplate>,
  line: number,
  isCondition: boolean,
): Statement | undefined {
  return [statements, ...maps.values()]
    .flatMap(flattened)
    .find((one) => one.line === line && (one.kind === 'if') === isCondition);
}

/** The statements of a body, those inside of `if` included. */
function flattened(statements: readonly Statement[]): Statement[] {
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

function fieldOf(statement: Statement): string | undefined {
  switch (statement.kind) {
    case 'assign':
      return statement.path.map((one) => (/^\w+$/.test(one) ? one : JSON.stringify(one))).join('.');
    case 'let':
      return `$${statement.name}`;
    case 'meta':
      return statement.key === undefined ? '@' : `@${statement.key}`;
    case 'if':
      return undefined;
  }
}
