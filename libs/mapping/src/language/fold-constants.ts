import type { Expression } from './ast.js';
import { Run, usualLimits } from './run.js';
import { RunError } from './run-error.js';

/** Functions whose literal arguments are tried when the template is compiled. */
export const checkedEarly = new Set(['range', 'random_int']);

export const arithmeticOperators = { '+': true, '-': true, '*': true, '/': true, '%': true };

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

/** A run for constants: nothing is there. */
export function constantRun(): Run {
  const refuse = (): never => {
    throw new RunError('constants apply no template');
  };
  return new Run(null, null, {}, usualLimits, { now: () => 0, random: () => 0 }, refuse);
}
