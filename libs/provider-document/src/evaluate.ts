import { ApiError } from '#contract';
import {
  type CompiledTemplate,
  Deleted,
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
  return guarded(place, () => plain(query(input, lowered(limits))));
}

/** Evaluates a template likewise; undefined if it assigns nothing to root. @throws ApiError 502 that names the place in the document */
export function evaluateTemplate(
  template: CompiledTemplate,
  input: Value,
  place: string,
  limits: Limits | undefined,
): Value {
  return guarded(place, () => plain(template.run(input, lowered(limits)).root));
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

function guarded<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof RunError || cause instanceof LimitError)) throw cause;
    throw new ApiError(502, `the provider document failed at ${place}: ${cause.message}`, {
      remediation: 'The expression does not fit the request or the response of the provider.',
      cause,
    });
  }
}
