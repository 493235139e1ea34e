import { LimitError } from './run-error.js';

// Values share their parts: forty times `let a = [$a, $a]` is forty steps, and a value that no memory holds when it is copied or
// written out. What walks over values counts the parts here. Runs do not overlap in time, so that one count is enough.
let left = Infinity;
let most = Infinity;

/** Begins to count, unless a run around this one does. @returns what {@link leaveRun} wants */
export function enterRun(limit: number): boolean {
  if (left !== Infinity) return false;
  left = limit;
  most = limit;
  return true;
}

export function leaveRun(entered: boolean): void {
  if (entered) left = Infinity;
}

/** Pays for a walk over parts of a value. @throws LimitError */
export function countParts(count: number): void {
  left -= count;
  if (left < 0) throw new LimitError('parts', `the values of the run have more than ${most} parts`);
}
