import { suggestName } from '@onefold/mapping';
import { findBudgets } from './compile-budgets.js';
import type { CompileContext } from './compile-context.js';
import type { CompiledCheck, CompiledRequest } from './compiled-provider.js';
import type { CompiledQuery, DocumentReader, Path } from './document-reader.js';
import { readPath } from './path-template.js';
import type { CheckSource, RequestSource, SharedCallSource } from './source.js';
import { documentNames, type VisibleNames } from './visible-names.js';

/** Stands for a query that could not be compiled. The reader has its error, and a document with errors never runs. */
export const failedQuery: CompiledQuery = () => null;

/** Compiles the calls that others use by name. Each is compiled once, whatever uses it. */
export function compileSharedCalls(context: CompileContext): Map<string, CompiledRequest> {
  const { calls = {} } = context.source;
  const { shared, sharedResponse } = documentNames(context.source);
  return new Map(
    Object.entries(calls).map(([name, source]) => {
      const place = ['calls', name];
      if (source.path !== undefined && source.url !== undefined)
        context.reader.fault(place, 'a call can have only one of path and url');
      return [name, compileRequest(context, place, source, shared, sharedResponse)];
    }),
  );
}

/**
 * Compiles a request of the document. A key of the request itself wins over that of the call it uses; checks of both hold.
 * @param names those that its expressions can read
 * @param ofResponse those that expressions about its response can read
 */
export function compileRequest(
  context: CompileContext,
  place: Path,
  source: RequestSource,
  names: VisibleNames,
  ofResponse: VisibleNames,
): CompiledRequest {
  const { reader } = context;
  checkCredential(context, place, source);
  const used = findShared(context, place, source);
  const whole = wholeRequest(context, source);
  const method = whole.method ?? 'GET';
  const hasAddress = source.path !== undefined || source.url !== undefined;
  return {
    place: place.join('.'),
    method,
    input: reader.template([...place, 'with'], names),
    path:
      used === undefined || source.path !== undefined
        ? readPath(reader, [...place, 'path'], names)
        : used.path,
    url: reader.query([...place, 'url'], names, 'value') ?? (hasAddress ? undefined : used?.url),
    query: reader.template([...place, 'query'], names) ?? used?.query,
    headers: reader.template([...place, 'headers'], names) ?? used?.headers,
    body: reader.template([...place, 'body'], names) ?? used?.body,
    credential: whole.credential,
    budgets: findBudgets(context.budgets, method, whole.path),
    encoding: whole.encoding ?? 'json',
    answer: whole.answer ?? (method === 'DELETE' ? 'none' : 'json'),
    accept: new Set(whole.accept ?? []),
    repeatable: whole.repeatable ?? !['POST', 'PATCH'].includes(method),
    anonymous: whole.anonymous ?? false,
    checks: [...(used?.checks ?? []), ...compileChecks(reader, place, source, ofResponse)],
    result: reader.query([...place, 'result'], ofResponse) ?? used?.result,
  };
}

/** The keys of a request with those of the call that it uses. */
export function wholeRequest<Source extends RequestSource>(
  { source: { calls = {} } }: CompileContext,
  source: Source,
): Source & SharedCallSource {
  const used =
    source.use !== undefined && Object.hasOwn(calls, source.use) ? calls[source.use] : {};
  return { ...used, ...source };
}

/** Compiles the checks of an operation or a request. */
export function compileChecks(
  reader: DocumentReader,
  place: Path,
  { checks = [] }: { checks?: readonly CheckSource[] },
  names: VisibleNames,
): CompiledCheck[] {
  return checks.map(({ status }, at) => ({
    status,
    that: reader.query([...place, 'checks', at, 'that'], names) ?? failedQuery,
    message: reader.query([...place, 'checks', at, 'message'], names) ?? failedQuery,
  }));
}

function findShared(
  { reader, calls }: CompileContext,
  place: Path,
  { use, with: input }: RequestSource,
): CompiledRequest | undefined {
  if (use === undefined) {
    if (input !== undefined)
      reader.keyFault([...place, 'with'], 'it uses no call', 'Add use: the name of one of calls.');
    return undefined;
  }
  if (!calls.has(use))
    reader.fault(
      [...place, 'use'],
      `there is no call "${use}"`,
      suggestName(use, calls.keys()) ?? 'Add it under calls.',
    );
  return calls.get(use);
}

function checkCredential(
  { reader, source: { credentials = {} } }: CompileContext,
  place: Path,
  { credential }: RequestSource,
): void {
  if (credential === undefined || Object.hasOwn(credentials, credential)) return;
  reader.fault(
    [...place, 'credential'],
    `there is no credential "${credential}"`,
    suggestName(credential, Object.keys(credentials)),
  );
}
