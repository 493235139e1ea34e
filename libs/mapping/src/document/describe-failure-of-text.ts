import { type Limits, maxLimits } from '../language/limits.js';
import { LimitError, RunError, toFailure } from '../language/run-error.js';
import type { Value } from '../language/values.js';
import { describeFailure } from './locate-failure.js';
import type { TracedFailure } from './failed-statement.js';
import type { Located } from './read-document.js';
import { compileQuery, compileTemplate } from './template.js';
import type { TemplatePart } from './template-part.js';
import { FailureTrace } from './trace-failure.js';

/** A text in the mapping language in a document of another kind, such as an expression of a provider document. */
export interface TextInDocument {
  located: Located;
  /** Whether it is an expression, and not a template. */
  isQuery: boolean;
  /** Whether it is of a mapping document, whose input is a record. */
  isOfMapping?: boolean;
  /** The name of the document in errors. */
  file?: string | undefined;
  /** The key of a provider document that it is the value of. */
  key?: string | undefined;
}

/** Steps of running it again: a failure that took more is told without the expression to blame. */
const maxTracedSteps = 100_000;

/**
 * Describes a failure of such a text as those of mapping documents are: `provider.yaml:6:14, root.email: expected string, got null
 * (this.profile.email)`. Runs it again on its input, watched, to find the expression.
 * @param limits those of the run that failed; by default the usual ones
 */
export function describeFailureOfText(
  text: TextInDocument,
  failure: RunError | LimitError,
  input: Value,
  limits: Partial<Limits> = {},
): string {
  const part: TemplatePart = {
    kind: text.isQuery ? 'expression' : 'statements',
    name: '',
    located: text.located,
  };
  return describeFailure(failure, part, text.file, trace(part, failure, input, limits)).message;
}

function trace(
  part: TemplatePart,
  failure: RunError | LimitError,
  input: Value,
  limits: Partial<Limits>,
): TracedFailure | undefined {
  if (failure instanceof LimitError) return undefined;
  const trace = new FailureTrace();
  const fuel = Math.min(limits.fuel ?? maxLimits.fuel, maxTracedSteps);
  const options = { limits: { ...limits, fuel } };
  const watched = { trace: trace.of(part) };
  try {
    if (part.kind === 'expression') compileQuery(part.located.text, watched)(input, options);
    else compileTemplate(part.located.text, watched).run(input, options);
  } catch (error) {
    const again = toFailure(error);
    if (again instanceof RunError && again.message === failure.message) return trace.describe();
  }
  return undefined;
}
