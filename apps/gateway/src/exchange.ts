import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Origin, RefusedSecret } from '#bus';
import type { Caller } from '#contract';
import { maskTokens } from '#secrets';
import type { BodyLease } from './body-budget.js';

/** The owner of a token, which may be revoked. */
export type Whose = Pick<
  RefusedSecret,
  'organizationId' | 'memberId' | 'accountId' | 'integrationId'
> &
  Partial<Pick<Caller, 'tokenId' | 'connect'>>;

/** One API request with its response, and what has been found out about it so far. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  address: string;
  method: string;
  pathname: string;
  search: string;
  /** Headers that every response gets. */
  headers: OutgoingHttpHeaders;
  /** Owner of the token, once it is known. */
  whose?: Whose;
  /** True once a service has the request. The management service then records it in the audit trail. */
  forwarded?: true;
  /** True for a request that changes nothing, although its method could. */
  isDryRun?: boolean;
  /** Holds the bytes of a body until the response is written. */
  lease?: BodyLease;
}

export function userAgentOf({ headers }: IncomingMessage): string {
  return (headers['user-agent'] ?? '').slice(0, 500);
}

/** Describes where a request came from, for the audit trail. */
export function originOf({ request, requestId, method, pathname, address }: Exchange): Origin {
  return {
    requestId,
    method: method === 'HEAD' ? 'GET' : method,
    path: maskTokens(pathname).slice(0, 500),
    remoteAddress: address,
    userAgent: userAgentOf(request),
  };
}

/** Returns the W3C trace context of the client. */
export function traceparentOf({ headers }: IncomingMessage): string | undefined {
  const value = headers['traceparent'];
  return typeof value === 'string' ? value : undefined;
}
