import type { CompileContext } from './compile-context.js';
import { failedQuery, wholeRequest } from './compile-request.js';
import { compileStep, stepName } from './compile-step.js';
import type { CompiledSettle } from './compiled-provider.js';
import type { Path } from './document-reader.js';
import type { Action, OperationSource, StepSource } from './source.js';
import { OperationNames } from './visible-names.js';

/** Compiles how a create is settled whose outcome is unknown. */
export function compileSettle(
  context: CompileContext,
  place: Path,
  id: string,
  operation: OperationSource,
  action: Action,
): CompiledSettle | undefined {
  const { settle: source } = operation;
  if (source === undefined) return undefined;
  const { reader } = context;
  if (action !== 'create') reader.fault(place, 'only a create is settled', 'Remove settle.');
  const { repeat = false, step, steps, found, after, within } = source;
  const isSearch = steps !== undefined && found !== undefined && step !== undefined;
  const ofSearch = [step, steps, found, after].some((one) => one !== undefined);
  if (repeat ? ofSearch : !isSearch || within !== undefined)
    reader.fault(
      place,
      'settle has either repeat, or step, steps and found',
      'Write repeat: true where the provider knows the request again, and a search otherwise.',
    );
  if (!isSearch) return { place: place.join('.'), source, search: undefined };
  const names = operation.steps.map((_step, index) => stepName(operation, index));
  checkStep(context, [...place, 'step'], operation.steps[names.indexOf(step)], step);
  for (const [index, one] of steps.entries()) checkSearch(context, [...place, 'steps', index], one);
  const search: OperationSource = { steps };
  const own = steps.map((_step, index) => stepName(search, index));
  const visible = new OperationNames(context.source, id, search, 'create', own);
  return {
    place: place.join('.'),
    source,
    search: {
      step,
      steps: steps.map((_step, index) =>
        compileStep(context, [...place, 'steps', index], search, index, visible),
      ),
      found: reader.query([...place, 'found'], visible.request()) ?? failedQuery,
    },
  };
}

/** The step for whose answer the found record stands. */
function checkStep(
  { reader }: CompileContext,
  place: Path,
  found: StepSource | undefined,
  name: string,
): void {
  if (found === undefined) reader.fault(place, `the operation has no step "${name}"`);
  else if (found.each !== undefined)
    reader.fault(
      place,
      `the step "${name}" creates several records, of which one cannot stand for all`,
    );
}

/** A search may run any number of times. */
function checkSearch(context: CompileContext, place: Path, source: StepSource): void {
  const { method = 'GET', repeatable = false } = wholeRequest(context, source);
  if (method === 'GET' || (method === 'POST' && repeatable)) return;
  context.reader.fault(
    place,
    `a search must not change anything, and ${method} may`,
    'Use GET, or write repeatable: true at a POST that only reads.',
  );
}
