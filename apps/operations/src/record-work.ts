import { insertEntries } from '#management/audit';
import type { Transaction } from '#store';

type Entry = Parameters<typeof insertEntries>[1][number];
/** Content of an entry for work of the worker, without what says who made it. */
type Work = Omit<Entry, 'request_id' | 'remote_addr' | 'user_agent'>;

/** Records in the audit trail what the worker did, which no call did. */
export async function recordWork(tx: Transaction, work: Work): Promise<void> {
  await insertEntries(tx, [{ request_id: '', remote_addr: '', user_agent: 'operations', ...work }]);
}

/** Records what somebody has to look at. */
export async function recordAlarm(
  tx: Transaction,
  alarm: Omit<Work, 'audit_type' | 'status'>,
): Promise<void> {
  await recordWork(tx, { ...alarm, audit_type: 'ALARM', status: 'failed' });
}
