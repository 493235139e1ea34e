import type { Reader, Transaction } from '../transaction.js';

/** How a granted token is renewed. */
export interface Renewal {
  credential_id: string;
  provider: string;
  client_credential_id: string;
  token_origin: string;
  sealed: string;
  generation: number;
  issued_at: Date;
  due_at: Date | null;
  expires_at: Date | null;
  refused: string | null;
}

type Generation = Pick<Renewal, 'credential_id' | 'generation'>;
type NewRenewal = Omit<Renewal, 'generation' | 'refused'>;

export async function insert(tx: Transaction, wanted: NewRenewal): Promise<void> {
  await tx.query(
    `insert into credential_renewals
       (credential_id, organization_id, provider, client_credential_id, token_origin, sealed, issued_at, due_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      wanted.credential_id,
      tx.scope.organizationId,
      wanted.provider,
      wanted.client_credential_id,
      wanted.token_origin,
      wanted.sealed,
      wanted.issued_at,
      wanted.due_at,
      wanted.expires_at,
    ],
  );
}

export async function find(tx: Reader, credentialId: string): Promise<Renewal | undefined> {
  const [renewal] = await tx.query<Renewal>(
    'select * from credential_renewals where organization_id = $1 and credential_id = $2',
    [tx.scope.organizationId, credentialId],
  );
  return renewal;
}

/** Lists when each token is renewed. */
export async function listDue(
  tx: Reader,
  credentialIds: readonly string[],
): Promise<Pick<Renewal, 'credential_id' | 'due_at'>[]> {
  return await tx.query<Pick<Renewal, 'credential_id' | 'due_at'>>(
    `select credential_id, due_at from credential_renewals
     where organization_id = $1 and credential_id = any($2)`,
    [tx.scope.organizationId, credentialIds],
  );
}

/** Lets one process renew a token for some seconds. @returns false while another one does, or if the token was renewed */
export async function claim(
  tx: Transaction,
  { credential_id: id, generation }: Generation,
  seconds: number,
): Promise<boolean> {
  const rows = await tx.query(
    `with claimed as (
       update credential_renewals set claimed_until = now() + interval '${seconds} seconds'
       where organization_id = $1 and credential_id = $2 and generation = $3
         and (claimed_until is null or claimed_until < now())
       returning 1
     ) select * from claimed`,
    [tx.scope.organizationId, id, generation],
  );
  return rows.length > 0;
}

/** Ends a claim. */
export async function release(
  tx: Transaction,
  { credential_id: id, generation }: Generation,
): Promise<void> {
  await tx.query(
    `update credential_renewals set claimed_until = null
     where organization_id = $1 and credential_id = $2 and generation = $3`,
    [tx.scope.organizationId, id, generation],
  );
}

/** Stores what renews the next token. @returns false if the renewal was replaced meanwhile */
export async function storeNext(
  tx: Transaction,
  { credential_id: id, generation }: Generation,
  next: Pick<Renewal, 'sealed' | 'issued_at' | 'due_at' | 'expires_at'>,
): Promise<boolean> {
  const rows = await tx.query(
    `with stored as (
         update credential_renewals
         set sealed = $4, generation = generation + 1, issued_at = $5, due_at = $6, expires_at = $7, claimed_until = null
         where organization_id = $1 and credential_id = $2 and generation = $3
         returning 1
       ) select * from stored`,
    [
      tx.scope.organizationId,
      id,
      generation,
      next.sealed,
      next.issued_at,
      next.due_at,
      next.expires_at,
    ],
  );
  return rows.length > 0;
}

/** Ends a renewal that the provider refuses. @returns false if it was replaced meanwhile */
export async function refuse(
  tx: Transaction,
  { credential_id: id, generation }: Generation,
  refused: string,
): Promise<boolean> {
  const rows = await tx.query(
    `with ended as (
         update credential_renewals set refused = $4, claimed_until = null
         where organization_id = $1 and credential_id = $2 and generation = $3
         returning 1
       ) select * from ended`,
    [tx.scope.organizationId, id, generation, refused],
  );
  return rows.length > 0;
}

/** Puts a renewal off until a time, at most until the token expires. */
export async function putOff(
  tx: Transaction,
  { credential_id: id, generation }: Generation,
  until: Date,
): Promise<void> {
  await tx.query(
    `update credential_renewals set due_at = least(expires_at, $4)
       where organization_id = $1 and credential_id = $2 and generation = $3`,
    [tx.scope.organizationId, id, generation, until],
  );
}

export async function deleteOfCredential(tx: Transaction, credentialId: string): Promise<void> {
  await tx.query(
    'delete from credential_renewals where organization_id = $1 and credential_id = $2',
    [tx.scope.organizationId, credentialId],
  );
}
