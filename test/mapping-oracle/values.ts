// The oracle's own idea of values, written anew and without any thought of speed.
import { RunError } from '../../libs/mapping/src/language/run-error.js';
import { Timestamp } from '../../libs/mapping/src/language/timestamp.js';
import { Deleted, Nothing, typeName, type Value } from '../../libs/mapping/src/language/values.js';

/** Numbers of the oracle: integers as bigint, everything else as number; what a double does not hold surely is a float. */
export function exact(value: number | bigint): number | bigint {
  return typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0)
    ? BigInt(value)
    : value;
}

/** Back to what the language uses: bigint only beyond 2^53. */
export function usual(value: number | bigint): number | bigint {
  if (typeof value === 'number') return value;
  const wrapped = BigInt.asIntN(64, value);
  return Number.isSafeInteger(Number(wrapped)) ? Number(wrapped) : wrapped;
}

export function copy(value: Value): Value {
  if (Array.isArray(value)) return value.map(copy);
  if (kindOf(value) !== 'object') return value;
  return build(fieldsOf(value).map(([key, one]) => [key, copy(one)]));
}

export function kindOf(value: Value): string {
  return value === Deleted || value === Nothing ? 'mark' : typeName(value);
}

export function fieldsOf(value: Value): [string, Value][] {
  return Object.entries(value as Record<string, Value>);
}

/** An object of entries, later ones winning; fromEntries makes `__proto__` a field like any other. */
export function build(entries: readonly [string, Value][]): Record<string, Value> {
  return Object.fromEntries(entries);
}

export function read(value: Value, key: string): Value {
  if (Array.isArray(value)) {
    if (key === '*') return value;
    return /^\d+$/.test(key) ? ((value[Number(key)] as Value) ?? null) : null;
  }
  if (kindOf(value) !== 'object') return null;
  return fieldsOf(value).find(([name]) => name === key)?.[1] ?? null;
}

export function isSame(a: Value, b: Value): boolean {
  const [one, other] = [kindOf(a), kindOf(b)];
  if (one === 'bool' && other === 'number') return a === (Number(b) !== 0);
  if (one === 'string' && other === 'bytes') return isSame(Buffer.from(a as string), b);
  if (one === 'bytes' && other === 'string') return isSame(a, Buffer.from(b as string));
  if (one !== other) return false;
  switch (one) {
    case 'number':
      return exact(a as number) === exact(b as number) || Number(a) === Number(b);
    case 'array': {
      const [x, y] = [a as Value[], b as Value[]];
      return x.length === y.length && x.every((item, index) => isSame(item, y[index]));
    }
    case 'object':
      return [...fieldsOf(a), ...fieldsOf(b)].every(([key]) => isSame(read(a, key), read(b, key)));
    case 'bytes':
      return Buffer.from(a as Uint8Array).equals(Buffer.from(b as Uint8Array));
    case 'timestamp':
      return (a as Timestamp).nanoseconds === (b as Timestamp).nanoseconds;
    default:
      return a === b || one === 'null';
  }
}

/** True for operands that `&&` and `||` take for true. */
export function holds(value: Value): boolean {
  if (kindOf(value) === 'bool') return value as boolean;
  if (kindOf(value) === 'number') return Number(value) !== 0;
  throw new RunError(`expected bool value, got ${typeName(value)}`);
}

const verbs: Record<string, string> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
};

export function calculate(operator: string, a: Value, b: Value): Value {
  const [one, other] = [kindOf(a), kindOf(b)];
  if (operator === '+' && one === 'string' && other === 'string')
    return `${a as string}${b as string}`;
  const texts = ['string', 'bytes'];
  if (operator === '+' && texts.includes(one) && texts.includes(other))
    return Buffer.concat([a, b].map((part) => Buffer.from(part as string)));
  if (one !== 'number' || other !== 'number')
    throw new RunError(
      `cannot ${verbs[operator] ?? 'compare'} types ${typeName(a)} and ${typeName(b)}`,
    );
  const [x, y] = [a as number | bigint, b as number | bigint];
  if (operator === '/' || operator === '%') {
    const whole = operator === '%' ? [x, y].map(truncated) : [];
    if (operator === '/' ? Number(y) === 0 : whole[1] === 0n)
      throw new RunError('attempted to divide by zero');
    return operator === '/'
      ? Number(x) / Number(y)
      : usual((whole[0] as bigint) % (whole[1] as bigint));
  }
  const [m, n] = [exact(x), exact(y)];
  if (typeof m === 'bigint' && typeof n === 'bigint')
    return usual(operator === '+' ? m + n : operator === '-' ? m - n : m * n);
  const [v, w] = [Number(x), Number(y)];
  return operator === '+' ? v + w : operator === '-' ? v - w : v * w;
}

function truncated(value: number | bigint): bigint {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RunError(`the number ${value} has no whole part`);
  return typeof value === 'bigint' ? value : BigInt(Math.trunc(value));
}

/** Negative, zero or positive. */
export function compare(a: Value, b: Value): number {
  const texts = ['string', 'bytes', 'timestamp'];
  if (kindOf(a) === 'number' && kindOf(b) === 'number') {
    const [x, y] = [a as number | bigint, b as number | bigint];
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (!texts.includes(kindOf(a)) || !texts.includes(kindOf(b)))
    throw new RunError(`cannot compare types ${typeName(a)} and ${typeName(b)}`);
  // UTF-8 keeps the order of code points; halves of pairs alone have none of their own.
  const codePoints = (value: Value) => [...text(value)].map((rune) => rune.codePointAt(0) ?? 0);
  const [x, y] = [codePoints(a), codePoints(b)];
  const place = x.findIndex((point, index) => point !== y[index]);
  if (place < 0) return x.length - y.length;
  return y[place] === undefined ? 1 : (x[place] ?? 0) - y[place];
}

function text(value: Value): string {
  if (value instanceof Timestamp) return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value).toString() : (value as string);
}
