import { isStatement, type Traced } from '../closures/trace.js';
import type { Statement } from '../language/ast.js';
import type { TemplatePart } from './template-part.js';

/** A statement that failed, or an expression in a part that is only one. */
export interface FailedStatement {
  part: TemplatePart;
  /** The offset in the text of the part where the failure began; of a statement around it, where its value begins. */
  at: number;
  field: string | undefined;
}

/** A failure as a trace has seen it. */
export interface TracedFailure extends FailedStatement {
  /** The reason without the statements around it. */
  reason: string;
  /** The text of the expression that failed; undefined where a statement fails by itself. */
  expression: string | undefined;
  /** The statements that applied the template, from the inside out. */
  appliedBy: FailedStatement[];
}

/** The text before the reason of a failure; the line is that within the template. */
export const inStatement = /^failed (?:assignment|to check if condition) \(line (\d+)\)(?:: |$)/;

/** The reason of a failure without the statements that it has passed. */
export function withoutStatement(message: string): string {
  const reason = message.replace(inStatement, '');
  return reason === message ? message : withoutStatement(reason);
}

/** Where the value of a statement begins. */
export function startOf(node: Traced): number {
  if (!isStatement(node)) return node.start;
  return node.kind === 'if' ? node.start : node.value.start;
}

/** The name of what a statement sets. @param keys of the object that it sets it to, from the outside in */
export function fieldOf(
  node: Traced | undefined,
  part: TemplatePart,
  keys: readonly string[] = [],
): string | undefined {
  if (part.kind === 'select') return 'select.match';
  if (node === undefined || !isStatement(node) || node.kind === 'if') return undefined;
  const target = targetOf(node);
  return [target, ...keys.map(named)].join('.');
}

function targetOf(statement: Exclude<Statement, { kind: 'if' }>): string {
  switch (statement.kind) {
    case 'assign':
      return statement.path.map(named).join('.');
    case 'let':
      return `$${statement.name}`;
    case 'meta':
      return `@${statement.key ?? ''}`;
  }
}

function named(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}
