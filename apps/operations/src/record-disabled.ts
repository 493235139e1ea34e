import type { AsyncOperation, Transaction } from '#store';
import { recordAlarm } from './record-work.js';

/** Records in the audit trail that a schedule was switched off because its runs failed, which no call did. */
export async function recordDisabled(
  tx: Transaction,
  { id, accountId, integrationId }: AsyncOperation,
  reason: string,
): Promise<void> {
  await recordAlarm(tx, {
    method: 'POST',
    path: `/v1/operations/${id}`,
    code: 'schedule_disabled',
    account_id: accountId,
    integration_id: integrationId,
    response: reason,
  });
}
