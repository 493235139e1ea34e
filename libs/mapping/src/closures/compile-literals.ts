import { type Code, inContext } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import {
  Deleted,
  Nothing,
  type ObjectValue,
  setKey,
  typeName,
  type Value,
} from '../language/values.js';

/** Steps of making an array or object, beside one for each part: they pay for the memory that it takes. */
export const literalSteps = 2;

/** `[…]`: what is deleted or nothing is left out. */
export function arrayCode(items: readonly Code[]): Code {
  return (run, self, named) => {
    run.spend(items.length + literalSteps);
    const result: Value[] = [];
    for (const item of items) {
      const value = item(run, self, named);
      if (value !== Deleted && value !== Nothing) result.push(value);
    }
    return result;
  };
}

/** An entry of an object: `plain` is its key where that is known before. */
export interface EntryCode {
  plain: string | undefined;
  key: Code;
  value: Code;
}

/** `{…}`: what is deleted or nothing is left out. */
export function objectCode(entries: readonly EntryCode[]): Code {
  return (run, self, named) => {
    run.spend(entries.length + literalSteps);
    const result: ObjectValue = {};
    for (const { plain, key, value } of entries) {
      const name = plain ?? key(run, self, named);
      if (typeof name !== 'string')
        throw new RunError(`expected string value as object key, got ${typeName(name)}`);
      let inner: Value;
      try {
        inner = value(run, self, named);
      } catch (error) {
        throw inContext(error, `failed to resolve '${name}' value`);
      }
      if (inner === Deleted || inner === Nothing) continue;
      if (plain === undefined) setKey(result, name, inner);
      else result[plain] = inner;
    }
    return result;
  };
}
