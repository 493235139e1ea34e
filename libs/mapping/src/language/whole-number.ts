import { RunError } from './run-error.js';

/** The whole part of a number, exactly. @throws RunError for infinity and NaN, which have none */
export function wholeOf(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value;
  if (!Number.isFinite(value)) throw new RunError(`the number ${value} has no whole part`);
  return BigInt(Math.trunc(value));
}
