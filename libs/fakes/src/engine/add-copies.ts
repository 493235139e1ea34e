import type { FakeDocument } from '../document/fake-document.js';
import { copyRow } from '../state/copy-row.js';
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
        const { id, number, row } = copyRow(one, state.sequence());
        state.put(collection, id, { number, row, at: now, shown: now, was: null, later: [] });
      }
    }, true);
}
