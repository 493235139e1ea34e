import type { Reader, Transaction } from '../transaction.js';

/** Returns the id of the person whose name is a mail address. */
export async function findByMail(tx: Transaction, email: string): Promise<string | undefined> {
  const [found] = await tx.query<{ id: string }>(
    `select id from members where organization_id = $1 and type = 'personal' and lower(name) = lower($2)`,
    [tx.scope.organizationId, email],
  );
  return found?.id;
}

/** Lists members who can act now, the oldest of each binding of roles. */
export async function listBindings(
  tx: Transaction,
  now: Date,
): Promise<{ id: string; role_binding: string[] }[]> {
  return await tx.query<{ id: string; role_binding: string[] }>(
    `select distinct on (role_binding) id, role_binding from members
      where organization_id = $1 and expires > $2 and (state not in ('disabled', 'locked') or locked_until is not null)
      order by role_binding, created_at`,
    [tx.scope.organizationId, now],
  );
}

/** Restores the state of members whose lock has expired. */
export async function releaseLocks(tx: Transaction, now: Date): Promise<void> {
  await tx.query(
    `update members set state = state_before_lock, state_before_lock = null, locked_until = null
      where organization_id = $1 and locked_until <= $2`,
    [tx.scope.organizationId, now],
  );
}

/** Removes a role from the members who have it. */
export async function removeRole(tx: Transaction, role: string): Promise<void> {
  await tx.query(
    `update members set role_binding = array_remove(role_binding, $2)
        where organization_id = $1 and $2 = any(role_binding)`,
    [tx.scope.organizationId, role],
  );
}

/** Renames a role in the bindings of members and tokens. */
export async function renameRole(tx: Transaction, role: string, name: string): Promise<void> {
  for (const table of ['members', 'tokens'])
    await tx.query(
      `update ${table} set role_binding = array_replace(role_binding, $2, $3)
        where organization_id = $1 and $2 = any(role_binding)`,
      [tx.scope.organizationId, role, name],
    );
}

/** Lists the hashes of a member's passwords, the current one first. */
export async function listPasswords(
  tx: Reader,
  memberId: string,
  maxPasswords: number,
): Promise<string[]> {
  const rows = await tx.query<{ hash: string }>(
    `select hash from member_secrets where organization_id = $1 and member_id = $2
      order by position desc limit $3`,
    [tx.scope.organizationId, memberId, maxPasswords],
  );
  return rows.map(({ hash }) => hash);
}

/** Stores a hash as the member's password, and keeps only the newest ones. */
export async function insertPassword(
  tx: Transaction,
  memberId: string,
  { hash, now, maxPasswords }: { hash: string; now: Date; maxPasswords: number },
): Promise<void> {
  const mine = [tx.scope.organizationId, memberId];
  await tx.query(
    'insert into member_secrets (organization_id, member_id, hash, created_at) values ($1, $2, $3, $4)',
    [...mine, hash, now],
  );
  await tx.query(
    `delete from member_secrets where organization_id = $1 and member_id = $2 and position not in
       (select position from member_secrets where organization_id = $1 and member_id = $2
         order by position desc limit $3)`,
    [...mine, maxPasswords],
  );
}
