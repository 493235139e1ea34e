import { Injectable } from '@nestjs/common';
import type { Introspection } from '#bus';
import {
  type ApiError,
  type Caller,
  decide,
  forbidden,
  type Operation,
  unauthorized,
} from '#contract';
import { ApiError as Failure } from '#contract';
import { addressBlock } from './address-block.js';
import { Callers } from './callers.js';
import { type Exchange, originOf } from './exchange.js';
import { AuthRateLimiter } from './auth-rate-limiter.js';

/** Operations that a refresh secret allows. */
const renewals = new Set(['tokens_refresh', 'tokens_reset']);

/** Authenticates the caller and checks its permissions. */
@Injectable()
export class Authenticator {
  private readonly passwords = new AuthRateLimiter();

  constructor(private readonly callers: Callers) {}

  /**
   * Notes the owner of the token in the exchange, even if the request is refused.
   * @throws ApiError 401, 402, 403, 429 or 503
   */
  async authenticate(exchange: Exchange, operation: Operation): Promise<Caller | null> {
    if (operation.public) {
      refuseWhenBraked(this.passwords, passwordKey(operation, exchange.address));
      return null;
    }
    const secret = operation.tokenInQuery ? queryToken(exchange) : bearerToken(exchange);
    const found = await this.find(secret, exchange, renewals.has(operation.id));
    if (found.kind === 'access') checkScope(found.caller, operation);
    return found.caller;
  }

  /** Authenticates a request to the MCP endpoint, which takes the tokens made for it alone. @throws ApiError 401, 402, 403, 429 or 503 */
  async authenticateMcp(exchange: Exchange): Promise<Caller> {
    const { caller } = await this.find(bearerToken(exchange), exchange, false);
    if (caller.scope === 'mcp') return caller;
    throw forbidden(
      `the token is an ${article(caller.scope)} token, the MCP endpoint needs an MCP token`,
      'POST /v1/tokens/mcp makes one; it says what an assistant may do.',
    );
  }

  /** Finds the owner of a token. @throws ApiError 401, 402, 429 or 503 */
  private async find(
    secret: string,
    exchange: Exchange,
    takesRefresh: boolean,
  ): Promise<Introspection> {
    const looked = this.callers.find(secret, () => originOf(exchange));
    const found = looked instanceof Promise ? await looked : looked;
    if (found !== null) exchange.whose = 'refused' in found ? found : found.caller;
    const isUnknown = found === null || 'refused' in found;
    if (isUnknown || (found.kind === 'refresh' && !takesRefresh)) {
      throw unauthorized(
        isUnknown
          ? 'the token is unknown, expired or revoked'
          : 'a refresh secret only refreshes or resets its token',
        'Use a valid access token, or refresh it.',
      );
    }
    if (found.organizationState === 'disabled') throw disabled();
    return found;
  }

  /** Counts a password that a public operation refused. */
  refusedBy(operation: Operation, status: number, address: string): void {
    if (operation.public && status === 401) this.passwords.failed(passwordKey(operation, address));
  }
}

/** @throws ApiError 401 */
function bearerToken({ request }: Exchange): string {
  const { authorization } = request.headers;
  const secret = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (secret !== undefined) return secret;
  throw unauthorized(
    authorization === undefined
      ? 'the token is missing'
      : 'the Authorization header is not a bearer token',
    'Send the header Authorization: Bearer <access token>.',
  );
}

/** @throws ApiError 401 */
function queryToken({ search }: Exchange): string {
  const secret = new URLSearchParams(search).get('token');
  if (secret) return secret;
  throw unauthorized(
    'the token is missing',
    'Send it as the query parameter token. GET /v1/integration-webhooks says the whole address.',
  );
}

/** Key for counting wrong passwords: address and operation, so that other public operations are not affected. */
function passwordKey({ id }: Operation, address: string): string {
  return `${id} ${addressBlock(address)}`;
}

function refuseWhenBraked(brake: AuthRateLimiter, key: string): void {
  const wait = brake.waitSeconds(key);
  if (wait > 0)
    throw new Failure(429, 'too many unknown passwords came from this address', {
      remediation: `Wait ${wait} seconds.`,
      headers: { 'retry-after': String(wait) },
    });
}

function checkScope(caller: Caller, operation: Operation): void {
  if (decide(caller, operation).allowed) return;
  const wanted = operation.side === 'management' ? 'organization' : 'integration';
  if (caller.scope !== wanted)
    throw forbidden(
      `the token is an ${article(caller.scope)} token, this call needs an ${article(wanted)} token`,
      wanted === 'integration'
        ? 'Use a token of the integration: POST /v1/tokens/{accountId}/{integrationId} makes one.'
        : 'Use a token of the organization: POST /v1/tokens makes one.',
    );
  if (caller.session === 'password')
    throw forbidden(
      'the member has to change the password before anything else',
      'POST /v1/auth/change_password; the session then does what the roles permit.',
    );
  throw forbidden(
    `the token does not permit ${operation.id}`,
    'Use a token whose role or permission set allows it.',
  );
}

function article(scope: Caller['scope']): string {
  return { organization: 'Organization', integration: 'Integration', mcp: 'MCP' }[scope];
}

function disabled(): ApiError {
  return new Failure(402, 'the organization is disabled', {
    remediation: 'Ask the operator of the service to enable it.',
  });
}
