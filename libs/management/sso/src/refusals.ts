import { ApiError } from '#contract';

const startAgain =
  'Start the sign-on again; if it happens again, ask the administrator of the identity provider.';

/** Creates a 403: the response of the identity provider is not valid. */
export function refused(why: string, cause?: unknown): ApiError {
  return new ApiError(403, `the response of the identity provider is not valid: ${why}`, {
    remediation: startAgain,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Creates a 403: the sign-on is unknown, expired, already answered, or of another browser. */
export function noSignOn(): ApiError {
  return new ApiError(
    403,
    'unknown sign-on: it expired, was already answered, or began in another browser',
    { kind: 'no-sign-on', remediation: 'Start the sign-on again in this browser.' },
  );
}

/**
 * Creates a 502: the identity provider failed. The reason is only logged, because callers of a sign-on are not
 * authenticated.
 */
export function unreachable(cause: unknown): ApiError {
  return new ApiError(502, 'the identity provider did not respond as expected', {
    remediation: 'Try again; the request id finds the reason in the log of the service.',
    cause,
  });
}
