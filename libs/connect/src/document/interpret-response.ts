import { ApiError } from '#contract';
import type { Limits, Value } from '#mapping';
import {
  type CompiledError,
  type CompiledOperation,
  type CompiledProvider,
  evaluate,
} from '#provider-document';
import type { ProviderResponse } from '#provider-http';

/** Interprets a response by the `errors` and `limited` of the document. */
export function interpretResponse(
  provider: CompiledProvider,
  operation: CompiledOperation | undefined,
  answer: ProviderResponse,
  integration: { limits: Limits | undefined; config(): Value },
): { status?: number; message?: string } {
  const { limits } = integration;
  const input: Value = {
    status: answer.status,
    headers: { ...answer.headers },
    body: answer.body,
    config: integration.config(),
  };
  const fits = (error: CompiledError) =>
    quietly(() => evaluate(error.when, input, 'errors.when', limits)) === true;
  const found = [...(operation?.errors ?? []), ...provider.errors].find(fits);
  const limited =
    provider.limited &&
    quietly(() => evaluate(provider.limited as never, input, 'http.limited', limits)) === true;
  const status = found?.status ?? (limited ? 429 : undefined);
  if (status === undefined && answer.status < 300) return {};
  const words = found?.message ?? provider.message;
  const message = words && quietly(() => evaluate(words, input, 'http.message', limits));
  return {
    ...(status === undefined ? {} : { status }),
    ...(typeof message === 'string' && message !== '' ? { message } : {}),
  };
}

/** Ignores failing expressions: an error of another shape than the document expects is still an error. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
