import {
  allowInsecureRequests,
  clientCredentialsGrantRequest,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  processClientCredentialsResponse,
  ResponseBodyError,
} from 'oauth4webapi';
import { type Dispatcher, fetch as undiciFetch } from 'undici';
import type { Clock } from '#config';
import { ApiError } from '#contract';
import type { EgressPolicy } from '#egress';
import type { Sealer } from '#secrets';
import { sleep } from '../sleep.js';
import { dataKey, type Store, type Transaction, wholeOrganization } from '#store';

/** An access token is fetched anew this long before it expires. */
const earlierMs = 60_000;
const usualSeconds = 300;
const mostKnown = 10_000;

export interface TokenRequest {
  organizationId: string;
  accountId: string;
  credentialId: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string | undefined;
  parameters: readonly [string, string][];
  client: 'basic' | 'body';
}

interface Known {
  token: string;
  expiresAt: number;
}

/**
 * Access tokens of client credentials. A token is fetched once for all replicas: the one that holds the credential's lock in the
 * database fetches, the others find what it stored, sealed.
 */
export class AccessTokens {
  private readonly known = new Map<string, Known>();
  private readonly underway = new Map<string, Promise<Known>>();

  constructor(
    private readonly store: Store,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    private readonly outgoing: { dispatcher: Dispatcher; policy: EgressPolicy },
  ) {}

  /** @param stale a token that the provider has refused @throws ApiError 502 when the provider gives none */
  async get(
    request: TokenRequest,
    stale: string | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    const key = JSON.stringify([
      request.credentialId,
      request.tokenUrl,
      request.scope,
      request.parameters,
    ]);
    const found = this.known.get(key);
    if (found && this.isGood(found, stale)) return found.token;
    const running =
      this.underway.get(key) ??
      this.fetchOnce(key, request, stale, signal).finally(() => this.underway.delete(key));
    this.underway.set(key, running);
    const made = await running;
    if (this.known.size >= mostKnown) this.known.clear();
    this.known.set(key, made);
    return made.token;
  }

  private isGood({ token, expiresAt }: Known, stale: string | undefined): boolean {
    return token !== stale && expiresAt - earlierMs > this.clock.now();
  }

  private async fetchOnce(
    key: string,
    request: TokenRequest,
    stale: string | undefined,
    signal: AbortSignal,
  ): Promise<Known> {
    const { organizationId, accountId } = request;
    const stored = await this.store.write(wholeOrganization(organizationId), async (tx) =>
      this.read(tx, key, accountId),
    );
    if (stored && this.isGood(stored, stale)) return stored;
    // No transaction is open while the provider is asked: a row says who asks, and until when.
    for (;;) {
      const mine = await this.store.write(wholeOrganization(organizationId), (tx) =>
        this.claim(tx, key, organizationId),
      );
      if (mine) break;
      await sleep(100, signal);
      const now = await this.store.write(wholeOrganization(organizationId), (tx) =>
        this.read(tx, key, accountId),
      );
      if (now && this.isGood(now, stale)) return now;
    }
    try {
      // It may have been stored between the look and the claim.
      const meanwhile = await this.store.write(wholeOrganization(organizationId), (tx) =>
        this.read(tx, key, accountId),
      );
      const isThere = meanwhile !== undefined && this.isGood(meanwhile, stale);
      const made = isThere ? meanwhile : await this.fetch(request, signal);
      await this.store.write(wholeOrganization(organizationId), async (tx) => {
        const wrapped = await dataKey(tx, this.sealer, accountId, new Date(this.clock.now()));
        await tx.query(
          `update provider_tokens set sealed = $3, expires_at = $4, claimed_until = null
           where organization_id = $1 and key = md5($2)`,
          [
            organizationId,
            key,
            this.sealer.seal(wrapped, accountId, made.token),
            new Date(made.expiresAt),
          ],
        );
      });
      return made;
    } catch (error) {
      await this.store.write(wholeOrganization(organizationId), (tx) =>
        tx.query(
          'update provider_tokens set claimed_until = null where organization_id = $1 and key = md5($2)',
          [organizationId, key],
        ),
      );
      throw error;
    }
  }

  private async read(tx: Transaction, key: string, accountId: string): Promise<Known | undefined> {
    const [row] = await tx.query<{ sealed: string | null; expires_at: Date | null }>(
      'select sealed, expires_at from provider_tokens where organization_id = $1 and key = md5($2)',
      [tx.scope.organizationId, key],
    );
    if (!row?.sealed || !row.expires_at) return undefined;
    return {
      token: this.sealer.open(accountId, row.sealed).reveal(),
      expiresAt: row.expires_at.getTime(),
    };
  }

  private async claim(tx: Transaction, key: string, organizationId: string): Promise<boolean> {
    const rows = await tx.query(
      `insert into provider_tokens (organization_id, key, claimed_until) values ($1, md5($2), now() + interval '15 seconds')
       on conflict (organization_id, key) do update set claimed_until = excluded.claimed_until
         where provider_tokens.claimed_until is null or provider_tokens.claimed_until < now()
       returning 1`,
      [organizationId, key],
    );
    return rows.length > 0;
  }

  private async fetch(request: TokenRequest, signal: AbortSignal): Promise<Known> {
    const url = this.outgoing.policy.checkUrl(request.tokenUrl);
    const server = { issuer: url.origin, token_endpoint: url.href };
    const client = { client_id: request.clientId };
    const authentication =
      request.client === 'body'
        ? ClientSecretPost(request.clientSecret)
        : ClientSecretBasic(request.clientSecret);
    const parameters = new URLSearchParams(request.parameters as [string, string][]);
    if (request.scope) parameters.set('scope', request.scope);
    try {
      const response = await clientCredentialsGrantRequest(
        server,
        client,
        authentication,
        parameters,
        {
          signal,
          // Whether http is allowed is the egress policy's to say.
          [allowInsecureRequests]: true,
          [customFetch]: (input: string, init: object) =>
            undiciFetch(input, {
              ...init,
              dispatcher: this.outgoing.dispatcher,
            }),
        },
      );
      const token = await processClientCredentialsResponse(server, client, response);
      return {
        token: token.access_token,
        expiresAt: this.clock.now() + (token.expires_in ?? usualSeconds) * 1000,
      };
    } catch (error) {
      if (signal.aborted) throw error;
      const said =
        error instanceof ResponseBodyError
          ? `${error.error} ${error.error_description ?? ''}`.trim()
          : undefined;
      throw new ApiError(
        502,
        `${url.origin} gives no access token for the credential ${request.credentialId}${said ? `: ${said}` : ''}`,
        {
          remediation: 'Check client id, client secret and scope of the credential.',
          context: {
            provider_details: {
              token_url: `${url.origin}${url.pathname}`,
              credential_id: request.credentialId,
            },
          },
          cause: error,
        },
      );
    }
  }
}
