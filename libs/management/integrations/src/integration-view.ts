import type { ManagementSchemas } from '#contract';
import { accountView, recordView } from '#management/core';
import { integrationPointView } from '#management/integration-points';
import type { Account, Integration, IntegrationPoint, Reader } from '#store';

import { maskFields } from './sealed-fields.js';

export type IntegrationBody = ManagementSchemas['Integration'];

/** Records that are expanded inside an integration. */
export interface Expanded {
  accounts?: ReadonlyMap<string, Account>;
  points?: ReadonlyMap<string, IntegrationPoint>;
}

/** An integration in responses. */
export function integrationView(
  integration: Integration,
  expanded: Expanded = {},
): IntegrationBody {
  const { providerConfig, webhookConfig } = maskFields(integration);
  const account = expanded.accounts?.get(integration.accountId);
  const point = expanded.points?.get(integration.integrationPointId ?? '');
  const optional = {
    integration_point_id: integration.integrationPointId,
    bridge_selector: integration.bridgeSelector,
    webhook_config: webhookConfig,
    mappings: integration.mappings,
    additional_mappings: integration.additionalMappings,
    scheduled_operations: integration.scheduledOperations,
    confirm_dangerous_actions: integration.confirmDangerousActions || null,
  };
  return {
    ...recordView(integration),
    refresh_token_id: integration.refreshTokenId,
    account_id: integration.accountId,
    category: integration.category as IntegrationBody['category'],
    provider_config: providerConfig as IntegrationBody['provider_config'],
    provider_fullname: integration.providerFullname,
    provider_type: integration.providerType,
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== null && value !== undefined),
    ) as object),
    ...(account ? { account: accountView(account) } : {}),
    ...(point ? { integration_point: integrationPointView(point) } : {}),
  };
}

/** Loads the records that `expand` names, once for all rows. */
export async function expand(
  tx: Reader,
  rows: readonly Integration[],
  wanted: readonly string[] | null | undefined,
): Promise<Expanded> {
  const all = new Set(wanted ?? []);
  const asks = (...names: string[]) => [...names, 'all'].some((name) => all.has(name));
  const byId = <T extends { id: string }>(list: readonly T[]) =>
    new Map(list.map((one) => [one.id, one]));
  return {
    ...(asks('account', 'accounts')
      ? { accounts: byId(await tx.accounts.byIds(rows.map(({ accountId }) => accountId))) }
      : {}),
    ...(asks('integration_point', 'integration_points')
      ? {
          points: byId(
            await tx.integrationPoints.byIds(
              rows.flatMap(({ integrationPointId: id }) => id ?? []),
            ),
          ),
        }
      : {}),
  };
}
