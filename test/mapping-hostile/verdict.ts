import type { Measured } from './measure.js';

/**
 * Microseconds of processor time of {@link timeOfWork} on the machine on which the limits were set, when it was quiet. Limits are times of that
 * machine: where the work takes twice as long, a load may too.
 */
const referenceTime = 1_450;

export interface Verdict extends Measured {
  isBad: boolean;
}

/**
 * Measures until a load is good, or has been looked at often enough, by the least of its times and of the memory that it holds: other
 * processes and collections cost time now and then, work that nobody pays for costs it every time.
 * @param look measures once; garbage is collected before it and behind it if it is told to
 * @param howSlow how many times as long as on the quiet reference machine work takes now
 */
export function lookUntilGood(
  look: (collects: boolean) => Measured,
  isBad: (measured: Measured) => boolean,
  maxLooks: number,
  howSlow: () => number = slowness,
): Verdict {
  const first = look(false);
  if (!isBad(first)) return { ...first, isBad: false };
  // Memory is known behind a collection alone. A collection also throws compiled code away, so that times are taken without one too.
  let [time, held] = [Infinity, Infinity];
  let verdict: Verdict = { ...first, isBad: true };
  for (let count = 1; count < maxLooks && verdict.isBad; count += 1) {
    const collects = count % 2 === 1;
    const before = howSlow();
    const again = look(collects);
    time = Math.min(time, again.time / Math.min(before, howSlow()));
    if (collects) held = Math.min(held, again.held);
    const lowest = { ...again, time, held };
    verdict = { ...lowest, isBad: isBad(lowest) };
  }
  return verdict;
}

/** How many times as long as on the quiet reference machine a known piece of work takes now; at least once. */
function slowness(): number {
  return Math.max(1, Math.min(timeOfWork(), timeOfWork(), timeOfWork()) / referenceTime);
}

/** Makes and walks many small objects. @returns microseconds of processor time */
function timeOfWork(): number {
  const begun = process.cpuUsage();
  let sum = 0;
  for (let round = 0; round < 40; round += 1) {
    const made = Array.from({ length: 1_000 }, (_one, index) => ({ key: `k${index}`, index }));
    for (const { key, index } of made) sum += key.length + index;
  }
  const { user, system } = process.cpuUsage(begun);
  return user + system + (sum === 0 ? 1 : 0);
}

/** Does the work until its code is compiled: its first times are not those of the work. */
export function warmUp(): void {
  for (let count = 0; count < 20; count += 1) timeOfWork();
}
