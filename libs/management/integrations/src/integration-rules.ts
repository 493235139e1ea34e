import { conflict, forbidden, reaches } from '#contract';
import { domainOf } from '#provider-document';
import { fault } from '#management/core';
import type { Account, IntegrationPoint, Transaction } from '#store';

/**
 * Refuses an integration that the caller could not access, because its token is limited to other domains.
 * @throws ApiError 403
 */
export function checkReach({ scope }: Transaction, account: Account, domain: string): void {
  if (reaches(scope.accounts, account, domain)) return;
  throw forbidden(
    `the token cannot access integrations of ${domain}`,
    'Choose a provider of a domain that it can access, or use another token.',
  );
}

/**
 * "validation of allowed providers": an integration of a point uses a provider that the point allows in the account's
 * environment.
 * @throws ApiError 400
 */
export function checkAllowed(
  point: IntegrationPoint,
  account: Account,
  providerType: string,
): void {
  const allowed = point.environments[account.environment] ?? [];
  if (point.connector !== domainOf(providerType))
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
        allowed.length === 0 ? 'It allows no provider there.' : `It allows ${allowed.join(', ')}.`,
    },
  );
}

/** Checks that a built-in integration point has no other integration: its events go to one sink. @throws ApiError 409 */
export async function checkOnlyOne(
  tx: Transaction,
  point: IntegrationPoint,
  id: string,
): Promise<void> {
  await tx.integrationPoints.getLocked(point.id); // two integrations that are created at once would not see each other
  const [other] = await tx.integrations.all({ integrationPointId: point.id });
  if (other === undefined || other.id === id) return;
  throw conflict(
    `the integration point "${point.name}" has the integration "${other.name}" (${other.id}) already`,
    'Change that one, or delete it first.',
  );
}
