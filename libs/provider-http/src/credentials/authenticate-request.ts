import { validateHeaderValue } from 'node:http';
import { ApiError } from '#contract';
import { refusalOfHeader } from './header-names.js';
import type { Aborts, Authentication } from './authentication.js';
import type { ProviderRequest } from '../provider-request.js';
import type { Route } from '../sending/route.js';

/**
 * Adds the credential to a request and checks the headers before anything is sent, because a header that cannot be written is not a
 * failure of the host. @throws ApiError 400 for a credential that no header can hold, or a header that must not be set
 */
export async function authenticateRequest(
  request: ProviderRequest,
  authentication: Authentication | undefined,
  aborts: Aborts,
  route?: Route,
): Promise<ProviderRequest> {
  const sent =
    authentication === undefined
      ? request
      : await authenticated(request, authentication, aborts, route);
  for (const name in sent.headers) {
    const refusal = refusalOfHeader(name);
    if (refusal !== undefined) throw notAllowed(name, refusal);
    if (isHeaderValue(name, sent.headers[name] ?? '')) continue;
    if (sent.secretHeaders.includes(name)) throw unusable(authentication, name);
    throw new ApiError(502, `the value of the header ${name} cannot be sent`, {
      remediation: 'It has a line break or another character that no header can hold.',
    });
  }
  return sent;
}

async function authenticated(
  request: ProviderRequest,
  authentication: Authentication,
  aborts: Aborts,
  route: Route | undefined,
): Promise<ProviderRequest> {
  try {
    const applied = authentication.apply(request, aborts, route);
    return applied instanceof Promise ? await applied : applied;
  } catch (error) {
    // The signer writes headers by itself.
    if (error instanceof TypeError) throw unusable(authentication, 'authorization', error);
    throw error;
  }
}

function notAllowed(name: string, reason: string): ApiError {
  return new ApiError(400, `the header ${name.slice(0, 100)} cannot be set: ${reason}`, {
    remediation: 'Remove it from the headers of the provider document or of the configuration.',
  });
}

function isHeaderValue(name: string, value: string): boolean {
  try {
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function unusable(
  authentication: Authentication | undefined,
  header: string,
  cause?: unknown,
): ApiError {
  const id = authentication?.credentialId;
  return new ApiError(
    400,
    `the credential${id === undefined ? '' : ` ${id}`} cannot be sent in the header ${header}`,
    {
      remediation:
        'Its secret has a line break or another character that no header can hold: replace it.',
      ...(id === undefined
        ? {}
        : { context: { resources: [{ type: 'credential', id, rel: 'cause' }] } }),
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
