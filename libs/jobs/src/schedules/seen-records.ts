import { createHash } from 'node:crypto';
import { formatJson, type Value } from '@onefold/mapping';
import { fieldReader, instantOf } from '#query';
import type { Reader, Transaction } from '#store';

/** A record of an increment: its time, and what tells it from others. A record that changed is another one. */
interface Identified {
  row: Value;
  digest: Buffer;
  at: Date;
}

/** Records of a page that were not written before. */
export interface Unseen {
  rows: Value[];
  digests: Buffer[];
  times: Date[];
  /** The newest time of the page, of records that were written before, too. */
  newest: Date | null;
}

/** Leaves out what earlier pages and increments have written: the overlap reads it again. */
export async function dropSeen(
  tx: Reader,
  scheduleId: string,
  rows: readonly Value[],
  timePath: string,
): Promise<Unseen> {
  const all = rows.map((row) => identify(row, timePath));
  const known = await tx.query<{ digest: Buffer }>(
    'select digest from operation_seen_records where organization_id = $1 and schedule_id = $2 and digest = any($3::bytea[])',
    [tx.scope.organizationId, scheduleId, all.map(({ digest }) => digest)],
  );
  const seen = new Set(known.map(({ digest }) => digest.toString('base64')));
  const fresh = all.filter(({ digest }) => {
    const key = digest.toString('base64');
    return !seen.has(key) && seen.add(key);
  });
  const newest = all.reduce((max, { at }) => Math.max(max, at.getTime()), 0);
  return {
    rows: fresh.map(({ row }) => row),
    digests: fresh.map(({ digest }) => digest),
    times: fresh.map(({ at }) => at),
    newest: newest === 0 ? null : new Date(newest),
  };
}

/** Remembers records in the transaction that acknowledges their batch. */
export async function rememberSeen(
  tx: Transaction,
  scheduleId: string,
  { digests, times }: Unseen,
): Promise<void> {
  await tx.query(
    `insert into operation_seen_records (organization_id, schedule_id, digest, at)
     select $1, $2, * from unnest($3::bytea[], $4::timestamptz[]) on conflict do nothing`,
    [tx.scope.organizationId, scheduleId, digests, times],
  );
}

/** Forgets records that no later increment reads. */
export async function forgetSeen(tx: Transaction, scheduleId: string, before: Date): Promise<void> {
  await tx.query(
    'delete from operation_seen_records where organization_id = $1 and schedule_id = $2 and at < $3',
    [tx.scope.organizationId, scheduleId, before],
  );
}

function identify(row: Value, timePath: string): Identified {
  const digest = createHash('sha256').update(formatJson(row)).digest().subarray(0, 16);
  return { row, digest, at: timeOf(row, timePath) };
}

/** The filter has compared this value, so there is one; of a list the newest counts. */
function timeOf(row: Value, timePath: string): Date {
  const value = fieldReader(undefined)(row as Record<string, unknown>, timePath);
  return new Date(
    [value].flat().reduce<number>((newest, one) => Math.max(newest, instantOf(one) ?? 0), 0),
  );
}
