import type { Run } from '../language/run.js';
import { isObject, type ObjectValue, setKey, type Value } from '../language/values.js';

/** A deep copy of arrays and objects, a step for each value in them. */
export function copy(value: Value, run: Run): Value {
  run.spend(1);
  if (Array.isArray(value)) return value.map((one) => copy(one, run));
  if (!isObject(value)) return value;
  const result: ObjectValue = {};
  for (const key of Object.keys(value)) setKey(result, key, copy(value[key], run));
  return result;
}
