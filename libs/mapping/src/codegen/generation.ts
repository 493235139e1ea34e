import type { Expression } from '../language/ast.js';
import type { Environment } from '../language/environment.js';
import type { Emitter } from './emitter.js';
import type { Operand } from './operand.js';

/** The surroundings of an expression: the value of `this`, and the values that lambdas have given names. */
export interface Scope {
  self: Operand;
  names: { name: string; value: Operand; outer: Scope['names'] } | null;
}

/** Shared by the functions that generate code for the kinds of expressions. */
export interface Generation {
  readonly emitter: Emitter;
  readonly environment: Environment;
  /** Generates any expression; the functions for one kind call it for the parts. */
  expression(expression: Expression, scope: Scope): Operand;
  /** Generates reading a variable. */
  variable(name: string): Operand;
}

/** Generates an argument that has a `this` of its own; a lambda gives it a name instead. */
export function generateArgument(
  generation: Generation,
  expression: Expression,
  inner: Operand,
  scope: Scope,
): Operand {
  if (expression.kind !== 'lambda')
    return generation.expression(expression, { self: inner, names: scope.names });
  const { parameter, body } = expression;
  if (parameter === '_') return generation.expression(body, scope);
  return generation.expression(body, {
    self: scope.self,
    names: { name: parameter, value: inner, outer: scope.names },
  });
}
