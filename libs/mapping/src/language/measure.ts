import { keySteps } from './meter.js';
import type { Run } from './run.js';
import { textBytes } from './text-bytes.js';
import { isObject, type Value } from './values.js';

/** Pays for what a value holds: the bytes it takes when it is written out, shared parts each time. @throws LimitError */
export function measure(value: Value, run: Run): void {
  if (typeof value === 'string') run.hold(textBytes(value));
  else if (Array.isArray(value)) {
    run.spend(value.length + 1);
    run.holdArray(value.length);
    for (const one of value as Value[]) if (isLarge(one)) measure(one, run);
  } else if (value instanceof Uint8Array) run.hold(value.length);
  else if (isObject(value)) {
    let count = 0;
    for (const key in value) {
      count += 1;
      const one = value[key];
      if (isLarge(one)) measure(one, run);
    }
    run.spend(keySteps(count) + 1);
    run.holdFields(count);
  }
}

function isLarge(value: Value): boolean {
  return typeof value === 'string'
    ? value.length > 31
    : typeof value === 'object' && value !== null;
}
