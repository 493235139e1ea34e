/** Takes the payment for walks over values; this is the current run. */
export interface Meter {
  spend(steps: number): void;
  hold(bytes: number): void;
}

// Values share their parts: forty times `let a = [$a, $a]` is forty steps, and a value that no memory holds when it is copied or
// written out. What walks over values has no run at hand and pays here. Runs do not overlap in time, so that one meter is enough.
let current: Meter | undefined;

/** @returns the meter before, to be set again */
export function setMeter(meter: Meter | undefined): Meter | undefined {
  const before = current;
  current = meter;
  return before;
}

/** Pays for a walk over parts of a value, where a run goes on. @throws LimitError */
export function payParts(count: number): void {
  current?.spend(count);
}

/** Objects with more keys than that are tables to the host, which takes several times as long for each. */
const maxQuickKeys = 500;

/** Steps of walking over so many keys of an object. */
export function keySteps(count: number): number {
  return count > maxQuickKeys ? 5 * count : 2 * count;
}

/** Pays for walking over keys of an object. @throws LimitError */
export function payKeys(count: number): void {
  current?.spend(keySteps(count));
}

/** Keys of up to so many characters cost no more than their step. */
const maxQuickKey = 63;

/** Pays for the characters of a key that is compared, copied or written out: objects that share a long key share no such work. @throws LimitError */
export function payKey(key: string): void {
  if (key.length > maxQuickKey) current?.spend(key.length >> 4);
}

/** Bytes of an array or object that is copied, and of each of its parts. */
const [containerBytes, partBytes] = [48, 16];

/** Pays for an array or object that is copied: each field that is set takes a few steps. @throws LimitError */
export function payCopy(parts: number): void {
  current?.spend(8 + 2 * keySteps(parts));
  current?.hold(containerBytes + partBytes * parts);
}

/** Pays for reading characters of a text in native code, which takes a nanosecond or two for each. @throws LimitError */
export function payText(length: number): void {
  if (length > 63) current?.spend(length >> 6);
}
