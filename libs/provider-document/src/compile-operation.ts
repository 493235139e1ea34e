import { operations, type OperationId } from '#contract';
import { type CompiledDocument, suggestName } from '@onefold/mapping';
import { answersFile, checkFiles, sendsFile } from './check-files.js';
import { checkOutcome } from './check-outcome.js';
import type { CompileContext } from './compile-context.js';
import { compileChecks, compileStep, failedQuery, stepName } from './compile-step.js';
import type {
  CompiledError,
  CompiledOperation,
  CompiledPage,
  CompiledResult,
} from './compiled-provider.js';
import type { DocumentReader, Path } from './document-reader.js';
import { actionOf, resourceOf } from './operation-names.js';
import type { ErrorSource, OperationSource, PageSource } from './source.js';
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
    page: compilePage(context, [...place, 'page'], source, visible, stepNames),
    checks: compileChecks(reader, place, source, visible.request(0)),
    steps,
    rows: compileResult(reader, [...place, 'rows'], source.rows, visible),
    record: compileResult(reader, [...place, 'record'], source.record, visible),
    result: compileResult(reader, [...place, 'result'], source.result, visible),
    file: reader.query([...place, 'file'], visible.response()),
    answersFile: answersFile(source),
    takesFile: source.steps.some(sendsFile),
    then: compileThen(context, [...place, 'then'], source, visible),
    errors: compileErrors(context, [...place, 'errors'], source.errors),
  };
}

function compileResult(
  reader: DocumentReader,
  place: Path,
  text: string | undefined,
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

function compilePage(
  { reader }: CompileContext,
  place: Path,
  { page, steps }: OperationSource,
  visible: OperationNames,
  names: readonly string[],
): CompiledPage | undefined {
  if (page === undefined) return undefined;
  const step = page.step === undefined ? 0 : names.indexOf(page.step);
  if (step < 0)
    reader.fault(
      [...place, 'step'],
      `there is no step "${page.step}"`,
      suggestName(page.step ?? '', names),
    );
  if (steps[step]?.each !== undefined)
    reader.fault(
      [...place, 'step'],
      'a step with each cannot be paged',
      'Name the step that returns the pages.',
    );
  checkPageKeys(reader, place, page);
  return {
    source: page,
    step,
    count: reader.query([...place, 'count'], visible.page),
    total: reader.query([...place, 'total'], visible.page),
    more: reader.query([...place, 'more'], visible.page),
    next: reader.query([...place, 'next'], visible.page),
    again: reader.query([...place, 'again'], visible.page),
    key: reader.query([...place, 'key'], { ...visible.page, row: undefined }),
  };
}

const neededPageKeys = {
  offset: 'count',
  page: 'count',
  token: 'next',
  link: undefined,
  keyset: 'key',
} as const;
/** Keys that have no meaning for paging by keys. */
const otherPageKeys = ['next', 'again', 'total'] as const;

function checkPageKeys(reader: DocumentReader, place: Path, page: PageSource): void {
  const { kind } = page;
  const needed = neededPageKeys[kind];
  if (needed !== undefined && page[needed] === undefined)
    reader.fault(place, `paging by ${kind} needs ${needed}`);
  if (kind !== 'keyset' && page.key !== undefined)
    reader.keyFault([...place, 'key'], `paging by ${kind} has no key`, 'Write kind: keyset.');
  if (kind !== 'keyset') return;
  for (const name of otherPageKeys)
    if (page[name] !== undefined)
      reader.keyFault([...place, name], `paging by keyset has no ${name}`, 'Use more and count.');
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
