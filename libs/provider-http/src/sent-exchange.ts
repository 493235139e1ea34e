import type { NotedExchange } from '#contract';
import type { ProviderRequest, ProviderResponse, UnreadResponse } from './provider-request.js';

/** An attempt of a request, for the request log. */
export type SentExchange = Omit<NotedExchange, 'shown'>;

/**
 * Called at the end of an attempt of a request.
 * @param sent the request with its credential; absent for a login, whose bodies nobody is shown
 * @param answer absent if there was none
 */
export type OnExchange = (
  exchange: SentExchange,
  sent?: ProviderRequest,
  answer?: ProviderResponse,
) => void;

/** @param begun milliseconds of `performance.now()` @param answer absent if there was none */
export function sentExchange(
  { method, url }: ProviderRequest,
  begun: number,
  answer: UnreadResponse | undefined,
): SentExchange {
  const durationMs = performance.now() - begun;
  return { method, url, durationMs, status: answer?.status, bytes: answer?.bytes };
}
