import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { GrantRevoked } from '#bus';
import { ApiError } from '#contract';
import { systemClock } from '#config';
import {
  Attempts,
  createDispatcher,
  type EgressPolicy,
  EgressRefused,
  type OutgoingFetch,
  sendText,
} from '#egress';
import { basicAuthorization } from '#oauth';
import type { Manifest } from '#provider-document';
import { type HostApplication, proofOf } from './authorization-server.js';

type Declared = NonNullable<Manifest['authorization']>;
type Revocation = Extract<Declared['revocation'], { url: string }>;

interface Tokens {
  access: string;
  refresh: string | null;
}

const timeoutMs = 15_000;
/** Codes by which a provider says that it takes the token no more. */
const isOver = /^(invalid_auth|token_revoked|token_expired|account_inactive|invalid_token)$/;

/**
 * Returns where tokens of an application are given back; undefined where the application has addresses of its own, and none for this.
 * It has the origin of the token address, so that nobody who may change one field gets secrets sent elsewhere.
 */
export function revocationAddress(
  url: string,
  { tokenUrl, clientId }: HostApplication,
  declared: Declared,
  config: Record<string, unknown>,
): string | undefined {
  const { origin } = new URL(tokenUrl);
  const own = ((config['extra'] ?? {}) as Record<string, unknown>)['revoke_url'];
  const isDeclared = origin === new URL(declared.token_url).origin;
  const named = typeof own === 'string' ? own : isDeclared ? url : undefined;
  if (named === undefined || !URL.canParse(named)) return undefined;
  if (typeof own === 'string' && new URL(own).origin !== origin) return undefined;
  return named.replace('{client_id}', encodeURIComponent(clientId));
}

/** Gives tokens back to authorization servers: by RFC 7009, or as the vendor has it. */
@Injectable()
export class TokenRevocations implements OnApplicationShutdown {
  private readonly dispatcher: ReturnType<typeof createDispatcher>;
  private readonly attempts = new Attempts({ clock: systemClock });

  constructor(private readonly egress: EgressPolicy) {
    this.dispatcher = createDispatcher(egress, { connections: 4 });
  }

  /** @throws ApiError 502 when the provider may take it later */
  async revoke(
    application: HostApplication,
    declared: Declared,
    { token: place, url, over = [] }: Revocation,
    { access, refresh }: Tokens,
  ): Promise<GrantRevoked> {
    const oauth = await import('oauth4webapi'); // Few installations ever need it.
    const server = { issuer: new URL(url).origin, revocation_endpoint: url };
    const client = { client_id: application.clientId };
    switch (place) {
      case 'bearer':
        // A token that has expired cannot ask for its own end, and the one that renews it still can.
        return best([
          ...(refresh === null ? [] : [await this.send(url, over, bearer(refresh))]),
          await this.send(url, over, bearer(access)),
        ]);
      case 'json': {
        const { clientId, clientSecret } = application;
        const authorization = basicAuthorization(clientId, clientSecret);
        return await this.send(url, over, {
          method: 'DELETE',
          headers: { 'content-type': 'application/json', authorization },
          body: JSON.stringify({ access_token: access }),
        });
      }
      default: {
        const token = refresh ?? access;
        return await this.ask(url, over, (signal) =>
          oauth.revocationRequest(server, client, proofOf(oauth, application, declared), token, {
            additionalParameters: {
              token_type_hint: refresh === null ? 'access_token' : 'refresh_token',
            },
            signal,
            // Whether http is allowed is the egress policy's to say.
            [oauth.allowInsecureRequests]: true,
            [oauth.customFetch]: this.fetch,
          }),
        );
      }
    }
  }

  private async send(
    url: string,
    over: readonly number[],
    options: Parameters<OutgoingFetch>[1],
  ): Promise<GrantRevoked> {
    return await this.ask(url, over, (signal) => this.fetch(url, { ...options, signal }));
  }

  /** To end a token twice does no harm. */
  private readonly fetch: OutgoingFetch = async (url, { method, headers, body, signal }) => {
    const { dispatcher, attempts, egress: policy } = this;
    const response = await sendText(
      { method, url: new URL(url), headers, body: body?.toString(), isRepeatable: true },
      { dispatcher, attempts, policy },
      {
        organizationId: new URL(url).host,
        deadline: Date.now() + timeoutMs,
        signal: signal ?? AbortSignal.timeout(timeoutMs),
      },
    );
    const { status, text } = response;
    return new Response(status === 204 ? null : text, { status });
  };

  private async ask(
    url: string,
    over: readonly number[],
    request: (signal: AbortSignal) => Promise<Response>,
  ): Promise<GrantRevoked> {
    let answer: Response;
    try {
      answer = await request(AbortSignal.timeout(timeoutMs));
    } catch (error) {
      const isRefused = error instanceof TypeError && error.cause instanceof EgressRefused;
      if (isRefused || error instanceof EgressRefused)
        return { outcome: 'left', reason: 'this service may not call the provider' };
      if (error instanceof ApiError) throw error;
      // The cause is left out: it may hold the request, and so the token.
      throw new ApiError(502, `${new URL(url).host} did not answer`, {});
    }
    const { status } = answer;
    const error = errorIn(await answer.text());
    if (over.includes(status)) return endedBefore(error ?? `status ${status}`);
    return outcomeOf(status, error, new URL(url).host);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher.destroy();
  }
}

function endedBefore(said: string): GrantRevoked {
  return { outcome: 'over', reason: `the provider took the token no more (${said})` };
}

/** @param error code in the response @throws ApiError 502 for an answer that another attempt may not get */
function outcomeOf(status: number, error: string | undefined, host: string): GrantRevoked {
  if (status < 300 && error === undefined) return { outcome: 'revoked' };
  const said = error === undefined ? `status ${status}` : `status ${status}, ${error}`;
  if (error !== undefined && isOver.test(error)) return endedBefore(error);
  const again = status === 429 || status >= 500 || error === 'ratelimited';
  if (again) throw new ApiError(502, `${host} did not take the token back (${said})`, {});
  return { outcome: 'left', reason: `the provider answered ${said}` };
}

/** The better of two: one token of the grant is enough for the provider to end it. */
function best(outcomes: readonly GrantRevoked[]): GrantRevoked {
  const order = ['revoked', 'left', 'over', 'kept'];
  const [first] = outcomes.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  return first ?? { outcome: 'left', reason: 'there was no token' };
}

/** The error code of a response, as OAuth and Slack have it. Only what looks like one is repeated. */
function errorIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error !== 'string') return undefined;
    return /^[\w.-]{1,60}$/.test(error) ? error : 'error';
  } catch {
    return undefined; // empty, or not JSON: the status decides
  }
}

function bearer(token: string): Parameters<OutgoingFetch>[1] {
  return { method: 'POST', headers: { authorization: `Bearer ${token}` } };
}
