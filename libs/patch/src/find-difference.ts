import { isPlainObject } from './place.js';
import { formatPointer } from './pointer.js';
import { isSameValue } from './same-value.js';

/** An operation of a JSON Patch that {@link findDifference} makes. */
export interface Difference {
  op: 'add' | 'remove' | 'replace';
  path: string;
  value?: unknown;
}

/** Maximum number of operations; a value that differs in more places is replaced as a whole. */
const maxDifferences = 1_000;
/** Values below this depth are compared as a whole. */
const maxDepth = 100;

/**
 * Finds a JSON Patch that turns one JSON value into another. Items of lists are compared place by place, so that the work grows with the
 * values only.
 */
export function findDifference(one: unknown, other: unknown): Difference[] {
  const found: Difference[] = [];
  collect(one, other, [], found);
  return found.length > maxDifferences ? [{ op: 'replace', path: '', value: other }] : found;
}

function collect(one: unknown, other: unknown, at: readonly string[], found: Difference[]): void {
  if (found.length > maxDifferences) return;
  if (at.length < maxDepth) {
    if (Array.isArray(one) && Array.isArray(other)) return collectItems(one, other, at, found);
    if (isPlainObject(one) && isPlainObject(other)) return collectFields(one, other, at, found);
  }
  if (!isSameValue(one, other))
    found.push({ op: 'replace', path: formatPointer([...at]), value: other });
}

function collectItems(
  one: readonly unknown[],
  other: readonly unknown[],
  at: readonly string[],
  found: Difference[],
): void {
  const shared = Math.min(one.length, other.length);
  for (let index = 0; index < shared; index += 1)
    collect(one[index], other[index], [...at, String(index)], found);
  // From the end, so that the places of the others stay.
  for (let index = one.length - 1; index >= shared && found.length <= maxDifferences; index -= 1)
    found.push({ op: 'remove', path: formatPointer([...at, String(index)]) });
  for (const value of other.slice(shared)) {
    if (found.length > maxDifferences) return;
    found.push({ op: 'add', path: formatPointer([...at, '-']), value });
  }
}

function collectFields(
  one: object,
  other: object,
  at: readonly string[],
  found: Difference[],
): void {
  const [before, after] = [one, other] as Record<string, unknown>[];
  for (const [key, value] of Object.entries(before ?? {})) {
    const place = [...at, key];
    if (after !== undefined && Object.hasOwn(after, key)) collect(value, after[key], place, found);
    else found.push({ op: 'remove', path: formatPointer(place) });
    if (found.length > maxDifferences) return;
  }
  for (const [key, value] of Object.entries(after ?? {})) {
    if (found.length > maxDifferences) return;
    if (!Object.hasOwn(one, key))
      found.push({ op: 'add', path: formatPointer([...at, key]), value });
  }
}
