import { type OperationId, operationOf } from '#contract';
import { identityOf } from '../record-identity.js';
import { type FakeSetup, unlimited } from './fake-setup.js';
import { listFaults } from './list-checks.js';
import type { OverFake } from './over-fake.js';
import type { Json } from './over-provider.js';
import { readWhole } from './sent-rows.js';

/** Lists with fewer rows have nothing to page, filter or order. */
export const minRows = 4;
/** Pages of a list that are read while rows are added to it. */
const maxPages = 100;

/** Whether an operation is a list of records in pages. */
export function isList(id: OperationId): boolean {
  const { method, response, query } = operationOf(id);
  const isPaged = response.cursor && response.kind !== 'binary';
  return method === 'GET' && isPaged && query['limit'] !== undefined;
}

/** Compares a list with itself: see {@link listFaults}; and reads it again while rows are added to the vendor between its pages. */
export async function checkList(
  over: OverFake,
  id: OperationId,
  path: Record<string, string>,
  { excuses, depth, maxFaults = Infinity }: FakeSetup,
): Promise<string[]> {
  const {
    moving_lists: moving,
    incomparable_fields: incomparable,
    unnarrowed_filters: unnarrowed,
  } = excuses;
  const whole = await readWhole(over, () => over.all(id, {}, path));
  const { rows } = whole;
  if (rows.length === 0) return [`${id}: it is empty`];
  const faults: string[] = [];
  const { body } = await over.call(id, { path, query: { limit: 0 }, meta: ['stats/count()'] });
  const { meta } = body as { meta?: { stats?: { count?: Record<string, unknown> } } };
  const count = meta?.stats?.count?.['*'];
  if (count !== rows.length) faults.push(`stats/count is ${String(count)}, not ${rows.length}`);
  const except = Object.keys(incomparable?.[id] ?? {});
  if (rows.length >= minRows)
    faults.push(
      ...(await listFaults(over, id, {
        path,
        except,
        whole,
        maxFaults,
        narrows: (field) => unnarrowed?.[id]?.[field] === undefined,
        maxFields: depth?.maxFields,
      })),
    );
  if (faults.length >= maxFaults) return faults.map((fault) => `${id}: ${fault}`);
  const lost = await over.aside(() => lostByAdditions(over, id, path, rows));
  const isMoving = moving?.[id] !== undefined;
  if (!isMoving) faults.push(...lost);
  else if (lost.length === 0 && depth?.maxRecords === undefined)
    // a part of the records may not show it
    faults.push('excuses.yaml has it under moving_lists, but it has each row once');
  return faults.map((fault) => `${id}: ${fault}`);
}

/** Reads a list in pages, and adds rows to the vendor's lists after each page. */
async function lostByAdditions(
  over: OverFake,
  id: OperationId,
  path: Record<string, string>,
  rows: Json[],
): Promise<string[]> {
  over.fake.limits.override = unlimited;
  const limit = Math.max(1, Math.ceil(rows.length / 3));
  const read: string[] = [];
  let cursor = '';
  for (let page = 0; page < maxPages; page += 1) {
    over.fake.log.clear();
    const { body } = await over.answerTo(id, { path, query: { limit, cursor } });
    read.push(...((body['result'] ?? []) as Json[]).map(identityOf));
    cursor = String(body['cursor'] ?? '');
    if (cursor === '') break;
    if (page > 1) continue; // or a list with one row on each page would never end
    await over.addCopies(new Set(over.fake.log.requests.map(({ route }) => route)));
  }
  const faults: string[] = [];
  const before = new Set(rows.map(identityOf));
  const missing = [...before].filter((key) => !read.includes(key));
  if (missing.length > 0) faults.push(`${missing.length} of ${before.size} rows are lost`);
  // Copies of rows whose ids come from other fields cannot be told from their originals.
  const after = (await over.all(id, {}, path, { checked: false })).map(identityOf);
  const alike = new Set(after.filter((key, index) => after.indexOf(key) < index));
  const twice = read.filter((key, index) => read.indexOf(key) < index && !alike.has(key));
  if (twice.length > 0) faults.push(`${twice.length} rows come twice`);
  return faults;
}
