import type { Transaction } from '../transaction.js';

/** A sign-on in progress. @template Identity what the identity provider said about the person */
export interface SignOnRow<Identity> {
  id: string;
  sso_id: string;
  browser_hash: string;
  sealed: string | null;
  return_to: string | null;
  return_state: string | null;
  identity: Identity | null;
}

export interface NewSignOn {
  id: string;
  ssoId: string;
  browserHash: string;
  remoteAddress: string;
  sealed: string | null;
  returnTo: string | null;
  returnState: string | null;
}

export async function deleteExpired(tx: Transaction, now: Date): Promise<void> {
  await tx.query('delete from sso_sign_ons where organization_id = $1 and expires_at <= $2', [
    tx.scope.organizationId,
    now,
  ]);
}

/** Counts the sign-ons of the organization, and those from an address. */
export async function count(
  tx: Transaction,
  remoteAddress: string,
): Promise<{ ofAddress: number; all: number }> {
  const [open] = await tx.query<{ mine: string; all: string }>(
    `select count(*) filter (where remote_address = $2) as mine, count(*) as all
     from sso_sign_ons where organization_id = $1`,
    [tx.scope.organizationId, remoteAddress],
  );
  return { ofAddress: Number(open?.mine), all: Number(open?.all) };
}

export async function insert(
  tx: Transaction,
  wanted: NewSignOn,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await tx.query(
    `insert into sso_sign_ons (id, organization_id, sso_id, browser_hash, remote_address, sealed, return_to, return_state, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      wanted.id,
      tx.scope.organizationId,
      wanted.ssoId,
      wanted.browserHash,
      wanted.remoteAddress,
      wanted.sealed,
      wanted.returnTo,
      wanted.returnState,
      now,
      expiresAt,
    ],
  );
}

/** Finds a sign-on that waits for its response, and counts the attempt. */
export async function countAttempt<Identity>(
  tx: Transaction,
  id: string,
  { now, maxAttempts }: { now: Date; maxAttempts: number },
): Promise<SignOnRow<Identity> | undefined> {
  const [found] = await tx.query<SignOnRow<Identity>>(
    `with opened as (
       update sso_sign_ons set attempts = attempts + 1
       where organization_id = $1 and id = $2 and answered_at is null and expires_at > $3 and attempts < $4
       returning *
     ) select * from opened`,
    [tx.scope.organizationId, id, now, maxAttempts],
  );
  return found;
}

/** Marks a sign-on as answered. @returns false if it was before, or has expired */
export async function close(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const [rows] = await tx.query<unknown[]>(
    `with closed as (
       update sso_sign_ons set answered_at = $3
       where organization_id = $1 and id = $2 and answered_at is null and expires_at > $3 returning id
     ) select array_agg(id) as ids from closed having count(*) > 0`,
    [tx.scope.organizationId, id, now],
  );
  return rows !== undefined;
}

/** Stores the identity of the response, and the hash of the code of its browser. */
export async function setIdentity(
  tx: Transaction,
  id: string,
  { codeHash, expiresAt, identity }: { codeHash: string; expiresAt: Date; identity: object },
): Promise<void> {
  await tx.query(
    `update sso_sign_ons set code_hash = $3, expires_at = $4, identity = $5 where organization_id = $1 and id = $2`,
    [tx.scope.organizationId, id, codeHash, expiresAt, JSON.stringify(identity)],
  );
}

/** Stores the hash of the code of a page, which has no browser's cookie. */
export async function setPageCode(
  tx: Transaction,
  id: string,
  { codeHash, expiresAt }: { codeHash: string; expiresAt: Date },
): Promise<void> {
  await tx.query(
    `update sso_sign_ons set code_hash = $3, expires_at = $4, browser_hash = '' where organization_id = $1 and id = $2`,
    [tx.scope.organizationId, id, codeHash, expiresAt],
  );
}

/** Finds the sign-on of a code, and locks it. */
export async function lockByCode<Identity>(
  tx: Transaction,
  { codeHash, browserHash, now }: { codeHash: string; browserHash: string; now: Date },
): Promise<(SignOnRow<Identity> & { identity: Identity }) | undefined> {
  const [found] = await tx.query<SignOnRow<Identity> & { identity: Identity }>(
    `select * from sso_sign_ons
     where organization_id = $1 and code_hash = $2 and browser_hash = $3 and expires_at > $4
     for update`,
    [tx.scope.organizationId, codeHash, browserHash, now],
  );
  return found;
}

export async function remove(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from sso_sign_ons where organization_id = $1 and id = $2', [
    tx.scope.organizationId,
    id,
  ]);
}

/** Deletes all sign-ons at an identity provider. */
export async function deleteOfSso(tx: Transaction, ssoId: string): Promise<void> {
  await tx.query('delete from sso_sign_ons where organization_id = $1 and sso_id = $2', [
    tx.scope.organizationId,
    ssoId,
  ]);
}

/** Links an identity to a member, unless it is linked. */
export async function linkIdentity(
  tx: Transaction,
  {
    ssoId,
    subject,
    memberId,
    now,
  }: { ssoId: string; subject: string; memberId: string; now: Date },
): Promise<void> {
  await tx.query(
    `insert into sso_identities (sso_id, subject, organization_id, member_id, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [ssoId, subject, tx.scope.organizationId, memberId, now],
  );
}

/** Returns the id of the member of an identity. */
export async function findLinkedMember(
  tx: Transaction,
  ssoId: string,
  subject: string,
): Promise<string | undefined> {
  const [found] = await tx.query<{ member_id: string }>(
    'select member_id from sso_identities where organization_id = $1 and sso_id = $2 and subject = $3',
    [tx.scope.organizationId, ssoId, subject],
  );
  return found?.member_id;
}

/** Deletes all identities of an identity provider. */
export async function deleteIdentities(tx: Transaction, ssoId: string): Promise<void> {
  await tx.query('delete from sso_identities where organization_id = $1 and sso_id = $2', [
    tx.scope.organizationId,
    ssoId,
  ]);
}
