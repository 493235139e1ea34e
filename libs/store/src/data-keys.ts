import type { Sealer, WrappedKey } from '#secrets';
import type { Transaction } from './transaction.js';

/** The data key of an account, or of the organization where there is no account; made when it is first needed. */
export async function dataKey(
  tx: Transaction,
  sealer: Sealer,
  ownerId: string,
  now: Date,
): Promise<WrappedKey> {
  // Shared with other calls, and not with a rotation: what it has replaced seals nothing any more, see rewrap().
  const find = () =>
    tx.query<{ wrapped: string }>('select wrapped from data_keys where owner_id = $1 for share', [
      ownerId,
    ]);
  const [known] = await find();
  if (known) return known.wrapped;
  await tx.query(
    'insert into data_keys (owner_id, organization_id, wrapped, created_at) values ($1, $2, $3, $4) on conflict do nothing',
    [ownerId, tx.scope.organizationId, sealer.createDataKey(), now],
  );
  const [made] = await find();
  if (made === undefined) throw new Error('the data key that was just made is not there');
  return made.wrapped;
}
