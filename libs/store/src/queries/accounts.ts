import { ownAccountId } from '../own-account.js';
import type { Transaction } from '../transaction.js';

/** Creates the account of the organization's own integrations, unless it exists. */
export async function openOwn(tx: Transaction, fullname: string, now: Date): Promise<void> {
  const { organizationId } = tx.scope;
  await tx.query(
    `insert into accounts (id, organization_id, name, fullname, environment, labels, created_at, updated_at)
       values ($1, $2, $1, $3, 'prod', '{}', $4, $4) on conflict do nothing`,
    [ownAccountId(organizationId), organizationId, fullname, now],
  );
}

/** Creates an integration point for sinks of that account, unless it exists. */
export async function openOwnPoint(
  tx: Transaction,
  {
    id,
    name,
    environments,
    now,
  }: { id: string; name: string; environments: Record<'test' | 'prod', string[]>; now: Date },
): Promise<void> {
  await tx.query(
    `insert into integration_points
           (id, organization_id, name, fullname, connector, environments, built_in, created_at, updated_at)
         values ($1, $2, $3, $3, 'sink', $4, true, $5, $5) on conflict do nothing`,
    [id, tx.scope.organizationId, name, JSON.stringify(environments), now],
  );
}
