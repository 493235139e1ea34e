import type { BinaryOperator } from './ast.js';
import { payText } from './meter.js';
import type { Run } from './run.js';
import { RunError } from './run-error.js';
import { Timestamp } from './timestamp.js';
import { compareStrings, equal, isNumber, normalize, typeName, type Value } from './values.js';
import { wholeOf } from './whole-number.js';

const verbs: Partial<Record<BinaryOperator, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
};

function mismatch(operator: BinaryOperator, a: Value, b: Value): RunError {
  return new RunError(
    `cannot ${verbs[operator] ?? 'compare'} types ${typeName(a)} and ${typeName(b)}`,
  );
}

/** `+ - * / %`: integers stay integers (64 bits, wrapping), anything with a fraction is a double. */
export function arithmetic(operator: BinaryOperator, a: Value, b: Value, run: Run): Value {
  if (operator === '+') {
    if (typeof a === 'string' && typeof b === 'string') {
      run.string(a.length + b.length);
      run.holdText(a.length + b.length);
      return a + b;
    }
    if (a instanceof Uint8Array || b instanceof Uint8Array) return joinBytes(a, b, run);
  }
  if (!isNumber(a) || !isNumber(b)) throw mismatch(operator, a, b);
  if (operator === '/') {
    if (Number(b) === 0) throw new RunError('attempted to divide by zero');
    return Number(a) / Number(b);
  }
  if (operator === '%') {
    const [x, y] = [wholeOf(a), wholeOf(b)];
    if (y === 0n) throw new RunError('attempted to divide by zero');
    return normalize(x % y);
  }
  if (typeof a === 'number' && typeof b === 'number') {
    const result = operator === '+' ? a + b : operator === '-' ? a - b : a * b;
    if (Number.isSafeInteger(result) || !isInteger(a) || !isInteger(b)) return result;
  }
  if (!isInteger(a) || !isInteger(b)) {
    const [x, y] = [Number(a), Number(b)];
    return operator === '+' ? x + y : operator === '-' ? x - y : x * y;
  }
  const [x, y] = [BigInt(a), BigInt(b)];
  const result = operator === '+' ? x + y : operator === '-' ? x - y : x * y;
  if (x <= greatest && y <= greatest) return normalize(result);
  const unsigned = BigInt.asUintN(64, result);
  return unsigned <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(unsigned) : unsigned;
}

/** `-value`, as `0 - value`: the smallest integer stays as it is. @throws RunError unless it is a number */
export function negate(value: Value): Value {
  if (!isNumber(value)) throw new RunError(`expected number value, got ${typeName(value)}`);
  if (typeof value === 'number') return value === 0 ? 0 : -value;
  return value > greatest ? -value : normalize(-value);
}

/** The greatest integer with a sign; what is beyond it came from `uint64()`, and stays without one. */
const greatest = 2n ** 63n - 1n;

/** Integers that a double does not hold surely are bigint; what is larger and a number is a float. */
function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function joinBytes(a: Value, b: Value, run: Run): Value {
  const parts = [a, b].map((one) => {
    if (one instanceof Uint8Array) return one;
    if (typeof one === 'string') return Buffer.from(one);
    throw mismatch('+', a, b);
  });
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  run.string(length);
  run.hold(length);
  return Buffer.concat(parts);
}

/** `== != < > <= >=`: equality of anything, order of numbers and of strings. */
export function comparison(operator: BinaryOperator, a: Value, b: Value): boolean {
  if (operator === '==') return equal(a, b);
  if (operator === '!=') return !equal(a, b);
  const order = compareValues(a, b);
  if (order === undefined) throw mismatch(operator, a, b);
  if (operator === '<') return order < 0;
  if (operator === '>') return order > 0;
  return operator === '<=' ? order <= 0 : order >= 0;
}

/** Negative, zero, positive; undefined when the two have no order. */
export function compareValues(a: Value, b: Value): number | undefined {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  const [one, other] = [textOf(a), textOf(b)];
  return one === undefined || other === undefined ? undefined : compareStrings(one, other);
}

function textOf(value: Value): string | undefined {
  if (value instanceof Timestamp) return value.toString();
  if (value instanceof Uint8Array) {
    payText(value.length);
    return Buffer.from(value).toString();
  }
  return typeof value === 'string' ? value : undefined;
}

/** Converts an operand of `&&` and `||`: bools stay, and numbers other than zero are true. */
export function truth(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (isNumber(value)) return Number(value) !== 0;
  throw new RunError(`expected bool value, got ${typeName(value)}`);
}
