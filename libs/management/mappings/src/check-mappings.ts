import { operations } from '#contract';
import { suggestName } from '@onefold/mapping';
import type { Transaction } from '#store';
import { fault } from '#management/core';
import { resolveMapping } from './resolve-mapping.js';

/** Mappings of integrations and integration points; only points name providers. */
export interface Chains {
  mappings?:
    | readonly {
        mappings: readonly string[];
        operation_ids: readonly string[];
        providers?: readonly string[];
      }[]
    | null
    | undefined;
  additional_mappings?:
    | readonly {
        source: string;
        literal?: boolean | null | undefined;
        providers?: readonly string[];
      }[]
    | null
    | undefined;
}

/**
 * Checks that chains name operations of the domain and mappings that exist.
 * @param known ids of the providers that a point may name
 * @throws ApiError 400
 */
export async function checkMappings(
  tx: Transaction,
  domain: string,
  { mappings, additional_mappings: additional }: Chains,
  known: ReadonlySet<string> = new Set(),
): Promise<void> {
  const ids: string[] = [...operations.values()]
    .filter(({ group }) => group === domain)
    .map(({ id }) => id);
  for (const [at, chain] of (mappings ?? []).entries()) {
    checkProviders(`/mappings/${at}/providers`, domain, chain.providers, known);
    for (const [index, id] of chain.operation_ids.entries())
      if (!ids.includes(id))
        throw fault(`/mappings/${at}/operation_ids/${index}`, `is not an operation of ${domain}`, {
          value: id,
          remediation:
            suggestName(id, ids) ??
            `The operations of ${domain} begin with ${domain}_; the API reference lists them.`,
        });
    for (const [index, reference] of chain.mappings.entries())
      if ((await resolveMapping(tx, reference)) === undefined)
        throw fault(`/mappings/${at}/mappings/${index}`, 'is not the name or id of a mapping', {
          value: reference,
          remediation:
            'Use a name or id of GET /v1/mappings, or default:0 for the mapping of the provider.',
        });
  }
  for (const [index, { source, literal, providers }] of (additional ?? []).entries()) {
    checkProviders(`/additional_mappings/${index}/providers`, domain, providers, known);
    if (!literal && source.trim() === '')
      throw fault(`/additional_mappings/${index}/source`, 'is empty', {
        remediation: 'Name the provider field that the value comes from.',
      });
  }
}

/** Checks that providers are of the domain, and that there are such; `*` stands for all of them. @throws ApiError 400 */
export function checkProviders(
  pointer: string,
  domain: string,
  providers: readonly string[] = [],
  known: ReadonlySet<string>,
): void {
  for (const [index, provider] of providers.entries()) {
    if (provider === '*') continue;
    if (!provider.startsWith(`${domain}_`))
      throw fault(`${pointer}/${index}`, `is not a provider of the connector ${domain}`, {
        value: provider,
        remediation:
          'GET /v1/capabilities/connectors lists the providers of each connector; * allows all.',
      });
    if (!known.has(provider))
      throw fault(`${pointer}/${index}`, 'is not the id of a provider', {
        value: provider,
        remediation: `${suggestName(provider, ofDomain(domain, known)) ?? `GET /v1/capabilities/providers lists those of ${domain}.`} A document of yours has its id once POST /v1/customs has stored it.`,
      });
  }
}

function ofDomain(domain: string, known: ReadonlySet<string>): string[] {
  return [...known].filter((id) => id.startsWith(`${domain}_`));
}
