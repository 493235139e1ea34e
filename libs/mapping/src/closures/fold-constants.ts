import type { Expression } from '../language/ast.js';
import { type Limits, maxLimits } from '../language/limits.js';
import { noTemplates, Run, systemSurroundings } from '../language/run.js';
import { LimitError, RunError } from '../language/run-error.js';

/** Functions whose literal arguments are tried when the template is compiled. */
export const checkedEarly = new Set(['range', 'random_int']);

/** True for what is the same in every run: literals, and operations on them. */
export function isConstant(expression: Expression): boolean {
  switch (expression.kind) {
    case 'literal':
      return true;
    case 'array':
      return expression.items.every(isConstant);
    case 'object':
      return expression.entries.every(({ key, value }) => isConstant(key) && isConstant(value));
    case 'negate':
      return isConstant(expression.operand);
    case 'binary':
      return (
        expression.operator !== '|' && isConstant(expression.left) && isConstant(expression.right)
      );
    default:
      return false;
  }
}

/** `deleted()` or `nothing()`: not a value that can be folded, but the same in every run. */
export function isMark(expression: Expression): boolean {
  return (
    expression.kind === 'function' &&
    (expression.name === 'deleted' || expression.name === 'nothing') &&
    expression.arguments.length === 0
  );
}

/** Trying a literal call ends soon: templates come from strangers, and so do their literals. */
const trialLimits: Limits = {
  ...maxLimits,
  fuel: 2_000,
  stringLength: 20_000,
  arrayLength: 2_000,
};

/** A run for constants: nothing is there. */
export function constantRun(limits = maxLimits): Run {
  return new Run(null, null, {}, limits, systemSurroundings, noTemplates);
}

/** Tries a call of literals. @returns the message of its failure, which every run would have; undefined when it succeeds or takes long */
export function failureOf(call: (run: Run) => unknown): string | undefined {
  try {
    call(constantRun(trialLimits));
    return undefined;
  } catch (error) {
    if (error instanceof LimitError) return undefined;
    if (error instanceof RunError) return error.message;
    throw error;
  }
}
