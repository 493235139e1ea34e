import { sendsFile } from './check-files.js';
import { findFunction } from './check-function.js';
import type { CompileContext } from './compile-context.js';
import { checkStepPage, compilePage } from './compile-page.js';
import { compileRequest, wholeRequest } from './compile-request.js';
import type { CompiledStep, CompiledVerification } from './compiled-provider.js';
import type { Path } from './document-reader.js';
import type { OperationSource, StepSource } from './source.js';
import { documentNames, type OperationNames } from './visible-names.js';

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
  const request = compileRequest(context, place, source, names, ofResponse);
  const until = reader.query([...place, 'poll', 'until'], ofResponse);
  return {
    ...request,
    name: stepName(operation, index),
    when: reader.query([...place, 'when'], operationNames.condition(index)),
    each: reader.query([...place, 'each'], operationNames.condition(index)),
    concurrency: source.concurrency ?? 4,
    part: source.part,
    sendsFile: sendsFile(source),
    page: compilePage(reader, [...place, 'page'], source.page, operationNames.page(index)),
    cut: reader.query([...place, 'cut'], ofResponse),
    atEnd: source.at_end ?? false,
    optional:
      source.optional === true
        ? () => true
        : reader.query([...place, 'optional'], { ...names, status: [] }),
    fillsRows: fillsRows(operation, index),
    run: findFunction(reader, place, source, context.functions),
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

/** True if `rows` reads the result of a step, and neither another step nor the page does. */
function fillsRows({ steps, page, rows = '' }: OperationSource, index: number): boolean {
  const name = stepName({ steps }, index);
  // An expression may also read all steps, or one whose name it computes.
  const reads = new RegExp(`\\bsteps(?:\\.${name}\\b|(?!\\.\\w))`);
  const others = steps.filter((_step, at) => at !== index);
  return reads.test(String(rows)) && !reads.test(JSON.stringify([...others, page ?? null]));
}

/** The name under which later expressions find the result of a step. */
export function stepName({ steps }: Pick<OperationSource, 'steps'>, index: number): string {
  return steps[index]?.name ?? (steps.length === 1 ? 'call' : `step${index + 1}`);
}

function checkStep(
  context: CompileContext,
  place: Path,
  source: StepSource,
  { page }: OperationSource,
): void {
  const { reader } = context;
  const hasOwn = [source.path, source.url, source.function].some((one) => one !== undefined);
  const { path, url, function: named } = hasOwn ? source : wholeRequest(context, source);
  if ([path, url, named].filter((one) => one !== undefined).length !== 1)
    reader.fault(place, 'a step must have exactly one of path, url and function');
  if (source.each !== undefined && source.poll !== undefined)
    reader.fault([...place, 'poll'], 'a step with each cannot wait', 'Wait in a step of its own.');
  if (source.page !== undefined) checkStepPage(reader, place, source.page);
  if (source.page !== undefined && (named !== undefined || source.poll !== undefined))
    reader.fault([...place, 'page'], 'a step with a page can neither wait nor be a function');
  if (source.page !== undefined && source.cut !== undefined)
    reader.keyFault([...place, 'cut'], 'a step with a page is read to its end', 'Remove cut.');
  if (source.at_end === true && (page === undefined || source.each !== undefined || source.poll))
    reader.fault(
      [...place, 'at_end'],
      'at_end is for a step of a paged list that neither repeats nor waits',
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
      ...compileRequest(context, place, one, configuration, response),
      needs: one.needs,
      passes: reader.query([...place, 'passes'], response),
      message: reader.query([...place, 'message'], response),
    };
  });
}
