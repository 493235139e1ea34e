import { suggestName } from '#mapping';
import { sendsFile } from './check-files.js';
import { findFunction } from './check-function.js';
import type { CompileContext } from './compile-context.js';
import type { CompiledCall, CompiledStep, CompiledVerification } from './compiled-provider.js';
import { type CompiledQuery, type Path } from './document-reader.js';
import { readPath } from './path-template.js';
import type { CallSource, OperationSource, StepSource } from './source.js';

/** Stands for a query that could not be compiled. The reader has its error, and a document with errors never runs. */
export const failedQuery: CompiledQuery = () => null;

/** Compiles a step of an operation. @param index its position among the steps */
export function compileStep(
  context: CompileContext,
  place: Path,
  operation: OperationSource,
  index: number,
): CompiledStep {
  const { reader } = context;
  const source = operation.steps[index] as StepSource;
  checkStep(context, place, source);
  const call = compileCall(context, place, source);
  const until = reader.query([...place, 'poll', 'until']);
  return {
    ...call,
    name: source.name ?? (operation.steps.length === 1 ? 'call' : `step${index + 1}`),
    when: reader.query([...place, 'when']),
    each: reader.query([...place, 'each']),
    concurrency: source.concurrency ?? 4,
    encoding: source.encoding ?? 'json',
    part: source.part,
    sendsFile: sendsFile(source),
    answer: source.answer ?? (call.method === 'DELETE' ? 'none' : 'json'),
    accept: new Set(source.accept ?? []),
    repeatable: source.repeatable ?? !['POST', 'PATCH'].includes(call.method),
    url: reader.query([...place, 'url']),
    run: findFunction(reader, place, source, context.functions),
    anonymous: source.anonymous ?? false,
    checks: (source.checks ?? []).map(({ status }, at) => ({
      status,
      that: reader.query([...place, 'checks', at, 'that']) ?? failedQuery,
      message: reader.query([...place, 'checks', at, 'message']) ?? failedQuery,
    })),
    poll:
      until === undefined
        ? undefined
        : {
            until,
            failed: reader.query([...place, 'poll', 'failed']),
            everyMs: (source.poll?.every ?? 2) * 1000,
          },
  };
}

function checkStep({ reader }: CompileContext, place: Path, source: StepSource): void {
  const { path, url, function: named } = source;
  if ([path, url, named].filter((one) => one !== undefined).length !== 1)
    reader.fault(place, 'a step has one of path, url and function');
  if (source.each !== undefined && source.poll !== undefined)
    reader.fault([...place, 'poll'], 'a step with each cannot wait', 'Wait in a step of its own.');
}

/** Compiles the requests that try a configuration. @param above place of the provider in a document of several */
export function compileVerifications(context: CompileContext, above: Path): CompiledVerification[] {
  const { reader, source } = context;
  const [, type = ''] = above as string[];
  const { verify = [] } = above.length === 0 ? source : (source.providers?.[type] ?? {});
  return verify.map((one, index) => {
    const place = [...above, 'verify', index];
    return {
      ...compileCall(context, place, one),
      needs: one.needs,
      passes: reader.query([...place, 'passes']),
      message: reader.query([...place, 'message']),
    };
  });
}

function compileCall(
  { reader, source: { credentials = {} } }: CompileContext,
  place: Path,
  source: CallSource,
): CompiledCall {
  const { credential } = source;
  if (credential !== undefined && !Object.hasOwn(credentials, credential))
    reader.fault(
      [...place, 'credential'],
      `there is no credential "${credential}"`,
      suggestName(credential, Object.keys(credentials)),
    );
  return {
    place: place.join('.'),
    method: source.method ?? 'GET',
    path: readPath(reader, [...place, 'path'], source.path ?? ''),
    query: reader.template([...place, 'query']),
    headers: reader.template([...place, 'headers']),
    body: reader.template([...place, 'body']),
    credential,
  };
}
