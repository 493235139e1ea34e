import type { Cursors } from '#secrets';
import type { OperationRun } from '../operation-run.js';
import type { ListPage, ListResult, MapRecord } from './page.js';
import { readStream, readStreamAndCount } from './stream-list.js';
import { readWholeList } from './whole-list.js';

/**
 * Reads the page that the caller requested from the list of a provider, with a cursor if the operation has one, and counts records for
 * meta functions. Filters, orders and counts are about the mapped records.
 */
export async function readPage(
  run: OperationRun,
  found: ListResult,
  cursors: Cursors,
  map: MapRecord,
): Promise<ListPage> {
  const { operation, query, meta } = run;
  const streams = query.streams && operation.query['cursor'] !== undefined;
  if (!streams || !('pages' in found)) return await readWholeList(run, found, cursors, map);
  return meta.wantsCounts
    ? await readStreamAndCount(run, found.pages, cursors, map)
    : await readStream(run, found.pages, cursors, map);
}
