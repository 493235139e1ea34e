import { type ArgumentCode, type Code, inContext } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import { equal, Nothing, typeName, type Value } from '../language/values.js';

/** An `if` expression: null counts as false, no branch taken is Nothing. */
export function ifCode(
  branches: readonly { test: Code; value: Code }[],
  otherwise: Code | undefined,
): Code {
  return (run, self, named) => {
    for (const { test, value } of branches) {
      const holds = test(run, self, named);
      if (holds === true) return value(run, self, named);
      if (holds !== false && holds !== null)
        throw new RunError(`if condition resolved to a non-boolean value (${typeName(holds)})`);
    }
    return otherwise ? otherwise(run, self, named) : Nothing;
  };
}

/** One case of a match: a literal is compared, anything else is asked; without either it always fits. */
export interface MatchCase {
  literal: { value: Value } | undefined;
  test: ArgumentCode | undefined;
  value: ArgumentCode;
}

/** A `match` expression: the first case that fits, with the subject as `this`; none is Nothing. */
export function matchCode(subject: Code | undefined, cases: readonly MatchCase[]): Code {
  return (run, self, named) => {
    const inner = subject ? subject(run, self, named) : self;
    for (let index = 0; index < cases.length; index += 1) {
      const { literal, test, value } = cases[index] as MatchCase;
      if (literal) {
        if (!equal(literal.value, inner) && !(literal.value === true && !subject)) continue;
      } else if (test) {
        let holds: Value;
        try {
          holds = test(run, inner, self, named);
        } catch (error) {
          throw inContext(error, `failed to check match case ${index}`);
        }
        if (holds !== true && (typeof holds === 'boolean' || !subject || !equal(holds, inner)))
          continue;
      }
      return value(run, inner, self, named);
    }
    return Nothing;
  };
}
