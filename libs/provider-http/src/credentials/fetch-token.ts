import type { Clock } from '#config';
import { assumeRole, type RoleRequest, type TokenOutgoing } from './assume-role.js';
import type { Route } from '../sending/route.js';
import {
  type AccessToken,
  type ClientTokenRequest,
  fetchAccessToken,
} from './fetch-access-token.js';

/** A request for a token: by the client credentials grant, or of temporary keys of a role. */
export type TokenRequest = ClientTokenRequest | RoleRequest;

/** Fetches a token. @throws ApiError when there is none */
export async function fetchToken(
  request: TokenRequest,
  outgoing: TokenOutgoing & { route?: Route | undefined },
  clock: Clock,
  signal: AbortSignal,
): Promise<AccessToken> {
  return 'roleArn' in request
    ? await assumeRole(request, outgoing, signal)
    : await fetchAccessToken(request, { ...outgoing, ...outgoing.route }, clock, signal);
}
