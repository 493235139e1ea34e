import type { Integration } from '../kinds/integrations.js';
import type { Reader, Transaction } from '../transaction.js';

/** An integration by id and name. */
export interface NamedIntegration {
  id: string;
  name: string;
}

/** The columns of an integration that say where it sends its credentials. */
export interface SenderRow {
  account_id: string;
  category: string;
  bridge_selector: Integration['bridgeSelector'];
  provider_type: string;
  provider_config: Record<string, unknown>;
}

export async function countOfPoint(tx: Reader, integrationPointId: string): Promise<number> {
  const [used] = await tx.query<{ count: string }>(
    'select count(*) from integrations where organization_id = $1 and integration_point_id = $2',
    [tx.scope.organizationId, integrationPointId],
  );
  return Number(used?.count);
}

/** Lists the domain and the provider of all integrations, the oldest of each domain first. */
export async function listProviders(
  tx: Reader,
): Promise<{ id: string; category: string; provider_type: string }[]> {
  return await tx.query<{ id: string; category: string; provider_type: string }>(
    'select id, category, provider_type from integrations where organization_id = $1 order by category, created_at, id',
    [tx.scope.organizationId],
  );
}

/** Lists the names of up to three integrations of some providers. */
export async function listUsersOfProviders(
  tx: Reader,
  types: readonly string[],
): Promise<string[]> {
  const users = await tx.query<{ name: string }>(
    'select name from integrations where organization_id = $1 and provider_type = any ($2) limit 3',
    [tx.scope.organizationId, types],
  );
  return users.map(({ name }) => name);
}

/** Lists the names of up to three integrations and integration points that name a mapping in one of these ways. */
export async function listUsersOfMapping(
  tx: Reader,
  references: readonly string[],
): Promise<string[]> {
  const users = await tx.query<{ name: string }>(
    `select name from (select organization_id, name, mappings from integrations
       union all select organization_id, name, mappings from integration_points) used
     where organization_id = $1 and mappings is not null and mappings @> any($2::jsonb[]) limit 3`,
    [
      tx.scope.organizationId,
      references.map((reference) => JSON.stringify([{ mappings: [reference] }])),
    ],
  );
  return users.map(({ name }) => name);
}

/** Finds an integration of an account whose integration point does not allow its provider in an environment. */
export async function findDisallowed(
  tx: Reader,
  accountId: string,
  environment: string,
): Promise<{ integration: string; point: string } | undefined> {
  const [refused] = await tx.query<{ integration: string; point: string }>(
    `select i.name as integration, p.name as point
     from integrations i join integration_points p on p.id = i.integration_point_id
     where i.organization_id = $1 and i.account_id = $2
       and not coalesce(p.environments -> $3::text ?| array['*', i.provider_type], false)
     order by i.name limit 1`,
    [tx.scope.organizationId, accountId, environment],
  );
  return refused;
}

/** Lists the integrations of a provider with their configurations. */
export async function listSendersOfProvider(
  tx: Reader,
  type: string,
): Promise<Pick<SenderRow, 'account_id' | 'category' | 'provider_config'>[]> {
  return await tx.query<Pick<SenderRow, 'account_id' | 'category' | 'provider_config'>>(
    'select account_id, category, provider_config from integrations where organization_id = $1 and provider_type = $2',
    [tx.scope.organizationId, type],
  );
}

/** Lists the integrations of an account whose configuration contains the id of a credential. */
export async function listSendersOfCredential(
  tx: Reader,
  accountId: string,
  credentialId: string,
): Promise<Omit<SenderRow, 'account_id'>[]> {
  return await tx.query<Omit<SenderRow, 'account_id'>>(
    `select category, provider_type, provider_config, bridge_selector from integrations
     where organization_id = $1 and account_id = $2 and position($3 in provider_config::text) > 0`,
    [tx.scope.organizationId, accountId, credentialId],
  );
}

/** Lists the integrations of an account that select a bridge group by its id. */
export async function listUsersOfBridge(
  tx: Reader,
  { id, accountId }: { id: string; accountId: string },
): Promise<NamedIntegration[]> {
  return await tx.query<NamedIntegration>(
    `select id, name from integrations
       where organization_id = $1 and account_id = $2
         and bridge_selector @> jsonb_build_object('type', 'id', 'value', $3::text)
       order by name`,
    [tx.scope.organizationId, accountId, id],
  );
}

/** Lists the integrations that no bridge group of the account would have the labels of, if this one kept only the remaining ones. */
export async function listLosersOfLabels(
  tx: Reader,
  { id, accountId, labels }: { id: string; accountId: string; labels: readonly string[] },
  remaining: readonly string[],
): Promise<NamedIntegration[]> {
  return await tx.query(
    `select i.id, i.name from integrations i
     where i.organization_id = $1 and i.account_id = $2
       and i.bridge_selector ->> 'type' = 'labels' and $4::jsonb @> (i.bridge_selector -> 'value')
       and not $5::jsonb @> (i.bridge_selector -> 'value')
       and not exists (
         select 1 from bridges b
         where b.organization_id = $1 and b.account_id = $2 and b.id <> $3
           and to_jsonb(b.labels) @> (i.bridge_selector -> 'value'))
     order by i.name`,
    [tx.scope.organizationId, accountId, id, JSON.stringify(labels), JSON.stringify(remaining)],
  );
}

/** Remembers a message of a webhook. @returns false if it has come since a time */
export async function rememberMessage(
  tx: Transaction,
  integrationId: string,
  message: string,
  { now, forgottenAt }: { now: Date; forgottenAt: Date },
): Promise<boolean> {
  const stored = await tx.query(
    `with forgotten as (
         delete from hook_messages where integration_id = $1 and received_at < $5 and message <> $2
       ), stored as (
         insert into hook_messages (integration_id, message, organization_id, received_at)
         values ($1, $2, $3, $4) on conflict (integration_id, message) do update set received_at = excluded.received_at
           where hook_messages.received_at < $5
         returning 1
       ) select 1 from stored`,
    [integrationId, message, tx.scope.organizationId, now, forgottenAt],
  );
  return stored.length > 0;
}
