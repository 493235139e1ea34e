/** Code units as sorted ranges that neither touch nor overlap: `[first, last, first, last, …]`. */
export type Units = readonly number[];

export const maxUnit = 0xffff;

export const unitsOf = (text: string): Units =>
  joinUnits(...Array.from({ length: text.length }, (_one, at) => rangeAt(text, at)));

const rangeAt = (text: string, at: number): Units => [text.charCodeAt(at), text.charCodeAt(at)];

export function joinUnits(...sets: readonly Units[]): Units {
  const ranges: [number, number][] = [];
  for (const set of sets)
    for (let at = 0; at < set.length; at += 2)
      ranges.push([set[at] as number, set[at + 1] as number]);
  ranges.sort(([a], [b]) => a - b);
  const result: number[] = [];
  for (const [first, last] of ranges) {
    const end = result.at(-1);
    if (end !== undefined && first <= end + 1) result[result.length - 1] = Math.max(end, last);
    else result.push(first, last);
  }
  return result;
}

export function otherUnits(set: Units): Units {
  const result: number[] = [];
  let next = 0;
  for (let at = 0; at < set.length; at += 2) {
    if ((set[at] as number) > next) result.push(next, (set[at] as number) - 1);
    next = (set[at + 1] as number) + 1;
  }
  if (next <= maxUnit) result.push(next, maxUnit);
  return result;
}

export function overlaps(a: Units, b: Units): boolean {
  for (let at = 0, other = 0; at < a.length && other < b.length;) {
    if ((a[at + 1] as number) < (b[other] as number)) at += 2;
    else if ((b[other + 1] as number) < (a[at] as number)) other += 2;
    else return true;
  }
  return false;
}

export function hasUnit(set: Units, unit: number): boolean {
  for (let at = 0; at < set.length; at += 2)
    if (unit >= (set[at] as number) && unit <= (set[at + 1] as number)) return true;
  return false;
}

/** The set with both cases of its letters; undefined beyond ASCII, where cases are many. */
export function foldUnits(set: Units): Units | undefined {
  if ((set.at(-1) ?? 0) > 0x7f) return undefined;
  const more: number[] = [];
  for (let unit = 0x41; unit <= 0x5a; unit += 1) {
    const lower = unit + 32;
    if (!hasUnit(set, unit) && !hasUnit(set, lower)) continue;
    more.push(unit, unit, lower, lower);
    if (lower === 0x6b) more.push(0x212a, 0x212a); // the sign of Kelvin
    if (lower === 0x73) more.push(0x17f, 0x17f); // the long s
  }
  return joinUnits(set, ...pairs(more));
}

function pairs(flat: readonly number[]): Units[] {
  return Array.from({ length: flat.length / 2 }, (_one, at) => flat.slice(2 * at, 2 * at + 2));
}
