import type { SelectQueryBuilder } from 'typeorm';
import { ApiError } from '#contract';
import { Organization, organizationGone } from '../organization.js';
import type { Reader, Transaction } from '../transaction.js';

export interface NewOrganization {
  name: string;
  fullname: string;
  parentId: string | undefined;
  tokenId: string;
  contact: string | null;
  replyTo: string | null;
  picture: string | null;
  now: Date;
}

/** Creates the organization of the scope. @returns false if another one has the name */
export async function insert(tx: Transaction, wanted: NewOrganization): Promise<boolean> {
  const { name, fullname, parentId, tokenId, contact, replyTo, picture, now } = wanted;
  const made = await tx.query(
    `insert into organizations (id, name, fullname, organization_type, parent_id, refresh_token_id,
         contact, reply_to, picture, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) on conflict (name) do nothing returning id`,
    [
      tx.scope.organizationId,
      name,
      fullname,
      parentId === undefined ? 'root' : 'standard',
      parentId ?? null,
      tokenId,
      contact,
      replyTo,
      picture,
      now,
    ],
  );
  return made.length > 0;
}

/** Lists the sub-organizations by name. */
export async function listChildren(tx: Reader): Promise<Organization[]> {
  return await children(tx).orderBy('o.name').getMany();
}

/** Finds a sub-organization by id or name. */
export async function findChild(tx: Reader, idOrName: string): Promise<Organization | undefined> {
  const found = await children(tx)
    .andWhere('(o.id = :key or o.name = :key)', { key: idOrName })
    .getOne();
  return found ?? undefined;
}

/** Deletes a sub-organization with everything in it. */
export async function deleteChild(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from organizations where id = $1 and parent_id = $2', [
    id,
    tx.scope.organizationId,
  ]);
}

/** Lists the organization of the scope and its sub-organizations. */
export async function listWithChildren(tx: Reader): Promise<Organization[]> {
  return await tx.manager
    .createQueryBuilder(Organization, 'o')
    .where('(o.id = :id or o.parentId = :id)', { id: tx.scope.organizationId })
    .getMany();
}

/** The organization of the scope, and the address that its mails are sent from; null where there is no mail server. */
export async function getWithSender(
  tx: Reader,
): Promise<{ organization: Organization; sender: string | null }> {
  const { entities, raw } = await tx.manager
    .createQueryBuilder(Organization, 'o')
    .addSelect('onefold_mail_sender()', 'sender')
    .where('o.id = :id', { id: tx.scope.organizationId })
    .getRawAndEntities<{ sender: string | null }>();
  const [organization] = entities;
  if (organization === undefined) throw new ApiError(401, organizationGone);
  return { organization, sender: raw[0]?.sender ?? null };
}

/** Stores the organization of the scope. */
export async function save(tx: Transaction, changed: Organization): Promise<void> {
  await tx.manager.save(Organization, changed);
}

function children(tx: Reader): SelectQueryBuilder<Organization> {
  return tx.manager
    .createQueryBuilder(Organization, 'o')
    .where('o.parentId = :parentId', { parentId: tx.scope.organizationId });
}
