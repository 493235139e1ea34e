import { keySteps } from '../language/meter.js';
import { maxSmallText, type Run } from '../language/run.js';
import { textBytes } from '../language/text-bytes.js';
import type { Cost, Function, Method, Walk } from '../language/specification.js';
import { isObject, type Value } from '../language/values.js';

/** A step stands for 128 nanoseconds: dividing by it is a shift. */
const stepBits = 7;

/** Steps of walking a text. */
export function textSteps(length: number, nanoseconds: number): number {
  const time = length * nanoseconds;
  return time < 0x7fffffff ? time >> stepBits : Math.floor(time / 2 ** stepBits);
}

/** The method, paying for what it walks before it does, and for its result. */
export function chargedMethod(method: Method): Method {
  const { cost, prepare } = method;
  if (isFree(cost)) return method;
  return {
    ...method,
    run: charged(method.run, cost),
    ...(prepare && {
      prepare: (call) => {
        const run = prepare(call);
        return run && charged(run, cost);
      },
    }),
  };
}

function charged(call: Method['run'], cost: Cost): Method['run'] {
  return (target, args, run) => {
    if (cost.steps > 0) run.spend(cost.steps);
    if (cost.target !== 'none') payWalk(target, cost.target, cost.nanoseconds, run);
    if (cost.arguments !== 'none') payArguments(args, cost, run);
    const result = call(target, args, run);
    if (cost.result !== 'none') payResult(result, cost.result, run);
    return result;
  };
}

/** The function, paying likewise. */
export function chargedFunction(one: Function): Function {
  const { cost, run: call } = one;
  if (isFree(cost)) return one;
  return {
    ...one,
    run: (args, run, self) => {
      if (cost.steps > 0) run.spend(cost.steps);
      if (cost.arguments !== 'none') payArguments(args, cost, run);
      const result = call(args, run, self);
      if (cost.result !== 'none') payResult(result, cost.result, run);
      return result;
    },
  };
}

function isFree({ target, arguments: given, result, steps }: Cost): boolean {
  return steps <= 0 && [target, given, result].every((walk) => walk === 'none');
}

function payArguments(args: readonly Value[], cost: Cost, run: Run): void {
  for (const one of args)
    if (typeof one !== 'function') payWalk(one, cost.arguments, cost.nanoseconds, run);
}

function payWalk(value: Value, walk: Walk, nanoseconds: number, run: Run): void {
  if (typeof value === 'string' || value instanceof Uint8Array)
    run.spend(textSteps(value.length, nanoseconds));
  else if (Array.isArray(value)) {
    // Copying an array takes an eighth of a step for each element.
    run.spend(walk === 'deep' ? value.length + 1 : value.length >> 3);
    if (walk === 'deep') for (const one of value as Value[]) payWalk(one, walk, nanoseconds, run);
  } else if (isObject(value)) {
    const keys = Object.keys(value);
    run.spend(keySteps(keys.length) + 1);
    if (walk === 'deep') for (const key of keys) payWalk(value[key], walk, nanoseconds, run);
  }
}

/** Pays for the memory of a result, and refuses what is larger than a value may be. */
function payResult(value: Value, walk: Walk, run: Run): void {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    if (value.length > run.limits.stringLength) run.string(value.length);
    if (value.length > maxSmallText)
      run.hold(typeof value === 'string' ? textBytes(value) : value.length);
  } else if (Array.isArray(value)) {
    if (value.length > run.limits.arrayLength) run.array(value.length);
    run.holdArray(value.length);
    if (walk === 'deep') payParts(value as Value[], run);
  } else if (isObject(value)) {
    if (walk === 'deep') {
      const parts = Object.values(value);
      run.spend(keySteps(parts.length));
      payParts(parts, run);
    } else payFields(Object.keys(value).length, run);
  }
}

function payFields(count: number, run: Run): void {
  run.spend(keySteps(count));
  run.holdFields(count);
}

/** Bytes of an array or object beside what is in it, and of an element or field. */
const containerBytes = 48;
const partBytes = 16;

function payParts(parts: readonly Value[], run: Run): void {
  run.spend(parts.length + 1);
  run.hold(containerBytes + partBytes * parts.length);
  for (const one of parts)
    if (typeof one === 'object' || typeof one === 'string') payResult(one, 'deep', run);
}
