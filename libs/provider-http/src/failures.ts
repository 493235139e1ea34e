import { ApiError, type ApiErrorOptions, type ProblemContext } from '#contract';
import { EgressRefused, proxyFailureIn, ResponseTooLarge, wasSent } from '#egress';
import type { FailedCall } from './failed-call.js';
import { MalformedResponse } from './bodies/read-body.js';
import { ResponseMemoryExhausted } from './limits/response-memory.js';
import type { ProviderResponse } from './provider-request.js';

const maxShownLength = 2_000;
/** Kind of the problem of a request whose condition, such as If-Match, does not hold any more. */
export const otherVersion = 'precondition-failed';

/** An error that the provider has answered with. */
export class ProviderRefusal extends ApiError {
  constructor(
    /** The status of the provider's answer, or what the document says it means. */
    readonly providerStatus: number,
    ...own: ConstructorParameters<typeof ApiError>
  ) {
    super(...own);
  }
}

/** False for the failure of a request that the provider has certainly not carried out: it refused it, or never got it. */
export function mayBeCarriedOut(error: unknown): boolean {
  if (error instanceof ProviderRefusal) {
    const { providerStatus: status } = error;
    return status < 300 || status === 408 || (status >= 500 && status !== 501);
  }
  const cause = error instanceof ApiError ? error.cause : error;
  return refusalIn(cause) === undefined && wasSent(cause);
}

/** Turns a response that is an error into the error for the caller. */
export function failureOf(
  call: FailedCall,
  answer: ProviderResponse,
  meaning: {
    status?: number | undefined;
    message?: string | undefined;
    retryAfterMs?: number | undefined;
  },
): ApiError {
  const { provider, needs, credentialId } = call;
  const words = meaning.message ? `: ${call.redactor.text(meaning.message).slice(0, 500)}` : '';
  const context = failureContext(call, answer);
  const credential =
    credentialId === undefined ? 'its credential' : `the credential ${credentialId}`;
  const status = meaning.status ?? answer.status;
  const refusal = (own: number, message: string, options: ApiErrorOptions) =>
    new ProviderRefusal(status, own, message, options);
  switch (status) {
    case 401:
      return refusal(502, `${provider} refuses ${credential}${words}`, {
        remediation:
          credentialId === undefined
            ? 'Correct the credential in provider_config.'
            : 'Replace the secret of the credential; PATCH /v1/credentials/… changes it.',
        context,
      });
    case 403:
      return refusal(502, `${provider} does not permit this with ${credential}${words}`, {
        remediation:
          needs === undefined
            ? 'Grant the permission at the provider.'
            : `Grant the permission "${needs}" at the provider.`,
        context,
      });
    case 404:
    case 410:
      return refusal(404, `${provider} has no such record${words}`, {
        remediation: 'List the records to see which exist; the credential may be limited to some.',
        context,
      });
    case 412:
      return refusal(409, `${provider} has another version of the record${words}`, {
        kind: otherVersion,
        remediation: 'Read the record again, and repeat the request for what it is now.',
        context,
      });
    case 416:
      return refusal(416, `${provider} has no such range of the file${words}`, {
        remediation: 'Ask for a range within the file, or for all of it without the header Range.',
        context,
      });
    case 429: {
      const seconds = Math.max(1, Math.ceil((meaning.retryAfterMs ?? 1000) / 1000));
      return refusal(429, `${provider} takes no more calls for now${words}`, {
        remediation: `Try again in ${seconds} s.`,
        headers: { 'retry-after': String(seconds) },
        context,
      });
    }
    case 400:
    case 409:
    case 422:
      return refusal(status === 409 ? 409 : 400, `${provider} refuses the request${words}`, {
        remediation: 'context.raw_error has the response of the provider.',
        context,
      });
    case 501:
      return refusal(501, `${provider} does not offer this${words}`, { context });
    case 503:
      return refusal(503, `${provider} is not available${words}`, {
        remediation: 'Try again later.',
        context,
      });
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return refusal(
        502,
        `${provider} redirects ${call.method} to ${originOf(call, answer)}, which is not followed${words}`,
        { remediation: 'Correct the address in provider_config, if it has moved.', context },
      );
    default:
      return refusal(502, `${provider} answers ${answer.status}${words}`, {
        remediation: 'context.raw_error has the response of the provider.',
        context,
      });
  }
}

/** The host that a redirect leads to; its path may hold a secret. */
function originOf({ address }: FailedCall, { headers }: ProviderResponse): string {
  return URL.parse(headers['location'] ?? '', address)?.origin ?? 'no address';
}

/** Turns a call that got no response into the error for the caller. */
export function failureWithoutAnswer(
  call: FailedCall,
  cause: unknown,
  timedOut: boolean,
): ApiError {
  const { provider, method, address, redactor } = call;
  const context: ProblemContext = {
    provider_details: { provider, request: `${method} ${address}` },
  };
  if (cause instanceof ApiError) return cause;
  const refused = refusalIn(cause);
  if (refused !== undefined)
    return new ApiError(502, refused.message, {
      remediation:
        'Correct the address in provider_config, or ask the operator to allow its range.',
      context,
      cause,
    });
  const ofProxy = proxyFailureIn(cause);
  if (ofProxy !== undefined)
    return new ApiError(
      ofProxy.isOfTarget ? 502 : 503,
      `${provider} cannot be reached: ${ofProxy.message}`,
      {
        remediation: ofProxy.isOfTarget
          ? 'Correct the address in provider_config, or ask the operator to allow it at the proxy.'
          : 'Try again later; the operator finds the reason by admin doctor.',
        ...(ofProxy.isOfTarget ? {} : { headers: { 'retry-after': '10' } }),
        context,
        cause,
      },
    );
  if (cause instanceof ResponseTooLarge)
    return new ApiError(502, `${provider} sends too much: ${cause.message}`, {
      kind: 'response-too-large',
      remediation:
        'The limit is http.limits.response_bytes of the provider document, 33554432 unless it says another. Ask for fewer records, or filter by a field that the provider filters by. A single file has to be taken from the provider itself, or its document has to allow more.',
      context,
      cause,
    });
  if (cause instanceof ResponseMemoryExhausted) return memoryFailure(provider, cause, context);
  if (cause instanceof MalformedResponse)
    return new ApiError(502, `${provider} answers something else than expected: ${cause.message}`, {
      remediation: 'context.raw_error has the beginning of the response.',
      context: { ...context, raw_error: redactor.text(cause.text).slice(0, maxShownLength) },
      cause,
    });
  if (timedOut)
    return new ApiError(504, `${provider} did not answer in time`, {
      remediation: 'Try again; a smaller limit may help.',
      context,
      cause,
    });
  return new ApiError(502, `${provider} cannot be reached: ${redactor.text(reasonOf(cause))}`, {
    remediation: 'Check the address in provider_config, and that the provider is up.',
    context,
    cause,
  });
}

/** The error for a call whose responses and records take more memory than there is. */
export function memoryFailure(
  provider: string,
  cause: ResponseMemoryExhausted,
  context: ProblemContext = {},
): ApiError {
  const setting = 'The operator can raise MAX_RESPONSES_BYTES of the connector.';
  if (cause.isAlone)
    return new ApiError(502, `${provider} sends too much: ${cause.message}`, {
      kind: 'response-too-large',
      remediation: `Ask for fewer records, or filter by a field that the provider filters by. ${setting}`,
      context,
      cause,
    });
  return new ApiError(503, cause.message, {
    remediation: `Try again soon, or ask for fewer records at a time. ${setting}`,
    headers: { 'retry-after': '1' },
    context,
    cause,
  });
}

/** The error for a response that ended early while it was passed on. */
export function failureInStream(
  { provider, method, address, redactor }: FailedCall,
  cause: unknown,
  bytes: number,
): ApiError {
  const why = redactor.text(reasonOf(cause));
  return new ApiError(502, `${provider} broke off after ${bytes} bytes: ${why}`, {
    remediation: 'Try again.',
    context: { provider_details: { provider, request: `${method} ${address}` } },
    cause,
  });
}

/** Returns what a problem shows of a response: the call, and the provider's words. */
export function failureContext(call: FailedCall, answer: ProviderResponse): ProblemContext {
  return {
    raw_error: call.redactor.text(answer.text).slice(0, maxShownLength),
    provider_details: {
      provider: call.provider,
      request: `${call.method} ${call.address}`,
      status: String(answer.status),
      ...(call.credentialId === undefined ? {} : { credential_id: call.credentialId }),
      ...(call.needs === undefined ? {} : { needs: call.needs }),
    },
  };
}

function refusalIn(error: unknown): EgressRefused | undefined {
  if (error instanceof EgressRefused) return error;
  if (error instanceof AggregateError) return error.errors.map(refusalIn).find(Boolean);
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return error.message || (typeof code === 'string' ? code : error.name);
}
