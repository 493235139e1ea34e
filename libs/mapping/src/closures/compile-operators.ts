import type { BinaryOperator } from '../language/ast.js';
import { coalesceCode } from './compile-fallbacks.js';
import { constantRun } from './fold-constants.js';
import { arithmetic, comparison, negate, truth } from '../language/operators.js';
import type { Code } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import { typeName, type Value } from '../language/values.js';

export function notCode(operand: Code): Code {
  return (run, self, named) => {
    const value = operand(run, self, named);
    if (typeof value !== 'boolean')
      throw new RunError(`expected bool value, got ${typeName(value)}`);
    return !value;
  };
}

export function negateCode(operand: Code): Code {
  return (run, self, named) => negate(operand(run, self, named));
}

export function binaryCode(operator: BinaryOperator, left: Code, right: Code): Code {
  switch (operator) {
    case '|':
      return coalesceCode(left, right);
    case '&&':
      return (run, self, named) => truth(left(run, self, named)) && truth(right(run, self, named));
    case '||':
      return (run, self, named) => truth(left(run, self, named)) || truth(right(run, self, named));
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return (run, self, named) =>
        arithmetic(operator, left(run, self, named), right(run, self, named), run);
    default:
      return (run, self, named) =>
        comparison(operator, left(run, self, named), right(run, self, named));
  }
}

/** Computes an operation on literals. @throws RunError for what would fail in every run */
export function foldBinary(operator: BinaryOperator, left: Code, right: Code): Value {
  const run = constantRun();
  const [a, b] = [left(run, null, null), right(run, null, null)];
  return binaryCode(
    operator,
    () => a,
    () => b,
  )(run, null, null);
}
