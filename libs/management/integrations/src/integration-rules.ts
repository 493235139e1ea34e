import { categories, forbidden, type ManagementSchemas, reaches } from '#contract';
import { fault } from '#management/core';
import type { Account, IntegrationPoint, Transaction } from '#store';

/** The category of a provider id, which begins with it. @throws ApiError 400 */
export function categoryOf(providerType: string): string {
  const category = providerType.split('_')[0] ?? '';
  if (categories.has(category)) return category;
  throw fault('/provider_config/type', 'names no provider', {
    value: providerType,
    remediation: 'GET /v1/capabilities/providers lists them; an id begins with its category.',
  });
}

/** A caller that is limited to some categories makes no integration it could not see. @throws ApiError 403 */
export function checkReach({ scope }: Transaction, account: Account, category: string): void {
  if (reaches(scope.accounts, account, category)) return;
  throw forbidden(
    `the token does not reach integrations of ${category}`,
    'Choose a provider of a category it reaches, or use another token.',
  );
}

/** `ticketing_mock_ticketing` is "Mock Ticketing": what a provider is called until its document says more. */
export function fullnameOf(providerType: string): string {
  return providerType
    .split('_')
    .slice(1)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/**
 * "validation of allowed providers": an integration of a point takes a provider the point allows in the account's environment.
 * @throws ApiError 400
 */
export function checkAllowed(
  point: IntegrationPoint,
  account: Account,
  providerType: string,
): void {
  const allowed = point.environments[account.environment] ?? [];
  if (point.connector !== categoryOf(providerType))
    throw fault(
      '/provider_config/type',
      `the integration point "${point.name}" is for ${point.connector}`,
      {
        value: providerType,
      },
    );
  if (allowed.includes('*') || allowed.includes(providerType)) return;
  throw fault(
    '/provider_config/type',
    `the integration point "${point.name}" does not allow it in the environment ${account.environment}`,
    {
      value: providerType,
      remediation:
        allowed.length === 0 ? 'It allows none there.' : `It allows ${allowed.join(', ')}.`,
    },
  );
}

/** The bridge group an integration goes through, by its id; labels may match groups that are made later. @throws ApiError 400 */
export async function checkBridgeSelector(
  tx: Transaction,
  account: Account,
  selector: ManagementSchemas['BridgeSelector'] | null | undefined,
): Promise<ManagementSchemas['BridgeSelector'] | null> {
  if (selector?.type !== 'id') return selector ?? null;
  const bridge = await tx.bridges.find(selector.value, { accountId: account.id });
  if (bridge === undefined)
    throw fault('/bridge_selector/value', 'names no bridge group of the account', {
      value: selector.value,
      remediation: `GET /v1/bridges/${account.id} lists them.`,
    });
  return { type: 'id', value: bridge.id };
}
