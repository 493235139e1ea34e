import { keySteps } from '../../language/meter.js';
import type { Run } from '../../language/run.js';
import { isObject, type ObjectValue, setKey, type Value } from '../../language/values.js';

/** Copies arrays and objects with all that is in them, and pays for each value and field. */
export function copy(value: Value, run: Run): Value {
  run.spend(2);
  if (Array.isArray(value)) {
    run.holdArray(value.length);
    return value.map((one) => copy(one, run));
  }
  if (!isObject(value)) return value;
  const result: ObjectValue = {};
  const keys = Object.keys(value);
  run.spend(6 + keySteps(keys.length));
  run.holdFields(keys.length);
  for (const key of keys) setKey(result, key, copy(value[key], run));
  return result;
}
