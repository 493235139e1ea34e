import { type ApiError } from '#contract';
import { fault } from '#management/core';
import {
  type CompiledDocument,
  compileDocument,
  type DocumentOptions,
  formatJson,
  MappingRunError,
  parseJson,
  type Value,
} from '@onefold/mapping';
import { sharedTemplate } from '#ocsf';
import type { ProviderCatalogue } from '#providers';
import type { Reader } from '#store';

/** A mapping of a chain, with its name in errors. */
export interface ChainStep {
  /** Name and version. */
  reference: string;
  name: string;
  document: CompiledDocument;
}

/** Separates the id of a built-in provider from one of its mappings; names of the organization's own mappings cannot contain it. */
const separator = '/';

/**
 * Finds the mappings of a chain: the organization's own by name or id, those of built-in providers by names such as
 * `ticketing_jira/ticket`.
 * @throws ApiError 400
 */
export async function findChain(
  tx: Reader,
  providers: ProviderCatalogue,
  references: readonly string[],
): Promise<ChainStep[]> {
  const chain: ChainStep[] = [];
  for (const [index, reference] of references.entries()) {
    if (reference.includes(separator)) {
      const document = await builtIn(providers, index, reference);
      chain.push({ reference, name: reference, document });
      continue;
    }
    const own = await tx.mappings.find(reference);
    if (own === undefined) throw unknownMapping(index, reference);
    chain.push({
      reference: `${own.name}:${own.version}`,
      name: own.name,
      document: compileDocument(own.data, { shared: sharedTemplate }),
    });
  }
  return chain;
}

async function builtIn(
  providers: ProviderCatalogue,
  index: number,
  reference: string,
): Promise<CompiledDocument> {
  const [type = '', ...rest] = reference.split(separator);
  const mappings = (await providers.find(type))?.mappings;
  const found = mappings?.get(rest.join(separator));
  if (found !== undefined) return found;
  throw fault(`/mappings/${index}`, 'is not a mapping of a built-in provider', {
    value: reference,
    remediation:
      mappings === undefined
        ? `Start with the id of a built-in provider: ${providers.manifests.map((one) => one.type).join(', ')}.`
        : `The mappings of ${type} are ${[...mappings.keys()].map((name) => `${type}${separator}${name}`).join(', ')}.`,
  });
}

/**
 * Runs documents one after the other on the data.
 * @param isRaw adds the data to the result, as `raw_data`
 * @throws ApiError 400 that names mapping and template
 */
export function applyChain(
  chain: readonly ChainStep[],
  data: Value,
  options?: DocumentOptions,
  isRaw = false,
): Record<string, unknown> {
  let value = data;
  for (const [index, { reference, name, document }] of chain.entries()) {
    const place = `/mappings/${index}`;
    try {
      const mapped = document.run(value, { ...options, name });
      if (mapped === undefined)
        throw fault(place, `the mapping ${reference} drops the record`, {
          remediation: 'It assigns deleted() to root; in a list the record would be left out.',
        });
      value = mapped.record;
    } catch (error) {
      if (!(error instanceof MappingRunError)) throw error;
      throw fault(place, `the mapping ${reference} failed: ${error.message}`, {
        remediation: 'Correct the template, or guard the expression with .catch() or .or().',
      });
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fault('/mappings', 'the result of the chain is not an object');
  const record = isRaw ? { ...value, raw_data: data } : value;
  return JSON.parse(formatJson(record)) as Record<string, unknown>;
}

/** The data with all digits of its numbers, which JSON.parse would round. */
export function exactData(rawBody: Uint8Array): Value {
  return (parseJson(Buffer.from(rawBody).toString()) as { data: Value }).data;
}

function unknownMapping(index: number, reference: string): ApiError {
  return fault(
    `/mappings/${index}`,
    reference === 'default:0'
      ? 'default:0 is the mapping of a provider, and no provider is given'
      : 'is not a mapping',
    {
      value: reference,
      remediation:
        'Use a name or id of GET /v1/mappings, or one of a built-in provider such as ticketing_jira/ticket.',
    },
  );
}
