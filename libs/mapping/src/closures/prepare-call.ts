import type { Expression } from '../language/ast.js';
import { RunError } from '../language/run-error.js';
import type { Arguments, LiteralCall, Method } from '../language/specification.js';
import { placeArguments } from './arguments.js';

/** A function that runs a call in place of its method; `args` are its arguments, when all are literals. */
export interface PreparedCall {
  run: Method['run'];
  args: Arguments | undefined;
}

/** Prepares a call of which the target or all arguments are literals; undefined where nothing is gained by it. */
export function prepareCall(
  method: Method,
  { target, arguments: given }: Extract<Expression, { kind: 'method' }>,
): PreparedCall | undefined {
  const { prepare, parameters = [], variadic } = method;
  if (prepare === undefined) return undefined;
  const slots = placeArguments(parameters, variadic, given);
  const isLiteral = slots.every(({ value }) => value === undefined || value.kind === 'literal');
  const args = isLiteral
    ? slots.map(({ parameter, value }) =>
        value?.kind === 'literal' ? value.value : parameter.default,
      )
    : undefined;
  const call: LiteralCall = {
    ...(target.kind === 'literal' && { target: target.value }),
    ...(args && { args }),
  };
  try {
    const run = prepare(call);
    return run && { run, args };
  } catch (error) {
    // The call fails in every run.
    if (error instanceof RunError) return undefined;
    throw error;
  }
}
