import { type OperationId, operations } from '#contract';
import type { DocumentReader, Path } from './document-reader.js';
import { domainOf, manifestsOf } from './manifest.js';
import type { DocumentSource, ProviderSource } from './source.js';

const requiredForAuthorization = [
  'credential',
  'authorize_url',
  'token_url',
  'scopes',
  'source',
] as const;

/** One provider of a document. */
export interface ProviderEntry {
  type: string;
  /** Place of its own keys; empty for the only provider of a document. */
  place: Path;
  /** Its part of the document: the keys that all providers share, and its own. */
  source: ProviderSource;
}

/** Splits a document into its providers, each with the operations of its domain. */
export function providerEntries(reader: DocumentReader, document: DocumentSource): ProviderEntry[] {
  const { providers, authorization: _common, proof: _proof, ...shared } = document;
  checkIds(reader, document);
  checkAuthorizations(reader, document);
  return manifestsOf(document).map((manifest) => {
    const { type, fullname, vendor, description, availability } = manifest;
    const own = providers?.[type];
    const place = own === undefined ? [] : ['providers', type];
    const offered = Object.entries(shared.operations).filter(
      ([id]) => isOffered(type, id) && own?.unsupported?.[id] === undefined,
    );
    if (own !== undefined && offered.length === 0)
      reader.fault(
        place,
        `the document has no operation of ${domainOf(type)}`,
        'A provider offers the operations of its domain, the beginning of its id.',
      );
    const { proof, setup, authorization } = manifest;
    const configuration = joinSchemas(shared.configuration, own?.configuration);
    return {
      type,
      place,
      source: {
        ...shared,
        provider: type,
        fullname,
        vendor,
        description,
        availability,
        ...(proof === undefined ? {} : { proof }),
        ...(setup === undefined ? {} : { setup }),
        ...(authorization === undefined ? {} : { authorization }),
        ...(configuration === undefined ? {} : { configuration }),
        ...(shared.unsupported === undefined && own?.unsupported === undefined
          ? {}
          : { unsupported: { ...shared.unsupported, ...own?.unsupported } }),
        operations: Object.fromEntries(offered),
      },
    };
  });
}

/** An authorization is whole where what its provider says and what the document says are put together. */
function checkAuthorizations(reader: DocumentReader, document: DocumentSource): void {
  const { providers, authorization: shared } = document;
  const missing = (...parts: DocumentSource['authorization'][]) =>
    requiredForAuthorization.filter((key) => parts.every((part) => part?.[key] === undefined));
  const report = (path: Path, keys: string[]) => {
    for (const key of keys)
      reader.fault(
        path,
        `the key "${key}" is missing`,
        'Several providers of a document may have it once, in authorization beside providers.',
      );
  };
  if (providers === undefined) {
    if (shared !== undefined) report(['authorization'], missing(shared));
    return;
  }
  const own = Object.entries(providers).filter(([, entry]) => entry.authorization !== undefined);
  for (const [type, { authorization }] of own)
    report(['providers', type, 'authorization'], missing(shared, authorization));
  if (shared !== undefined && own.length === 0)
    reader.fault(
      ['authorization'],
      'no provider of the document has an authorization of its own',
      'Each provider at which people authorize names at least its scopes.',
    );
}

/** A provider whose id begins with `custom` offers the operations of every domain. */
export function isOffered(type: string, id: string): boolean {
  const domain = domainOf(type);
  return domain === 'custom' || operations.get(id as OperationId)?.group === domain;
}

function checkIds(reader: DocumentReader, { provider, providers, fullname }: DocumentSource): void {
  if (providers === undefined) {
    if (provider === undefined)
      reader.fault(
        [],
        'the key "provider" is missing',
        'Or describe several providers of one vendor under "providers".',
      );
    if (fullname === undefined) reader.fault([], 'the key "fullname" is missing');
    return;
  }
  if (provider !== undefined)
    reader.fault(['provider'], 'a document has either provider or providers');
  for (const [type, entry] of Object.entries(providers))
    if ((entry.fullname ?? fullname) === undefined)
      reader.fault(['providers', type], 'the key "fullname" is missing');
}

/** Joins two JSON Schemas of objects. */
function joinSchemas(
  shared: Record<string, unknown> | undefined,
  own: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  if (shared === undefined || own === undefined) return own ?? shared;
  const properties = { ...(shared['properties'] as object), ...(own['properties'] as object) };
  const required = [shared['required'], own['required']].flatMap((one) => (one as string[]) ?? []);
  return { ...shared, ...own, properties, required };
}
