import { type ManagementSchemas, servedSchemas } from '#contract';
import type { ProviderCatalogue } from '#providers';
import { customProviderQueries, type IntegrationPoint, type Transaction } from '#store';
import { integrationPointView } from './integration-point-view.js';

/** The parts of a point that name providers. */
type Body = Pick<
  ManagementSchemas['CreateIntegrationPointRequest'],
  'environments' | 'mappings' | 'additional_mappings'
>;

/**
 * Returns the ids of providers that a point may name: those of the contract, of the installation and of the organization's documents, which
 * may not be deleted until the transaction ends. What the point names already it may keep, or nothing else of it could be changed once an
 * installation drops a provider.
 * @param before the point as it is; absent for a new one
 */
export async function knownProviders(
  tx: Transaction,
  { manifests }: ProviderCatalogue,
  body: Body,
  before: IntegrationPoint | undefined,
): Promise<ReadonlySet<string>> {
  const known = new Set([...contractProviders(), ...manifests.map(({ type }) => type)]);
  if (before !== undefined)
    for (const id of providersIn(integrationPointView(before))) known.add(id);
  if (providersIn(body).every((id) => known.has(id))) return known;
  await customProviderQueries.lockAll(tx);
  for (const id of await customProviderQueries.listProviders(tx)) known.add(id);
  return known;
}

function providersIn({ environments, mappings, additional_mappings: fields }: Body): string[] {
  const named = [...(mappings ?? []), ...(fields ?? [])].flatMap(({ providers }) => providers);
  return [...(environments.test ?? []), ...(environments.prod ?? []), ...named];
}

let contractIds: readonly string[] | undefined;

/** The ids of the contract, which a point may name before the installation has such a provider. */
function contractProviders(): readonly string[] {
  contractIds ??= servedSchemas<{ anyOf?: { enum?: string[] }[] }>('management')[
    'ProviderConfigId'
  ]?.anyOf?.flatMap((one) => one.enum ?? []);
  if (contractIds === undefined) throw new Error('the contract has no ids of providers');
  return contractIds;
}
