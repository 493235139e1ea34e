import { operations, type OperationId } from '#contract';
import { IncludedFiles } from '#document';
import { type CompiledDocument, suggestName } from '@onefold/mapping';
import { checkConfigurations } from './check-configuration.js';
import type { ClientFunctions } from './client-function.js';
import type { CompileContext } from './compile-context.js';
import { compileBudgets } from './compile-budgets.js';
import { compileCredential } from './compile-credential.js';
import { compileErrors, compileOperation } from './compile-operation.js';
import { compileSharedCalls, failedQuery } from './compile-request.js';
import { compileVerifications } from './compile-step.js';
import { canHaveWebhooks, compileWebhooks } from './compile-webhooks.js';
import type { CompiledOperation, CompiledProvider } from './compiled-provider.js';
import { isOrigin } from './credential-addresses.js';
import {
  type CompiledQuery,
  DocumentReader,
  type OnText,
  type Path,
  type ReadFile,
} from './document-reader.js';
import { LazyMap } from './lazy-map.js';
import { domainOf } from './manifest.js';
import { idsOf } from './operation-names.js';
import { isOffered, type ProviderEntry, providerEntries } from './provider-entries.js';
import type { DocumentSource, OperationSource } from './source.js';
import { checkTranslations } from './translations.js';
import { documentNames } from './visible-names.js';

type OneOrMore = [CompiledProvider, ...CompiledProvider[]];

/**
 * Checks and compiles a provider document.
 * @param readFile returns the mapping files beside a built-in document
 * @param functions those of the `client.ts` beside a built-in document
 * @param onText is told about each expression, for lint
 * @returns the providers that it describes, one at least
 * @throws MappingError with every error, at its line and column
 */
export function compileProviders(
  text: string,
  readFile?: ReadFile,
  functions?: ClientFunctions,
  onText?: OnText,
): OneOrMore {
  const reader = new DocumentReader(text, readFile, undefined, undefined, onText);
  return compileDocument(reader, functions, { isLazy: false });
}

/**
 * Opens a document that was checked before, as built-in ones are: each operation and mapping is compiled when it is first read, which throws a
 * MappingError if it has an error after all.
 * @throws MappingError with the errors of its other parts
 */
export function openProviders(
  text: string,
  readFile: ReadFile,
  functions: ClientFunctions,
): OneOrMore {
  return compileDocument(new DocumentReader(text, readFile), functions, { isLazy: true });
}

/** Compiles a document that describes one provider. @throws MappingError with every error, at its line and column */
export function compileProvider(text: string, readFile?: ReadFile): CompiledProvider {
  return compileProviders(text, readFile)[0];
}

function compileDocument(
  reader: DocumentReader,
  functions: ClientFunctions | undefined,
  { isLazy }: { isLazy: boolean },
): OneOrMore {
  const files = new IncludedFiles(reader, ['operations'], (name, place) =>
    reader.part(place, name),
  );
  const source = files.value as unknown as DocumentSource;
  const partsOf = <K extends string, V>(keys: readonly K[], compile: (key: K) => V) => {
    if (!isLazy) return new Map(keys.map((key) => [key, compile(key)]));
    return new LazyMap(keys, (key) => {
      const compiled = compile(key);
      files.finish();
      return compiled;
    });
  };
  const entries = providerEntries(reader, source);
  checkConfigurations(reader, source);
  const mappings = partsOf(Object.keys(source.mappings ?? {}), (name) =>
    reader.mapping(['mappings', name]),
  );
  const budgets = compileBudgets(reader, source);
  const plain: CompileContext = { reader, source, functions, mappings, budgets, calls: new Map() };
  const context: CompileContext = { ...plain, calls: compileSharedCalls(plain) };
  const ownerOf = (id: string) => files.ownerOf(['operations', id]);
  const ids = Object.keys(source.operations).filter((id) =>
    checkId(ownerOf(id), entries, ['operations', id]),
  ) as OperationId[];
  const compiled = partsOf(ids, (id) =>
    compileOperation(
      { ...context, reader: ownerOf(id) },
      ['operations', id],
      id,
      source.operations[id] as OperationSource,
    ),
  );
  checkUnsupported(context, entries);
  const reads = partsOf(Object.keys(source.reads ?? {}), (id) => {
    const read = source.reads?.[id] as OperationSource;
    const operation = { action: 'read' as const, resource: id, ...read };
    return compileOperation(context, ['reads', id], id, operation);
  });
  const names = documentNames(source);
  const verify = compileVerifications(context, []);
  const webhooks = compileWebhooks(
    context,
    entries.map(({ type }) => type),
  );
  const shared = {
    headers: reader.template(['http', 'headers'], names.request),
    message: reader.query(['http', 'message'], names.response),
    limited: reader.query(['http', 'limited'], names.response),
    warnings: reader.query(['http', 'warnings'], names.response),
    retryAfter: reader.query(['http', 'retry', 'after'], names.response),
    addresses: compileAddresses(context),
    credentials: Object.keys(source.credentials ?? {}).map((slot) =>
      compileCredential(context, slot),
    ),
    errors: compileErrors(context, ['errors'], source.errors),
    reads: new LazyMap<string, CompiledOperation>(
      [...compiled.keys(), ...reads.keys()],
      (id) => (reads.get(id) ?? compiled.get(id as OperationId)) as CompiledOperation,
    ),
    mappings: mappings as ReadonlyMap<string, CompiledDocument>, // with errors, none is returned
  };
  const providers: CompiledProvider[] = entries.map(({ type, place, source: own }) => ({
    ...shared,
    source: own,
    ...compileBaseUrl(context, place),
    webhooks: canHaveWebhooks(type) ? webhooks : undefined,
    verify: place.length === 0 ? verify : [...verify, ...compileVerifications(context, place)],
    operations: new LazyMap(
      [...compiled.keys()].filter((id) => Object.hasOwn(own.operations, id)),
      (id) => compiled.get(id) as CompiledOperation,
    ),
  }));
  checkTranslations(reader, ['translations'], source.translations ?? [], providers);
  files.finish();
  return providers as OneOrMore;
}

function compileBaseUrl(
  { reader, source }: CompileContext,
  place: Path,
): Pick<CompiledProvider, 'baseUrl' | 'baseUrlPlace' | 'baseUrlReadsCredential'> {
  const own = [...place, 'base_url'];
  const at = place.length > 0 && reader.has(own) ? own : ['http', 'base_url'];
  const [, type = ''] = place as string[];
  const text = source.providers?.[type]?.base_url ?? source.http.base_url;
  return {
    baseUrl: reader.query(at, documentNames(source).credential) ?? failedQuery,
    baseUrlPlace: at.join('.'),
    baseUrlReadsCredential: String(text).includes('this.credential'),
  };
}

/** Compiles the origins that are queries; the others are constants. */
function compileAddresses({ reader, source }: CompileContext): CompiledQuery[] {
  const names = documentNames(source).configuration;
  return (source.http.origins ?? []).flatMap((origin, index) =>
    isOrigin(origin) ? [] : (reader.query(['http', 'origins', index], names) ?? []),
  );
}

/** Checks that operations with a reason for a 501 exist, and are not offered. */
function checkUnsupported(
  { reader, source }: CompileContext,
  entries: readonly ProviderEntry[],
): void {
  for (const id of Object.keys(source.unsupported ?? {}))
    if (checkId(reader, entries, ['unsupported', id]) && Object.hasOwn(source.operations, id))
      reader.keyFault(['unsupported', id], `the document offers "${id}"`);
  for (const entry of entries)
    for (const id of Object.keys(source.providers?.[entry.type]?.unsupported ?? {}))
      checkId(reader, [entry], [...entry.place, 'unsupported', id]);
}

/** Checks that an operation exists, and that one of the document's providers can offer it. */
function checkId(reader: DocumentReader, entries: readonly ProviderEntry[], place: Path): boolean {
  const id = String(place.at(-1));
  const known = operations.get(id as OperationId);
  const types = entries.map(({ type }) => type);
  const domains = [...new Set(types.map(domainOf))];
  const [domain = ''] = domains;
  if (known?.side !== 'connector') {
    reader.keyFault(
      place,
      `there is no operation "${id}"`,
      suggestName(id, idsOf(domain)) ?? `The operations of ${domain} begin with ${domain}_.`,
    );
    return false;
  }
  if (types.some((type) => isOffered(type, id))) return true;
  reader.keyFault(
    place,
    `"${id}" is an operation of ${known.group}, the provider is one of ${domains.join(' and ')}`,
    `A provider whose id begins with custom may have operations of every domain.`,
  );
  return false;
}
