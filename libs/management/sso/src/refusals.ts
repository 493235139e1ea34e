import { ApiError } from '#contract';

const again =
  'Start the sign-on again; if it happens again, ask whoever runs the identity provider.';

/** A 403: what the identity provider sent does not prove who signs on. */
export function refused(why: string, cause?: unknown): ApiError {
  return new ApiError(403, `the answer of the identity provider is refused: ${why}`, {
    remediation: again,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A 403: the sign-on is unknown, over, already answered, or of another browser. */
export function noSignOn(): ApiError {
  return new ApiError(
    403,
    'there is no such sign-on: it is over, was already answered, or began in another browser',
    { kind: 'no-sign-on', remediation: 'Start the sign-on again in this browser.' },
  );
}

/** A 502: the identity provider cannot be asked. The reason stays in the log, since whoever starts a sign-on is a stranger. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError(502, 'the identity provider did not answer as it should', {
    remediation: 'Try again; the request id finds the reason in the log of the service.',
    cause,
  });
}
