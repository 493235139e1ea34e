import type { Sealer, WrappedKey } from '#secrets';
import type { Transaction } from './transaction.js';

/** The owner of a data key. */
export interface KeyOwner {
  /** An account, or the organization where there is no account. */
  id: string;
  /** The domain that the sealed text is for; absent for what is for no single one. */
  domain?: string | undefined;
}

/** Lists the keys that wrap data keys of any organization, see {@link KeyInUse}. */
export const keysInUseQuery = `select id, null as domain from onefold_key_ids() as id
  union all select id, domain from onefold_domain_key_ids()`;

/**
 * The data key of an account, or of the organization where there is no account; made when it is first needed. Where domains have keys,
 * an account has a data key for each of them.
 */
export async function dataKey(
  tx: Transaction,
  sealer: Sealer,
  owner: string | KeyOwner,
  now: Date,
): Promise<WrappedKey> {
  const { id, domain: of } = typeof owner === 'string' ? { id: owner } : owner;
  const domain = sealer.sealingDomain(of);
  const known = await find(tx, id, domain);
  if (known !== undefined) return known;
  const row = [id, tx.scope.organizationId, sealer.createDataKey(domain), now];
  await (domain === undefined
    ? tx.query(
        'insert into data_keys (owner_id, organization_id, wrapped, created_at) values ($1, $2, $3, $4) on conflict do nothing',
        row,
      )
    : tx.query(
        `insert into domain_data_keys (owner_id, organization_id, wrapped, created_at, domain)
         values ($1, $2, $3, $4, $5) on conflict do nothing`,
        [...row, domain],
      ));
  const made = await find(tx, id, domain);
  if (made === undefined) throw new Error('the data key that was just made is not there');
  return made;
}

/** Shared with other calls, and not with a rotation: what it has replaced seals nothing any more, see rewrap(). */
async function find(
  tx: Transaction,
  ownerId: string,
  domain: string | undefined,
): Promise<WrappedKey | undefined> {
  const [row] = await (domain === undefined
    ? tx.query<{ wrapped: string }>('select wrapped from data_keys where owner_id = $1 for share', [
        ownerId,
      ])
    : tx.query<{ wrapped: string }>(
        'select wrapped from domain_data_keys where owner_id = $1 and domain = $2 for share',
        [ownerId, domain],
      ));
  return row?.wrapped;
}
