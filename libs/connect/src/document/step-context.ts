import { ApiError } from '#contract';
import type { Limits, Value } from '@onefold/mapping';
import {
  type CompiledRequest,
  type CompiledStep,
  evaluate,
  evaluateTemplate,
  textOf,
} from '#provider-document';
import type { ProviderResponse } from '#provider-http';
import type { ResponseView } from './http-call.js';
import { answerInput, type StepContext } from './paging.js';

/** Adds what the call that a request uses reads at `this.input`. */
export function withInput<Context extends StepContext>(
  { input, place }: Pick<CompiledRequest, 'input' | 'place'>,
  context: Context,
  limits: Limits | undefined,
): Context {
  if (input === undefined) return context;
  const value = evaluateTemplate(input, context, `${place}.with`, limits) ?? null;
  return Object.assign({}, context, { input: value });
}

/** Returns the value of a step: the body of the response, or what `result` makes of it. */
export function valueOf(
  { result, place }: Pick<CompiledRequest, 'result' | 'place'>,
  context: StepContext,
  answer: ProviderResponse,
  limits: Limits | undefined,
): Value {
  if (result === undefined) return answer.body;
  return evaluate(result, answerInput(context, answer), `${place}.result`, limits) ?? null;
}

/** @throws ApiError for the first check of the request that the response does not pass */
export function checkResponse(
  step: Pick<CompiledStep, 'checks' | 'place'>,
  context: StepContext,
  answer: ProviderResponse,
  http: ResponseView,
): void {
  if (step.checks.length > 0) checkAll(step, answerInput(context, answer), http, answer);
}

/** @param answer the response that is checked, if there is one @throws ApiError for the first check that does not hold */
export function checkAll(
  { checks, place: above }: Pick<CompiledStep, 'checks' | 'place'>,
  input: Record<string, Value>,
  http: ResponseView,
  answer?: ProviderResponse,
): void {
  for (const [index, { that, status, message }] of checks.entries()) {
    const place = `${above}.checks.${index}`;
    if (evaluate(that, input, `${place}.that`, http.limits) === true) continue;
    // The provider refuses what it answers with success; behind 5xx nobody knows.
    if (answer !== undefined && status < 500) http.takeBack?.();
    const words = textOf(evaluate(message, input, `${place}.message`, http.limits)) ?? place;
    throw new ApiError(
      status,
      http.shown(words),
      answer ? { context: http.contextOf(answer) } : {},
    );
  }
}
