import { insertEntries } from '#management/audit';
import type { AsyncOperation, Transaction } from '#store';

/** Records in the audit trail that a schedule was switched off because its runs failed, which no call did. */
export async function recordDisabled(
  tx: Transaction,
  { id, accountId, integrationId }: AsyncOperation,
  reason: string,
): Promise<void> {
  await insertEntries(tx, [
    {
      request_id: '',
      remote_addr: '',
      user_agent: 'operations',
      method: 'POST',
      path: `/v1/operations/${id}`,
      audit_type: 'ALARM',
      code: 'schedule_disabled',
      status: 'failed',
      account_id: accountId,
      integration_id: integrationId,
      response: reason,
    },
  ]);
}
