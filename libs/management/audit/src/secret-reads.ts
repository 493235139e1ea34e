import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ManagementContext } from '#management/core';
import type { Transaction } from '#store';
import { insertEntries } from './audit-entry.js';

const recordIntervalMs = 60_000;
const maxKnown = 20_000;

/** Credentials of an integration that were given to a connector. */
export interface SecretRead {
  accountId: string;
  integrationId: string;
  credentialIds: readonly string[];
}

/**
 * Records that the service reads credentials in order to use them. Connectors resolve an integration again when it changes,
 * and once a second while changes are not certain, so only the first read of a minute is recorded, with the number of reads since the previous record.
 */
@Injectable()
export class SecretReads {
  private readonly known = new LRUCache<string, { until: number; times: number }>({
    max: maxKnown,
  });

  constructor(private readonly context: ManagementContext) {}

  /** Adds the record in the transaction that reads, if a record is due. */
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
    this.known.set(key, { until: now + recordIntervalMs, times: 0 });
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
