import { ApiError } from '#contract';
import type { TextResponse } from '#egress';

/** The error for a token endpoint that takes no requests, or fails: it says nothing of the credential. @param words of the provider */
export function retryLater({ origin }: URL, response: TextResponse, words: string): ApiError {
  const { status, retryAfterMs = 1_000 } = response;
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  if (status === 429)
    return new ApiError(429, `${origin} accepts no more token requests for now${words}`, {
      remediation: `Try again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
  return new ApiError(502, `${origin} gives no access token, it answers ${status}${words}`, {
    remediation: 'Try again later.',
  });
}

export function noTokenInTime({ origin }: URL, cause: unknown): ApiError {
  return new ApiError(504, `${origin} gives no access token in time`, {
    remediation: 'Try again later.',
    cause,
  });
}
