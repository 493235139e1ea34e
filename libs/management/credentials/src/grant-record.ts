import { createHash } from 'node:crypto';
import type { ManagementContext } from '#management/core';
import { endGrants } from '#outbox';
import type { Credential, Reader, Transaction } from '#store';

/** The facts of a grant by which it can be given back. */
interface Grant {
  provider: string;
  client_credential_id: string;
  token_origin: string;
}

/** Notes that people granted the token of a credential. */
export async function insertGrant(
  tx: Transaction,
  credentialId: string,
  { provider, client_credential_id, token_origin }: Grant,
  token: string,
): Promise<void> {
  await tx.query(
    `insert into credential_grants (credential_id, organization_id, provider, client_credential_id, token_origin, token_hash)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      credentialId,
      tx.scope.organizationId,
      provider,
      client_credential_id,
      token_origin,
      hashOf(token),
    ],
  );
}

/** True if a credential of the organization has the token: Slack grants the same one to an application again. */
export async function isGranted(tx: Reader, tokenHash: string): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from credential_grants where organization_id = $1 and token_hash = $2 limit 1',
    [tx.scope.organizationId, tokenHash],
  );
  return rows.length > 0;
}

/**
 * Deletes the granted credentials among these that no integration names any more, and has their tokens given back.
 * @param keep where given, only grants that a new grant of the same provider replaces, which is one of these
 */
export async function dropGrants(
  context: Pick<ManagementContext, 'now'>,
  tx: Transaction,
  ids: readonly string[],
  keep?: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.query<{ id: string }>(
    `select g.credential_id as id from credential_grants g join credentials c on c.id = g.credential_id
     where g.organization_id = $1 and c.id = any($2)
       and not exists (select from integrations i where i.organization_id = $1
         and i.account_id is not distinct from c.account_id and position(c.id in i.provider_config::text) > 0)
       and ($3::text[] is null or exists (select from credential_grants n
         where n.organization_id = $1 and n.credential_id = any($3) and n.provider = g.provider))`,
    [tx.scope.organizationId, ids, keep ?? null],
  );
  const unused = rows.map(({ id }) => id);
  if (unused.length === 0) return;
  await endGrants(tx, { credentialIds: unused }, context.now());
  await tx.query('delete from credentials where organization_id = $1 and id = any($2)', [
    tx.scope.organizationId,
    unused,
  ]);
}

/** Ends the grant of a credential whose configuration somebody replaces, before it is replaced. */
export async function endReplacedGrant(
  { now, sealer }: { now: Date; sealer: ManagementContext['sealer'] },
  tx: Transaction,
  { id, accountId, organizationId, sealed }: Credential,
  config: object,
): Promise<void> {
  const opened = sealer.open(accountId ?? organizationId, sealed).reveal();
  const before = JSON.parse(opened) as Record<string, unknown>;
  // Somebody who stores the same token wants to keep it.
  if (before['secret'] === (config as Record<string, unknown>)['secret'])
    await tx.query(
      'delete from credential_grants where organization_id = $1 and credential_id = $2',
      [tx.scope.organizationId, id],
    );
  else await endGrants(tx, { credentialIds: [id] }, now);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
