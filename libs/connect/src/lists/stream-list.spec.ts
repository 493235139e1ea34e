import { describe, expect, it } from '@jest/globals';
import type { ProviderRecord } from '../provider-record.js';
import { scan, type ScanPosition } from './stream-list.js';

/** Reads two rows of the only page of a provider. */
async function readTwo(ids: readonly string[], from?: ScanPosition) {
  const rows = ids.map((id): ProviderRecord => ({ id }));
  const pages = { path: {}, size: 100, read: () => Promise.resolve({ rows, next: undefined }) };
  const found = await scan(pages, ({ id }) => id, {
    limit: 2,
    from,
    pageSize: 100,
    isOver: () => false,
  });
  return { ids: found.rows, next: found.next };
}

describe('a page of the provider that is read again for its other rows', () => {
  it.each([
    ['as it was', ['a', 'b', 'c', 'd', 'e']],
    ['with rows added before', ['x', 'y', 'a', 'b', 'c', 'd', 'e']],
    ['with a row removed before', ['b', 'c', 'd', 'e']],
    ['with rows added behind', ['a', 'b', 'c', 'd', 'e', 'f']],
  ])('goes on behind the last row that was returned: %s', async (_how, later) => {
    const first = await readTwo(['a', 'b', 'c', 'd', 'e']);
    expect(first.ids).toEqual(['a', 'b']);
    expect((await readTwo(later, first.next)).ids).toEqual(['c', 'd']);
  });

  it('goes on by its number if the last row is gone', async () => {
    const first = await readTwo(['a', 'b', 'c', 'd']);
    expect((await readTwo(['a', 'x', 'c', 'd'], first.next)).ids).toEqual(['c', 'd']);
  });
});
