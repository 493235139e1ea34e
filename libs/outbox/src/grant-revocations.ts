import { randomUUID } from 'node:crypto';
import { defineTask, enqueue } from '#queue';
import type { Reader, Transaction } from '#store';
import { callsOf } from './calls-of.js';

/** Gives a granted token back to its provider. Tried for an hour and a half: as long, it is kept. */
export const revokeGrant = defineTask<{ organizationId: string; id: string }>(
  'credentials.revoke',
  { maxAttempts: 9 },
);

/** A secret as it was stored, with the account or organization whose key opens it. */
interface Sealed {
  owner: string;
  sealed: string;
}

/** A granted token that its provider still takes, though its credential is deleted. */
export interface GrantRevocation {
  credentialId: string;
  accountId: string | null;
  provider: string;
  tokenOrigin: string;
  tokenHash: string | null;
  credential: Sealed;
  /** Null where the provider granted no refresh token. */
  refreshToken: Sealed | null;
  /** The application that it was granted to; null once it is gone. */
  application: Sealed | null;
  /** The sub organization that it belonged to, which is gone. */
  subOrganizationId?: string;
}

/**
 * Ends grants, and returns what is to be given back to the providers. The credentials are still there, and unchanged.
 * @param of some credentials, those of an account, or all of the organization
 */
export async function takeGrants(
  tx: Transaction,
  of: { credentialIds?: readonly string[]; accountId?: string },
): Promise<GrantRevocation[]> {
  const rows = await tx.query<{ revocation: GrantRevocation }>(
    `with ended as (
       delete from credential_grants g using credentials c
       where g.organization_id = $1 and c.id = g.credential_id
         and ($2::text[] is null or c.id = any($2)) and ($3::text is null or c.account_id = $3)
       returning g.*, c.account_id, c.sealed
     )
     select json_build_object(
       'credentialId', e.credential_id, 'accountId', e.account_id, 'provider', e.provider,
       'tokenOrigin', e.token_origin, 'tokenHash', e.token_hash,
       'credential', json_build_object('owner', coalesce(e.account_id, $1), 'sealed', e.sealed),
       'refreshToken', case when r.sealed is not null then
         json_build_object('owner', coalesce(e.account_id, $1), 'sealed', r.sealed) end,
       'application', case when a.config_type = 'o_auth_client' then
         json_build_object('owner', coalesce(a.account_id, $1), 'sealed', a.sealed) end
     ) as revocation
     from ended e
     left join credential_renewals r on r.credential_id = e.credential_id
     left join credentials a on a.id = e.client_credential_id`,
    [tx.scope.organizationId, of.credentialIds ?? null, of.accountId ?? null],
  );
  return rows.map(({ revocation }) => revocation);
}

/** Has tokens given back once the transaction is committed. They belong to the organization of the transaction from then on. */
export async function revokeLater(
  tx: Transaction,
  revocations: readonly GrantRevocation[],
  now: Date,
): Promise<void> {
  const { organizationId } = tx.scope;
  for (const revocation of revocations) {
    const id = randomUUID();
    await tx.query(
      `insert into grant_revocations (id, organization_id, revocation, created_at) values ($1, $2, $3, $4)`,
      [id, organizationId, JSON.stringify(revocation), now],
    );
    await enqueue(
      tx,
      revokeGrant,
      { organizationId, id },
      { key: id, queue: callsOf(organizationId) },
    );
  }
}

/** Ends grants, and has their tokens given back to the providers once the transaction is committed. */
export async function endGrants(
  tx: Transaction,
  of: Parameters<typeof takeGrants>[1],
  now: Date,
): Promise<void> {
  await revokeLater(tx, await takeGrants(tx, of), now);
}

/**
 * Like endGrants, for all grants of a sub organization, in the transaction of its parent that deletes it. The parent has them until they
 * are given back, also those that the sub organization had not given back yet.
 */
export async function endGrantsOfSubOrganization(
  tx: Transaction,
  subOrganizationId: string,
  now: Date,
): Promise<void> {
  const revocations = await tx.inOrganization(subOrganizationId, async (inside) => [
    ...(await takeRevocations(inside)),
    ...(await takeGrants(inside, {})),
  ]);
  await revokeLater(
    tx,
    revocations.map((one) => ({ ...one, subOrganizationId })),
    now,
  );
}

async function takeRevocations(tx: Transaction): Promise<GrantRevocation[]> {
  const rows = await tx.query<{ revocation: GrantRevocation }>(
    `with taken as (delete from grant_revocations where organization_id = $1 returning revocation) select * from taken`,
    [tx.scope.organizationId],
  );
  return rows.map(({ revocation }) => revocation);
}

/** Returns what is to be given back; undefined if it was. */
export async function findRevocation(tx: Reader, id: string): Promise<GrantRevocation | undefined> {
  const [row] = await tx.query<{ revocation: GrantRevocation }>(
    'select revocation from grant_revocations where organization_id = $1 and id = $2',
    [tx.scope.organizationId, id],
  );
  return row?.revocation;
}

/**
 * True while a webhook is to be deleted at the provider with the token. It is given back afterwards; the attempts to delete a webhook end
 * after an hour and a half.
 */
export async function isNeededYet(
  tx: Reader,
  { credentialId }: Pick<GrantRevocation, 'credentialId'>,
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from webhook_removals where organization_id = $1 and integration->'credentials' ? $2 limit 1`,
    [tx.scope.organizationId, credentialId],
  );
  return rows.length > 0;
}

/** Forgets a token with everything that was kept to give it back. */
export async function endRevocation(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from grant_revocations where organization_id = $1 and id = $2', [
    tx.scope.organizationId,
    id,
  ]);
}
