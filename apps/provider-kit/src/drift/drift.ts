import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ProviderFolder } from '../folders.js';
import { compareDescriptions, describeDrift, type Drift } from './compare.js';
import { type Elements, type OpenApi, operationsOf, readOpenApi } from './elements.js';
import { readGraphQl } from './graphql-elements.js';
import { callsOperation, callsWithout, usesOf } from './uses.js';

/** Where the vendor publishes its description, as the evidence of a document says. */
export interface DescriptionSource {
  package: string;
  file?: string;
}

/** The npm package with the vendor's description. @returns undefined where the document names none */
export function descriptionSourceOf(folder: ProviderFolder): DescriptionSource | undefined {
  const { proof } = parse(folder.readDocument()) as { proof?: unknown };
  const evidence = Array.isArray(proof) ? (proof as Partial<DescriptionSource>[]) : [];
  return evidence.find((one): one is DescriptionSource => one.package !== undefined);
}

/** The cut of the vendor's description in a folder, which its fake is held against. @returns undefined without one */
export function earlierDescriptionOf(folder: ProviderFolder): URL | undefined {
  return ['openapi.json', 'schema.graphql']
    .map((name) => new URL(`description/${name}`, folder.url))
    .find((url) => existsSync(url));
}

/**
 * Compares what a folder uses of a vendor's API with a description of it.
 * @param newest a file with an OpenAPI description (JSON or YAML) or a GraphQL schema
 * @param earlier the description that the document was written from
 * @throws Error for a file that is neither
 */
export function findDrift(folder: ProviderFolder, newest: URL, earlier?: URL): Drift {
  const uses = usesOf(folder);
  const after = readDescription(newest);
  const before = earlier && readDescription(earlier);
  if (typeof after === 'string') {
    return compareDescriptions(
      uses,
      typeof before === 'string' ? readGraphQl(before) : undefined,
      readGraphQl(after),
    );
  }
  // The cut has what the document calls, for what it does not have is a fault of the specs over the fake.
  const wanted = new Set(
    typeof before === 'object'
      ? operationsOf(before)
      : operationsOf(after).filter((one) => callsOperation(uses, one)),
  );
  const read = (description: OpenApi): Elements => readOpenApi(description, wanted);
  if (typeof before === 'object') return compareDescriptions(uses, read(before), read(after));
  const undescribed = callsWithout(uses, operationsOf(after));
  return { ...compareDescriptions(uses, undefined, read(after)), undescribed };
}

/** Lines of a report on a folder; one that says so where there is no difference. */
export function reportDrift(folder: ProviderFolder, drift: Drift): string[] {
  const lines = describeDrift(drift);
  const { name } = folder;
  return lines.length > 0 ? lines.map((line) => `${name}: ${line}`) : [`${name}: no difference`];
}

/** Reads an OpenAPI description, or the text of a GraphQL schema. */
function readDescription(url: URL): OpenApi | string {
  const text = readFileSync(url, 'utf8');
  if (url.pathname.endsWith('.graphql')) return text;
  const description = parse(text) as Partial<OpenApi> | null;
  if (typeof description?.paths !== 'object')
    throw new Error(
      `${url.pathname} is neither an OpenAPI description, which has paths, nor a .graphql file`,
    );
  return { ...description, paths: description.paths };
}
