import type { Transaction } from '../transaction.js';

/** Finds the access token of a key. */
export async function find(
  tx: Transaction,
  key: string,
): Promise<{ sealed: string | null; expires_at: Date | null } | undefined> {
  const [row] = await tx.query<{ sealed: string | null; expires_at: Date | null }>(
    'select sealed, expires_at from provider_tokens where organization_id = $1 and key = md5($2)',
    [tx.scope.organizationId, key],
  );
  return row;
}

/** Lets one process fetch a token for some seconds. @returns false while another one does */
export async function claim(tx: Transaction, key: string, seconds: number): Promise<boolean> {
  const rows = await tx.query(
    `insert into provider_tokens (organization_id, key, claimed_until) values ($1, md5($2), now() + interval '${seconds} seconds')
       on conflict (organization_id, key) do update set claimed_until = excluded.claimed_until
         where provider_tokens.claimed_until is null or provider_tokens.claimed_until < now()
       returning 1`,
    [tx.scope.organizationId, key],
  );
  return rows.length > 0;
}

/** Stores the token of a claim, and ends the claim. */
export async function save(
  tx: Transaction,
  key: string,
  { sealed, expiresAt }: { sealed: string; expiresAt: Date },
): Promise<void> {
  await tx.query(
    `update provider_tokens set sealed = $3, expires_at = $4, claimed_until = null
           where organization_id = $1 and key = md5($2)`,
    [tx.scope.organizationId, key, sealed, expiresAt],
  );
}

/** Ends a claim without a token. */
export async function release(tx: Transaction, key: string): Promise<void> {
  await tx.query(
    'update provider_tokens set claimed_until = null where organization_id = $1 and key = md5($2)',
    [tx.scope.organizationId, key],
  );
}
