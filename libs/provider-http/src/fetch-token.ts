import type { Clock } from '#config';
import { assumeRole, type RoleRequest } from './assume-role.js';
import {
  type AccessToken,
  type ClientTokenRequest,
  fetchAccessToken,
  type Outgoing,
} from './fetch-access-token.js';

/** A request for a token: by the client credentials grant, or of temporary keys of a role. */
export type TokenRequest = ClientTokenRequest | RoleRequest;

/** Fetches a token. @throws ApiError when there is none */
export async function fetchToken(
  request: TokenRequest,
  outgoing: Outgoing,
  clock: Clock,
  signal: AbortSignal,
): Promise<AccessToken> {
  return 'roleArn' in request
    ? await assumeRole(request, outgoing, signal)
    : await fetchAccessToken(request, outgoing, clock, signal);
}
