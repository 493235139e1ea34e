import type { Value } from '@onefold/mapping';
import type { FakeDocument } from '../document/fake-document.js';
import type { Row } from '../state/entry.js';
import type { FakeStorage } from '../state/fake-storage.js';
import { madeCollections } from '../state/made-collections.js';
import { makeWorld } from '../world/index.js';
import { RowAccess, RowViews } from './row-access.js';

/**
 * Adds copies of the first, the middle and the last record of each collection that routes list, with ids of their own, as if the vendor's
 * other users had made records.
 * @param routes keys of routes, as the log of the fake has them
 */
export async function addCopies(
  document: FakeDocument,
  storage: FakeStorage,
  { start, now, routes }: { start: Date; now: number; routes: ReadonlySet<string | null> },
): Promise<void> {
  const listing = document.routes.filter(({ key }) => routes.has(key));
  const collections = new Set(listing.flatMap(({ list }) => list?.from ?? []));
  const made = madeCollections(document, makeWorld, { start, dataset: 'BASIC' });
  for (const collection of collections)
    await storage.work((state) => {
      const access = new RowAccess(document, new RowViews(made), state, now);
      const rows = access.views.view(collection, false).rows(state, now);
      const chosen = new Set([rows[0], rows[rows.length >> 1], rows.at(-1)]);
      for (const one of chosen) {
        if (one === undefined) continue;
        const number = state.sequence();
        const id = newIdOf(one.id, number);
        const at = { at: now, shown: now, was: null, later: [] };
        state.put(collection, id, { number, row: renamed(one.row, one.id, id) as Row, ...at });
      }
    }, true);
}

/** An id of the same length that no record of the world has. */
function newIdOf(id: string, number: number): string {
  const last = String(number);
  if (/^\d+$/.test(id)) return last;
  return id.length > last.length + 4 ? id.slice(0, -last.length) + last : id + last;
}

/** The value with another id wherever it has the one. */
function renamed(value: Value, from: string, to: string): Value {
  if (typeof value === 'string') return value.replaceAll(from, to);
  if (typeof value === 'number') return String(value) === from ? Number(to) : value;
  if (Array.isArray(value)) return value.map((one: Value) => renamed(one, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, renamed(one as Value, from, to)]),
  );
}
