import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#config';
import { sleep } from '#egress';
import type { Sealer } from '#secrets';
import {
  dataKey,
  providerTokenQueries,
  type Store,
  type Transaction,
  wholeOrganization,
} from '#store';
import type { TokenOutgoing } from './assume-role.js';
import { type AccessToken, maxFetchMs } from './fetch-access-token.js';
import type { Route } from '../sending/route.js';
import { fetchToken, type TokenRequest } from './fetch-token.js';
import { until } from './until.js';

/** An access token is fetched again this long before it expires. */
const earlierMs = 60_000;
export const maxKnown = 10_000;
/** After this time another process may fetch the token instead. */
const claimSeconds = maxFetchMs / 1000 + 1;

/** Source of access tokens. */
export interface TokenSource {
  /**
   * @param stale a token that the provider has refused
   * @param route the way to the provider, if it is not the direct one
   * @throws ApiError 502 if the provider issues none
   */
  get(
    request: TokenRequest,
    stale: string | undefined,
    signal: AbortSignal,
    route?: Route,
  ): Promise<string>;
}

/**
 * Access tokens of client credentials, and temporary keys of roles. A token is fetched once for all replicas: one process
 * claims a row in the database and fetches, the others read the encrypted token that it stores.
 */
export class AccessTokens implements TokenSource {
  private readonly known = new LRUCache<string, AccessToken>({ max: maxKnown });
  private readonly underway = new Map<string, Promise<AccessToken>>();

  constructor(
    private readonly store: Store,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    private readonly outgoing: TokenOutgoing,
  ) {}

  /** Number of tokens that are known, and that are being fetched. */
  get size(): number {
    return this.known.size + this.underway.size;
  }

  async get(
    request: TokenRequest,
    stale: string | undefined,
    signal: AbortSignal,
    route?: Route,
  ): Promise<string> {
    const key = keyOf(request, this.sealer.sealingDomain(request.domain));
    const found = this.known.get(key);
    if (found && this.isGood(found, stale)) return found.token;
    const made = await until(
      signal,
      this.underway.get(key) ?? this.begin(key, request, stale, route),
    );
    this.known.set(key, made);
    return made.token;
  }

  /** Several calls may wait for the same fetch, so it does not end when one of them is cancelled. */
  private begin(
    key: string,
    request: TokenRequest,
    stale: string | undefined,
    route: Route | undefined,
  ): Promise<AccessToken> {
    const signal = AbortSignal.timeout(maxFetchMs);
    const running = this.fetchOnce(key, request, stale, { signal, route }).finally(() =>
      this.underway.delete(key),
    );
    this.underway.set(key, running);
    return running;
  }

  private isGood({ token, expiresAt }: AccessToken, stale: string | undefined): boolean {
    return token !== stale && expiresAt - earlierMs > this.clock.now();
  }

  private async fetchOnce(
    key: string,
    request: TokenRequest,
    stale: string | undefined,
    { signal, route }: { signal: AbortSignal; route: Route | undefined },
  ): Promise<AccessToken> {
    const { organizationId, accountId, domain } = request;
    const stored = await this.store.write(wholeOrganization(organizationId), async (tx) =>
      this.read(tx, key, accountId),
    );
    if (stored && this.isGood(stored, stale)) return stored;
    // No transaction is open during the request to the provider: a row says who fetches, and until when.
    for (;;) {
      const mine = await this.store.write(wholeOrganization(organizationId), (tx) =>
        providerTokenQueries.claim(tx, key, claimSeconds),
      );
      if (mine) break;
      await sleep(100, signal);
      const now = await this.store.write(wholeOrganization(organizationId), (tx) =>
        this.read(tx, key, accountId),
      );
      if (now && this.isGood(now, stale)) return now;
    }
    try {
      // Another process may have stored it before the claim.
      const meanwhile = await this.store.write(wholeOrganization(organizationId), (tx) =>
        this.read(tx, key, accountId),
      );
      const isThere = meanwhile !== undefined && this.isGood(meanwhile, stale);
      const made = isThere
        ? meanwhile
        : await fetchToken(request, { ...this.outgoing, route }, this.clock, signal);
      await this.store.write(wholeOrganization(organizationId), async (tx) => {
        const wrapped = await dataKey(
          tx,
          this.sealer,
          { id: accountId, domain },
          new Date(this.clock.now()),
        );
        const sealed = this.sealer.seal(wrapped, accountId, made.token);
        const expiresAt = new Date(made.expiresAt);
        await providerTokenQueries.save(tx, key, { sealed, expiresAt });
      });
      return made;
    } catch (error) {
      await this.store.write(wholeOrganization(organizationId), (tx) =>
        providerTokenQueries.release(tx, key),
      );
      throw error;
    }
  }

  private async read(
    tx: Transaction,
    key: string,
    accountId: string,
  ): Promise<AccessToken | undefined> {
    const row = await providerTokenQueries.find(tx, key);
    // One that another key seals is fetched again, such as one from before the domain had a key.
    if (!row?.sealed || !row.expires_at || !this.sealer.canOpen(row.sealed)) return undefined;
    return {
      token: this.sealer.open(accountId, row.sealed).reveal(),
      expiresAt: row.expires_at.getTime(),
    };
  }
}

/**
 * Names a token by everything that it depends on. A token is never shared by two accounts, not even that of an unsaved
 * credential; nor by two domains with keys of their own, which cannot open each other's.
 */
function keyOf(request: TokenRequest, domain: string | undefined): string {
  const { organizationId, accountId, credentialId } = request;
  const owner = [
    organizationId,
    accountId,
    credentialId,
    ...(domain === undefined ? [] : [domain]),
  ];
  if ('roleArn' in request) {
    const { roleArn, externalId, sessionName, duration } = request;
    return JSON.stringify([...owner, roleArn, externalId, sessionName, duration]);
  }
  const { tokenUrl, scope, parameters, claims, clientId, clientSecret } = request;
  // A replaced secret needs a new token, which also shows whether the secret is valid.
  const secret = createHash('sha256').update(clientSecret).digest('base64');
  return JSON.stringify([...owner, tokenUrl, scope, parameters, clientId, secret, claims]);
}
