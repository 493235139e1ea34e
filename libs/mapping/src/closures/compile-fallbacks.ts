import type { bindArguments } from './arguments.js';
import type { Code } from '../language/run.js';
import { RunError, toFailure } from '../language/run-error.js';
import type { Method } from '../language/specification.js';
import type { Value } from '../language/values.js';

/** The message of a failure that a template catches. @throws LimitError, which it does not */
export function caught(error: unknown): string {
  const failure = toFailure(error);
  if (failure instanceof RunError) return failure.message;
  throw failure;
}

type Bound = ReturnType<typeof bindArguments>;

const conversions = ['number', 'bool', 'timestamp'];

/** `left | right`: the right side where the left one fails or has no value. */
export function coalesceCode(left: Code, right: Code): Code {
  return (run, self, named) => {
    let value: Value;
    try {
      value = left(run, self, named);
    } catch (error) {
      caught(error);
      return right(run, self, named);
    }
    return value === null || value === undefined || typeof value === 'symbol'
      ? right(run, self, named)
      : value;
  };
}

/** A call that goes on where its target fails: `catch`, `or`, and a conversion that is given a value for it. Undefined of others. */
export function fallbackCode(
  method: Method,
  target: Code,
  bound: Bound,
  isGiven: boolean,
): Code | undefined {
  if (method.name === 'catch') return catchCode(target, bound);
  if (method.name === 'or')
    return coalesceCode(target, (run, self, named) =>
      (bound(run, self, named)[0] as (inner: Value) => Value)(self),
    );
  return isGiven && conversions.includes(method.name)
    ? conversionCode(method, target, bound)
    : undefined;
}

function catchCode(target: Code, bound: Bound): Code {
  return (run, self, named) => {
    try {
      return target(run, self, named);
    } catch (error) {
      return (bound(run, self, named)[0] as (inner: Value) => Value)(caught(error));
    }
  };
}

function conversionCode(method: Method, target: Code, bound: Bound): Code {
  return (run, self, named) => {
    const args = bound(run, self, named);
    try {
      return method.run(target(run, self, named), args, run);
    } catch (error) {
      caught(error);
      return args[0];
    }
  };
}
