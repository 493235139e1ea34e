import { Injectable } from '@nestjs/common';
import { ManagementContext } from '#management/core';
import type { Transaction } from '#store';
import { insertEntries } from './audit-entry.js';

const everyMs = 60_000;
const mostKnown = 20_000;

/** Whose sealed secrets are handed to a connector. */
export interface SecretRead {
  accountId: string;
  integrationId: string;
  credentialIds: readonly string[];
}

/**
 * Records that the service itself takes credentials out to use them. Connectors ask for an integration once a second
 * while it is used: the first read of a minute is recorded, with the number of those since the record before.
 */
@Injectable()
export class SecretReads {
  private readonly known = new Map<string, { until: number; times: number }>();

  constructor(private readonly context: ManagementContext) {}

  /** Adds the record, when one is due, in the transaction that reads. */
  async note(
    tx: Transaction,
    { accountId, integrationId, credentialIds }: SecretRead,
  ): Promise<void> {
    if (credentialIds.length === 0) return;
    const now = this.context.clock.now();
    const key = `${integrationId} ${credentialIds.join(' ')}`;
    const before = this.known.get(key);
    if (before !== undefined && before.until > now) {
      before.times += 1;
      return;
    }
    if (this.known.size >= mostKnown) this.known.clear();
    this.known.set(key, { until: now + everyMs, times: 0 });
    await insertEntries(tx, [
      {
        request_id: '',
        remote_addr: '',
        user_agent: 'connector',
        method: 'GET',
        path: `/v1/integrations/${accountId}/${integrationId}`,
        audit_type: 'API',
        code: 'secret_read',
        status: 'succeeded',
        body: { credential_ids: credentialIds, times: (before?.times ?? 0) + 1 },
        account_id: accountId,
        integration_id: integrationId,
      },
    ]);
  }
}
