import type { Expression } from '../language/ast.js';
import { RunError } from '../language/run-error.js';
import { type Value, WrongTypeError } from '../language/values.js';
import { partsOf } from '../language/walk.js';
import { isStatement, type Trace, type Traced } from '../closures/trace.js';
import {
  type FailedStatement,
  fieldOf,
  startOf,
  type TracedFailure,
  withoutStatement,
} from './failed-statement.js';
import type { TemplatePart } from './template-part.js';

interface Failed {
  part: TemplatePart;
  node: Traced;
  error: unknown;
}

const maxExpressionLength = 60;

/** Watches templates for the failure that ends them: the parts it passes on its way out, from the inside. */
export class FailureTrace {
  private passed: Failed[] = [];
  private readonly values = new Map<Expression, Value>();

  of(part: TemplatePart): Trace {
    return {
      // A failure goes from part to part until it is caught, and then something else runs.
      enter: () => void (this.passed = []),
      leave: (node, value) => {
        this.passed = [];
        if (!isStatement(node)) this.values.set(node, value);
      },
      fail: (node, error) => void this.passed.push({ part, node, error }),
    };
  }

  /** Describes the failure that came last. */
  describe(): TracedFailure | undefined {
    const [first] = this.passed;
    if (first === undefined) return undefined;
    const [inner = this.passed.at(-1), ...outer] = this.passed.filter(({ node }) =>
      isStatement(node),
    );
    if (inner === undefined || !(inner.error instanceof RunError)) return undefined;
    const { keys, reason } = this.inObjects(inner);
    const { error } = first;
    const isWrongType = error instanceof WrongTypeError && reason.endsWith(error.message);
    return {
      part: first.part,
      at: startOf(first.node),
      field: fieldOf(inner.node, inner.part, keys),
      reason: isWrongType ? reason.slice(0, -error.message.length) + error.describe() : reason,
      // The text of throw() is a sentence by itself.
      expression:
        isStatement(first.node) || inner.error.thrown !== undefined
          ? undefined
          : this.textOf(first.node, first),
      appliedBy: this.appliedBy(inner, outer),
    };
  }

  /** Follows the objects of an assignment to the key whose value failed: it is a part of the field. */
  private inObjects({ node: statement, error }: Failed): { keys: string[]; reason: string } {
    let reason = withoutStatement((error as RunError).message);
    const keys: string[] = [];
    let node = isStatement(statement) && statement.kind !== 'if' ? statement.value : undefined;
    while (node?.kind === 'object') {
      const found = node.entries.find(({ value }) => this.passed.some((one) => one.node === value));
      if (found?.key.kind !== 'literal') break;
      const key = String(found.key.value);
      const prefix = `failed to resolve '${key}' value: `;
      if (!reason.startsWith(prefix)) break;
      reason = reason.slice(prefix.length);
      keys.push(key);
      node = found.value;
    }
    return { keys, reason };
  }

  /** Statements around the one that failed, one for each template that was applied. */
  private appliedBy(inner: Failed, outer: readonly Failed[]): FailedStatement[] {
    const callers: FailedStatement[] = [];
    for (const { part, node } of outer) {
      // An `if` fails with the statement in it, unless its template was applied.
      const isAround = part === inner.part && node.start <= inner.node.start;
      if (isAround && node.end >= inner.node.end && node.kind === 'if') continue;
      callers.push({ part, at: startOf(node), field: fieldOf(node, part) });
    }
    return callers;
  }

  /** The expression to blame: the part of it that has the wrong type, or else all of it. */
  private textOf(node: Expression, { part, error }: Failed): string {
    const wrong =
      error instanceof WrongTypeError
        ? partsOf(node).find(
            (one) => this.values.has(one) && Object.is(this.values.get(one), error.value),
          )
        : undefined;
    const { start, end } = wrong ?? node;
    const text = part.located.text.slice(start, end).replace(/\s+/g, ' ');
    return text.length > maxExpressionLength ? `${text.slice(0, maxExpressionLength)}…` : text;
  }
}
