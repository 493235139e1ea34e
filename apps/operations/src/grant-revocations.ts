import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Bus, GrantRevoked } from '#bus';
import {
  callsOf,
  endRevocation,
  findRevocation,
  type GrantRevocation,
  isNeededYet,
  revokeGrant,
} from '#outbox';
import { enqueue, handleTask, type TaskHandler } from '#queue';
import { type Store, type Transaction, wholeOrganization } from '#store';
import { recordWork } from './record-work.js';

const log = new Logger('grants');
const budgetMs = 60_000;
/** Time until webhooks are looked for again that are deleted with the token first. */
const waitMs = 5_000;

/**
 * Has tokens of deleted credentials given back to their providers, by management, which alone can open them. One that the provider does
 * not take back in all attempts stays good there until it expires: the audit trail says which one, and why.
 */
export function grantRevocations({ store, bus }: { store: Store; bus: Bus }): TaskHandler {
  return handleTask(revokeGrant, async ({ organizationId, id }, { attempt, maxAttempts }) => {
    const scope = wholeOrganization(organizationId);
    const revocation = await store.read(scope, (tx) => findRevocation(tx, id));
    if (revocation === undefined) return;
    if (await store.read(scope, (tx) => isNeededYet(tx, revocation))) {
      const runAt = new Date(Date.now() + waitMs);
      const queue = callsOf(organizationId);
      await store.write(scope, (tx) =>
        enqueue(tx, revokeGrant, { organizationId, id }, { key: id, runAt, queue }),
      );
      return;
    }
    const { credentialId } = revocation;
    let revoked: GrantRevoked;
    try {
      const deadline = Date.now() + budgetMs;
      const input = { organizationId, id };
      revoked = await bus.call('credentials.revoke', input, { requestId: randomUUID(), deadline });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isLast = attempt >= maxAttempts;
      log.warn({
        message: 'granted token not revoked',
        credential_id: credentialId,
        reason,
        isLast,
      });
      if (!isLast) throw error;
      revoked = { outcome: 'left', reason };
    }
    await store.write(scope, async (tx) => {
      await record(tx, revocation, revoked);
      await endRevocation(tx, id);
    });
  });
}

/** Records in the audit trail what became of a token, with the place that its credential was deleted from. */
async function record(
  tx: Transaction,
  { accountId, credentialId, provider, subOrganizationId }: GrantRevocation,
  { outcome, reason }: GrantRevoked,
): Promise<void> {
  const place =
    subOrganizationId === undefined
      ? {
          path: `/v1/credentials/${accountId ?? tx.scope.organizationId}/${credentialId}`,
          ...(accountId === null ? {} : { account_id: accountId }),
        }
      : { path: `/v1/suborgs/${subOrganizationId}` }; // its accounts are not of this organization
  const isLeft = outcome === 'left';
  await recordWork(tx, {
    ...place,
    method: 'DELETE',
    audit_type: isLeft ? 'ALARM' : 'API',
    code: isLeft ? 'grant_left_at_provider' : `grant_${outcome}`,
    status: isLeft ? 'failed' : 'succeeded',
    body: { credential_id: credentialId, provider },
    ...(reason === undefined
      ? {}
      : {
          response: isLeft
            ? `the access that was granted to ${credentialId} still stands at the provider: ${reason}`
            : reason,
        }),
  });
}
