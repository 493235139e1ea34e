import { operations, type OperationId } from '#contract';
import { IncludedFiles } from '#document';
import { suggestName } from '@onefold/mapping';
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
import { domainOf } from './manifest.js';
import { idsOf } from './operation-names.js';
import { isOffered, type ProviderEntry, providerEntries } from './provider-entries.js';
import type { DocumentSource } from './source.js';
import { documentNames } from './visible-names.js';

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
): [CompiledProvider, ...CompiledProvider[]] {
  const reader = new DocumentReader(text, readFile, undefined, undefined, onText);
  const files = new IncludedFiles(reader, ['operations'], (name, place) =>
    reader.part(place, name),
  );
  const compiled = compileDocument(reader, files, functions);
  files.finish();
  return compiled as [CompiledProvider, ...CompiledProvider[]];
}

/** Compiles a document that describes one provider. @throws MappingError with every error, at its line and column */
export function compileProvider(text: string, readFile?: ReadFile): CompiledProvider {
  return compileProviders(text, readFile)[0];
}

function compileDocument(
  reader: DocumentReader,
  files: IncludedFiles<DocumentReader>,
  functions: ClientFunctions | undefined,
): CompiledProvider[] {
  const source = files.value as unknown as DocumentSource;
  const entries = providerEntries(reader, source);
  checkConfigurations(reader, source);
  const mappings = new Map(
    Object.keys(source.mappings ?? {}).map((name) => [name, reader.mapping(['mappings', name])]),
  );
  const budgets = compileBudgets(reader, source);
  const plain: CompileContext = { reader, source, functions, mappings, budgets, calls: new Map() };
  const context: CompileContext = { ...plain, calls: compileSharedCalls(plain) };
  const compiled = new Map<OperationId, CompiledOperation>();
  for (const [id, operation] of Object.entries(source.operations)) {
    const own = { ...context, reader: files.ownerOf(['operations', id]) };
    if (checkId(own.reader, entries, ['operations', id]))
      compiled.set(id as OperationId, compileOperation(own, ['operations', id], id, operation));
  }
  checkUnsupported(context, entries);
  const reads = Object.entries(source.reads ?? {}).map(([id, read]) => {
    const operation = { action: 'read' as const, resource: id, ...read };
    return [id, compileOperation(context, ['reads', id], id, operation)] as const;
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
    reads: new Map<string, CompiledOperation>([...compiled, ...reads]),
    mappings: new Map([...mappings].flatMap(([name, one]) => (one ? [[name, one] as const] : []))),
  };
  return entries.map(({ type, place, source: own }) => ({
    ...shared,
    source: own,
    ...compileBaseUrl(context, place),
    webhooks: canHaveWebhooks(type) ? webhooks : undefined,
    verify: place.length === 0 ? verify : [...verify, ...compileVerifications(context, place)],
    operations: new Map([...compiled].filter(([id]) => Object.hasOwn(own.operations, id))),
  }));
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
