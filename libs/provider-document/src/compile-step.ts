import { suggestName } from '@onefold/mapping';
import { sendsFile } from './check-files.js';
import { findFunction } from './check-function.js';
import type { CompileContext } from './compile-context.js';
import { checkStepPage, compilePage } from './compile-page.js';
import type {
  CompiledCall,
  CompiledCheck,
  CompiledStep,
  CompiledVerification,
} from './compiled-provider.js';
import type { CompiledQuery, DocumentReader, Path } from './document-reader.js';
import { readPath } from './path-template.js';
import type { CallSource, CheckSource, OperationSource, StepSource } from './source.js';
import { documentNames, type OperationNames, type VisibleNames } from './visible-names.js';

/** Stands for a query that could not be compiled. The reader has its error, and a document with errors never runs. */
export const failedQuery: CompiledQuery = () => null;

/** Compiles a step of an operation. @param index its position among the steps */
export function compileStep(
  context: CompileContext,
  place: Path,
  operation: OperationSource,
  index: number,
  operationNames: OperationNames,
): CompiledStep {
  const { reader } = context;
  const source = operation.steps[index] as StepSource;
  checkStep(context, place, source, operation);
  const names = operationNames.request(index);
  const ofResponse = operationNames.response(index);
  const call = compileCall(context, place, source, names);
  const until = reader.query([...place, 'poll', 'until'], ofResponse);
  return {
    ...call,
    name: stepName(operation, index),
    when: reader.query([...place, 'when'], operationNames.condition(index)),
    each: reader.query([...place, 'each'], operationNames.condition(index)),
    concurrency: source.concurrency ?? 4,
    encoding: source.encoding ?? 'json',
    part: source.part,
    sendsFile: sendsFile(source),
    answer: source.answer ?? (call.method === 'DELETE' ? 'none' : 'json'),
    accept: new Set(source.accept ?? []),
    repeatable: source.repeatable ?? !['POST', 'PATCH'].includes(call.method),
    page: compilePage(reader, [...place, 'page'], source.page, operationNames.page(index)),
    cut: reader.query([...place, 'cut'], ofResponse),
    atEnd: source.at_end ?? false,
    url: reader.query([...place, 'url'], names, 'value'),
    run: findFunction(reader, place, source, context.functions),
    anonymous: source.anonymous ?? false,
    checks: compileChecks(reader, place, source, ofResponse),
    poll:
      until === undefined
        ? undefined
        : {
            until,
            failed: reader.query([...place, 'poll', 'failed'], ofResponse),
            everyMs: (source.poll?.every ?? 2) * 1000,
          },
  };
}

/** Compiles the checks of an operation or a step. */
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

/** The name under which later expressions find the result of a step. */
export function stepName({ steps }: OperationSource, index: number): string {
  return steps[index]?.name ?? (steps.length === 1 ? 'call' : `step${index + 1}`);
}

function checkStep(
  { reader }: CompileContext,
  place: Path,
  source: StepSource,
  { page }: OperationSource,
): void {
  const { path, url, function: named } = source;
  if ([path, url, named].filter((one) => one !== undefined).length !== 1)
    reader.fault(place, 'a step has one of path, url and function');
  if (source.each !== undefined && source.poll !== undefined)
    reader.fault([...place, 'poll'], 'a step with each cannot wait', 'Wait in a step of its own.');
  if (source.page !== undefined) checkStepPage(reader, place, source.page);
  if (source.page !== undefined && (named !== undefined || source.poll !== undefined))
    reader.fault([...place, 'page'], 'a step with a page neither waits nor is a function');
  if (source.page !== undefined && source.cut !== undefined)
    reader.keyFault([...place, 'cut'], 'a step with a page is read to its end', 'Remove cut.');
  if (source.at_end === true && (page === undefined || source.each !== undefined || source.poll))
    reader.fault(
      [...place, 'at_end'],
      'a step at the end belongs to a paged list, and neither repeats nor waits',
    );
}

/** Compiles the requests that try a configuration. @param above place of the provider in a document of several */
export function compileVerifications(context: CompileContext, above: Path): CompiledVerification[] {
  const { reader, source } = context;
  const { configuration, response } = documentNames(source);
  const [, type = ''] = above as string[];
  const { verify = [] } = above.length === 0 ? source : (source.providers?.[type] ?? {});
  return verify.map((one, index) => {
    const place = [...above, 'verify', index];
    return {
      ...compileCall(context, place, one, configuration),
      needs: one.needs,
      answer: one.answer ?? 'json',
      accept: new Set(one.accept ?? []),
      passes: reader.query([...place, 'passes'], response),
      message: reader.query([...place, 'message'], response),
    };
  });
}

function compileCall(
  { reader, source: { credentials = {} } }: CompileContext,
  place: Path,
  source: CallSource,
  names: VisibleNames,
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
    path: readPath(reader, [...place, 'path'], names),
    query: reader.template([...place, 'query'], names),
    headers: reader.template([...place, 'headers'], names),
    body: reader.template([...place, 'body'], names),
    credential,
  };
}
