import { ApiError } from '#contract';
import { textOfCompiled } from '#document';
import {
  type CompiledTemplate,
  Deleted,
  describeFailureOfText,
  LimitError,
  type Limits,
  Nothing,
  RunError,
  type RunOptions,
  type Value,
} from '@onefold/mapping';
import type { CompiledQuery } from './document-reader.js';

/**
 * Evaluates a query; undefined if it has no value.
 * @param limits lower limits than those of the process, as an integration's budget says
 * @throws ApiError 502 that names the place in the document
 */
export function evaluate(
  query: CompiledQuery,
  input: Value,
  place: string,
  limits: Limits | undefined,
): Value {
  try {
    return plain(query(input, lowered(limits)));
  } catch (cause) {
    throw failed(query, cause, { input, place, limits });
  }
}

/** Evaluates a query likewise; undefined, too, if it fails. */
export function evaluateIfPossible(
  query: CompiledQuery,
  input: Value,
  limits: Limits | undefined,
): Value {
  try {
    return plain(query(input, lowered(limits)));
  } catch (error) {
    if (error instanceof RunError || error instanceof LimitError) return undefined;
    throw error;
  }
}

/** Evaluates a template likewise; undefined if it assigns nothing to root. @throws ApiError 502 that names the place in the document */
export function evaluateTemplate(
  template: CompiledTemplate,
  input: Value,
  place: string,
  limits: Limits | undefined,
): Value {
  try {
    return plain(template.run(input, lowered(limits)).root);
  } catch (cause) {
    throw failed(template, cause, { input, place, limits });
  }
}

const asTheProcess: RunOptions = {};

function lowered(limits: Limits | undefined): RunOptions {
  return limits === undefined ? asTheProcess : { limits };
}

/** Writes a value for a header, a path or a parameter; undefined for values other than strings, numbers and booleans. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  const plain =
    typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
  return plain ? String(value) : undefined;
}

function plain(value: Value): Value {
  return value === Nothing || value === Deleted ? undefined : value;
}

/** Says which expression failed, by file, line and column. Errors of other kinds stay as they are. */
function failed(
  compiled: CompiledQuery | CompiledTemplate,
  cause: unknown,
  { input, place, limits }: { input: Value; place: string; limits: Limits | undefined },
): unknown {
  if (!(cause instanceof RunError || cause instanceof LimitError)) return cause;
  const text = textOfCompiled(compiled);
  const reason = text ? describeFailureOfText(text, cause, input, limits) : cause.message;
  return new ApiError(502, `the provider document failed at ${place}: ${reason}`, {
    remediation: 'The expression does not fit the request or the response of the provider.',
    cause,
  });
}
