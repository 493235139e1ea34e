import type { Store } from '../store.js';
import { wholeOrganization } from '../scope.js';
import type { Transaction } from '../transaction.js';

type Json = Record<string, unknown>;

/** A secret with the rows of its records, as JSON. */
export interface SecretRow {
  token_id: string;
  kind: 'access' | 'refresh';
  token: Json | null;
  member: Json | null;
  integration: Json | null;
  roles: Json[] | null;
  organization: Json;
}

/** Finds the records of a secret in one round trip: each gateway asks once a second for each token in use. */
export async function findSecret(
  store: Store,
  organizationId: string,
  hash: string,
): Promise<SecretRow | undefined> {
  const [row] = await store.select<SecretRow>(
    wholeOrganization(organizationId),
    `
  select s.token_id, s.kind, to_jsonb(t) as token, to_jsonb(m) as member, to_jsonb(i) as integration,
    to_jsonb(o) as organization,
    (select jsonb_agg(to_jsonb(r)) from roles r where r.organization_id = s.organization_id
       and r.name = any(t.role_binding || coalesce(m.role_binding, '{}'))) as roles
  from token_secrets s
    join organizations o on o.id = s.organization_id
    left join tokens t on t.id = s.token_id
    left join members m on m.id = t.member_id
    left join integrations i on i.id = t.owner_id and t.owner_type = 'integration'
  where s.hash = $1 ->> 0 and s.organization_id = $1 ->> 1`,
    [hash, organizationId],
  );
  return row;
}

/** Stores the hash of a secret of a token. */
export async function insertSecret(
  tx: Transaction,
  {
    hash,
    tokenId,
    kind,
    now,
  }: { hash: string; tokenId: string; kind: SecretRow['kind']; now: Date },
): Promise<void> {
  await tx.query(
    'insert into token_secrets (hash, token_id, organization_id, kind, created_at) values ($1, $2, $3, $4, $5)',
    [hash, tokenId, tx.scope.organizationId, kind, now],
  );
}

/** Marks the secrets of a token as spent, except those in use. */
export async function spendSecrets(
  tx: Transaction,
  tokenId: string,
  inUse: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(
    'update token_secrets set spent_at = $2 where token_id = $1 and spent_at is null and hash <> all($3)',
    [tokenId, now, inUse],
  );
}

/** Returns when a token ends, or the member of a session. */
export async function findEnd(tx: Transaction, tokenId: string): Promise<Date | undefined> {
  const [maker] = await tx.query<{ ends: Date }>(
    `select case when t.token_type = 'logon' then m.expires else t.expires end as ends
       from tokens t left join members m on m.id = t.member_id
       where t.organization_id = $1 and t.id = $2`,
    [tx.scope.organizationId, tokenId],
  );
  return maker?.ends;
}

/** Deletes a token. @returns false if another transaction has deleted it */
export async function end(tx: Transaction, tokenId: string): Promise<boolean> {
  const ended = await tx.query(
    'with ended as (delete from tokens where organization_id = $1 and id = $2 returning id) select id from ended',
    [tx.scope.organizationId, tokenId],
  );
  return ended.length > 0;
}

/** Deletes the sessions of a member, except one. */
export async function endSessions(
  tx: Transaction,
  memberId: string,
  exceptId: string,
): Promise<void> {
  await tx.query(
    `delete from tokens where organization_id = $1 and member_id = $2 and token_type = 'logon' and id <> $3`,
    [tx.scope.organizationId, memberId, exceptId],
  );
}

/** Deletes expired sessions of a member, and the oldest ones above a number. */
export async function endOldSessions(
  tx: Transaction,
  memberId: string,
  { now, maxSessions }: { now: Date; maxSessions: number },
): Promise<void> {
  await tx.query(
    `delete from tokens where organization_id = $1 and member_id = $2 and token_type = 'logon' and (expires <= $3 or id not in
       (select id from tokens where organization_id = $1 and member_id = $2 and token_type = 'logon'
         order by created_at desc limit $4))`,
    [tx.scope.organizationId, memberId, now, maxSessions],
  );
}

/** Deletes the sessions of members that an identity provider signed in. */
export async function endSessionsOfSso(tx: Transaction, ssoId: string): Promise<void> {
  await tx.query(
    `delete from tokens where organization_id = $1 and signed_in_by = 'sso'
       and member_id in (select member_id from sso_identities where organization_id = $1 and sso_id = $2)`,
    [tx.scope.organizationId, ssoId],
  );
}

/** Deletes the tokens of all integrations of an account. */
export async function deleteOfAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(
    `delete from tokens where organization_id = $1 and owner_type = 'integration'
         and owner_id in (select id from integrations where account_id = $2)`,
    [tx.scope.organizationId, accountId],
  );
}

export async function deleteOfOwner(tx: Transaction, ownerId: string): Promise<void> {
  await tx.query('delete from tokens where organization_id = $1 and owner_id = $2', [
    tx.scope.organizationId,
    ownerId,
  ]);
}

/** Deletes the tokens of the organization that act for a member. */
export async function deleteOfMember(tx: Transaction, memberId: string): Promise<void> {
  await tx.query(
    `delete from tokens where organization_id = $1 and member_id = $2 and owner_type = 'organization'`,
    [tx.scope.organizationId, memberId],
  );
}

export async function deleteWithRole(tx: Transaction, role: string): Promise<void> {
  await tx.query('delete from tokens where organization_id = $1 and $2 = any(role_binding)', [
    tx.scope.organizationId,
    role,
  ]);
}
