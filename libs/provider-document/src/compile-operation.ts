import { operations, type OperationId } from '#contract';
import { type CompiledDocument, suggestName } from '@onefold/mapping';
import { answersFile, checkFiles, sendsFile } from './check-files.js';
import { checkOutcome } from './check-outcome.js';
import type { CompileContext } from './compile-context.js';
import { compilePage, findPagedStep } from './compile-page.js';
import { compileChecks, failedQuery } from './compile-request.js';
import { compileSettle } from './compile-settle.js';
import { compileStep, stepName } from './compile-step.js';
import type { CompiledError, CompiledOperation, CompiledResult } from './compiled-provider.js';
import type { DocumentReader, Path } from './document-reader.js';
import { actionOf, resourceOf } from './operation-names.js';
import type { ErrorSource, OperationSource } from './source.js';
import { documentNames, OperationNames } from './visible-names.js';

/** Compiles an operation, or a read that other operations use. */
export function compileOperation(
  context: CompileContext,
  place: Path,
  id: string,
  source: OperationSource,
): CompiledOperation {
  const { reader } = context;
  const action = source.action ?? actionOf(id);
  const stepNames = source.steps.map((_step, index) => stepName(source, index));
  const visible = new OperationNames(context.source, id, source, action, stepNames);
  const steps = source.steps.map((_step, index) =>
    compileStep(context, [...place, 'steps', index], source, index, visible),
  );
  const known = operations.get(id as OperationId);
  const hasNoRecord = answersFile(source) || known?.response.kind === 'none';
  checkOutcome(reader, place, id, source, action, hasNoRecord);
  checkFiles(reader, place, source, known);
  for (const [index, name] of stepNames.entries())
    if (stepNames.indexOf(name) < index)
      reader.fault([...place, 'steps', index], `there are two steps "${name}"`);
  const response = source.response ?? findReader(context, source.then?.operation)?.response;
  return {
    id,
    place: place.join('.'),
    source,
    resource: source.resource ?? resourceOf(id),
    action,
    request: findMapping(context, [...place, 'request'], source.request),
    response: findMapping(context, [...place, 'response'], response),
    current: checkReader(context, [...place, 'current'], source.current),
    page: compilePage(reader, [...place, 'page'], source.page, visible.page()),
    pagedStep: findPagedStep(reader, [...place, 'page', 'step'], source, stepNames),
    checks: compileChecks(reader, place, source, visible.request(0)),
    steps,
    readsAnswers: JSON.stringify([source, context.source.calls]).includes('answers'),
    rows: compileResult(reader, [...place, 'rows'], source.rows, visible),
    record: compileResult(reader, [...place, 'record'], source.record, visible),
    result: compileResult(reader, [...place, 'result'], source.result, visible),
    problems: compileResult(reader, [...place, 'problems'], source.problems, visible),
    file: reader.query([...place, 'file'], visible.response()),
    answersFile: answersFile(source),
    takesFile: source.steps.some(sendsFile),
    then: compileThen(context, [...place, 'then'], source, visible),
    settle: compileSettle(context, [...place, 'settle'], id, source, action),
    errors: compileErrors(context, [...place, 'errors'], source.errors),
  };
}

function compileResult(
  reader: DocumentReader,
  place: Path,
  text: OperationSource['rows'],
  visible: OperationNames,
): CompiledResult | undefined {
  const kind = place.at(-1) === 'result' ? 'query' : 'value';
  const query = reader.query(place, visible.request(), kind);
  if (query === undefined) return undefined;
  return { query, text: String(text).trim(), line: reader.line(place) ?? 1 };
}

export function compileErrors(
  { reader, source }: CompileContext,
  place: Path,
  sources: readonly ErrorSource[] = [],
): CompiledError[] {
  const { response } = documentNames(source);
  return sources.map(({ status }, index) => ({
    status,
    when: reader.query([...place, index, 'when'], response) ?? failedQuery,
    message: reader.query([...place, index, 'message'], response),
  }));
}

function compileThen(
  context: CompileContext,
  place: Path,
  { then }: OperationSource,
  visible: OperationNames,
): CompiledOperation['then'] {
  if (then === undefined) return undefined;
  const operation = checkReader(context, [...place, 'operation'], then.operation);
  if (operation === undefined) return undefined;
  return { operation, path: context.reader.template([...place, 'path'], visible.request()) };
}

/** Finds an operation or read of the document. */
function findReader({ source }: CompileContext, id = ''): OperationSource | undefined {
  const { operations, reads = {} } = source;
  if (Object.hasOwn(operations, id)) return operations[id];
  return Object.hasOwn(reads, id) ? reads[id] : undefined;
}

/** Checks the name of another operation of the document, which must have a record. */
function checkReader(
  context: CompileContext,
  place: Path,
  id: string | undefined,
): string | undefined {
  if (id === undefined) return undefined;
  const { reader, source } = context;
  const other = findReader(context, id);
  if (other === undefined)
    reader.fault(
      place,
      `the document has no operation "${id}"`,
      suggestName(id, [...Object.keys(source.operations), ...Object.keys(source.reads ?? {})]),
    );
  else if (other.record === undefined) reader.fault(place, `the operation "${id}" has no record`);
  return id;
}

function findMapping(
  { reader, mappings }: CompileContext,
  place: Path,
  name: string | undefined,
): CompiledDocument | undefined {
  if (name === undefined) return undefined;
  if (!mappings.has(name))
    reader.fault(place, `there is no mapping "${name}"`, suggestName(name, mappings.keys()));
  return mappings.get(name);
}
