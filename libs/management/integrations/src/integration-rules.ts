import { categories, type ManagementSchemas, operations } from '#contract';
import { fault } from '#management/shared';
import { suggest } from '#query';
import type { Account, IntegrationPoint, Transaction } from '#store';

type Create = ManagementSchemas['CreateIntegrationRequest'];

/** The category of a provider id, which begins with it. @throws ApiError 400 */
export function categoryOf(providerType: string): string {
  const category = providerType.split('_')[0] ?? '';
  if (categories.has(category)) return category;
  throw fault('/provider_config/type', 'names no provider', {
    value: providerType,
    remediation: 'GET /v1/capabilities/providers lists them; an id begins with its category.',
  });
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

const builtIn = /^default:0$/;

/** Chains name operations of the category and mappings that exist. @throws ApiError 400 */
export async function checkMappings(
  tx: Transaction,
  category: string,
  { mappings, additional_mappings: additional }: Pick<Create, 'mappings' | 'additional_mappings'>,
): Promise<void> {
  const ids: string[] = [...operations.values()]
    .filter(({ group }) => group === category)
    .map(({ id }) => id);
  for (const [at, chain] of (mappings ?? []).entries()) {
    for (const [index, id] of chain.operation_ids.entries())
      if (!ids.includes(id))
        throw fault(`/mappings/${at}/operation_ids/${index}`, `is no operation of ${category}`, {
          value: id,
          remediation: suggest(id, Object.fromEntries(ids.map((one) => [one, { type: 'string' }]))),
        });
    for (const [index, reference] of chain.mappings.entries())
      if (!builtIn.test(reference) && !(await tx.mappings.find(reference)))
        throw fault(`/mappings/${at}/mappings/${index}`, 'names no mapping', {
          value: reference,
          remediation:
            'Use a name or id of GET /v1/mappings, or default:0 for the one the provider brings.',
        });
  }
  for (const [index, { source, literal }] of (additional ?? []).entries())
    if (!literal && source.trim() === '')
      throw fault(`/additional_mappings/${index}/source`, 'is empty', {
        remediation: 'Name the field of the provider the value comes from.',
      });
}
