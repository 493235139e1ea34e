import type { Value } from '@onefold/mapping';

export type Row = Readonly<Record<string, Value>>;

/** A record that differs from what the world made. */
export interface Entry {
  /** Place in the order of making; records of the world count from 1, others are above {@link firstMadeNumber}. */
  readonly number: number;
  /** Null where it is deleted. */
  readonly row: Row | null;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  /** When stale lists begin to show it. */
  readonly shown: number;
  /** The record that stale lists show until then; null for none. */
  readonly was: Row | null;
  /** Changes that come true by themselves, the first one first. */
  readonly later: readonly LaterChange[];
}

export interface LaterChange {
  readonly at: number;
  readonly set: Row;
  readonly unset: readonly string[];
}

/** The numbers of records that a request made begin above those of the largest world. */
export const firstMadeNumber = 1_000_000_000;

/** The record at a time: with the later changes that have come true. */
export function rowAt({ row, later }: Entry, now: number): Row | null {
  if (row === null) return null;
  let current = row;
  for (const change of later) {
    if (change.at > now) break;
    const { set, unset } = change;
    const kept = Object.entries(current).filter(([key]) => !unset.includes(key));
    current = { ...Object.fromEntries(kept), ...set };
  }
  return current;
}

/** The record as stale lists show it. */
export function staleRowAt(entry: Entry, now: number): Row | null {
  return entry.shown > now ? entry.was : rowAt(entry, now);
}

/** When the record changes by itself next; Infinity for never. */
export function nextChange({ later, shown }: Entry, now: number): number {
  const times = [shown, ...later.map(({ at }) => at)].filter((at) => at > now);
  return Math.min(Infinity, ...times);
}

/** The difference between two records, field by field. */
export function difference(before: Row, after: Row): Pick<LaterChange, 'set' | 'unset'> {
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value),
  );
  return {
    set: Object.fromEntries(changed),
    unset: Object.keys(before).filter((key) => !Object.hasOwn(after, key)),
  };
}
