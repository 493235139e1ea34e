import type { ResolvedMapping } from '#bus';
import { type ApiError } from '#contract';
import { compileYaml, fault, faults } from '#management/core';
import { type CompiledDocument, compileDocument, suggestName } from '@onefold/mapping';
import { sharedTemplate } from '#ocsf';
import type { ProviderCatalogue } from '#providers';
import type { Reader } from '#store';
import { builtInMapping, resolveMapping } from './resolve-mapping.js';

/** A mapping of a chain, with its name in errors. */
export interface ChainStep {
  /** Name and version; of a document that is not stored, its name. */
  reference: string;
  name: string;
  document: CompiledDocument;
}

/** Documents that are not stored, by name. */
export type UnsavedDocuments = Readonly<Record<string, string>>;

/** Separates the id of a built-in provider from one of its mappings; names of the organization's own mappings cannot contain it. */
const separator = '/';

/**
 * Finds the mappings of a chain: those of the request by name, the organization's own by name or id, those of built-in
 * providers by names such as `ticketing_jira/ticket`.
 * @throws ApiError 400
 */
export async function findChain(
  tx: Reader,
  providers: ProviderCatalogue,
  references: readonly string[],
  documents: UnsavedDocuments,
): Promise<ChainStep[]> {
  checkUsed(references, documents);
  const unsaved = compileUnsaved(documents);
  const chain: ChainStep[] = [];
  for (const [index, reference] of references.entries()) {
    const given = unsaved.get(reference);
    if (given !== undefined) {
      chain.push({ reference, name: reference, document: given });
      continue;
    }
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

/**
 * Finds the mappings of a chain as connectors run them: `default:0`, those of the request by name, and the organization's own by name or
 * id. @throws ApiError 400
 */
export async function resolveMappings(
  tx: Reader,
  references: readonly string[],
  documents: UnsavedDocuments,
): Promise<ResolvedMapping[]> {
  checkUsed(references, documents);
  compileUnsaved(documents);
  const chain: ResolvedMapping[] = [];
  for (const [index, reference] of references.entries()) {
    const data = Object.hasOwn(documents, reference) ? documents[reference] : undefined;
    const found = data === undefined ? await resolveMapping(tx, reference) : { reference, data };
    if (found === undefined) throw unknownMapping(index, reference);
    chain.push(found);
  }
  return chain;
}

/** @throws ApiError 400 with every error of the first document that has one */
function compileUnsaved(documents: UnsavedDocuments): Map<string, CompiledDocument> {
  return new Map(
    Object.entries(documents).map(([name, data]) => [
      name,
      compileYaml(() => compileDocument(data, { shared: sharedTemplate }), pointerOf(name)),
    ]),
  );
}

/** The place of a document in the request. */
export function pointerOf(name: string): string {
  return `/documents/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** @throws ApiError 400 for documents that the chain does not name */
function checkUsed(references: readonly string[], documents: UnsavedDocuments): void {
  const unused = Object.keys(documents).filter((name) => !references.includes(name));
  if (unused.length === 0) return;
  throw faults(
    unused.map((name) => ({
      location: 'body',
      pointer: pointerOf(name),
      message: 'is in no place of mappings',
      remediation: suggestName(name, references) ?? 'Add its name to mappings, or leave it out.',
    })),
  );
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

function unknownMapping(index: number, reference: string): ApiError {
  return fault(
    `/mappings/${index}`,
    reference === builtInMapping
      ? 'default:0 is the mapping of a provider, and no provider is given'
      : 'is not a mapping',
    {
      value: reference,
      remediation:
        'Use a name or id of GET /v1/mappings, one of a built-in provider such as ticketing_jira/ticket, or one of documents.',
    },
  );
}
