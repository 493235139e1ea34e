import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Bus, type Introspection, type Origin, type RefusedSecret } from '#bus';
import { hashToken, isToken } from '#secrets';
import { addressBlock } from './address-block.js';
import { boundedCache } from './bounded-cache.js';
import { AuthRateLimiter } from './auth-rate-limiter.js';
import { LookupLimiter } from './lookup-limiter.js';

/** How long a revoked token works if the event of its change is lost. */
export const freshMs = 1_000;
export const maxCallers = 50_000;
/** Maximum number of tokens remembered as valid, which are looked up without waiting for others. */
const maxProven = 100_000;

type Found = Introspection | RefusedSecret | null;

interface Entry {
  introspection: Promise<Found>;
  /** The result of the look-up, once it has ended: most requests then need not wait for a promise. */
  found?: Found;
  /** Epoch milliseconds; infinite until the look-up starts. */
  until: number;
}

/**
 * Finds the owner of a token through the management service and caches it for a second, or until it changes. Tokens with a wrong
 * checksum are refused without a look-up, tokens that were valid before are looked up immediately, all others in a {@link LookupLimiter}.
 */
@Injectable()
export class Callers implements OnModuleDestroy {
  private readonly known = boundedCache<Entry>(maxCallers);
  private readonly proven = boundedCache<true>(maxProven);
  private readonly brake = new AuthRateLimiter();
  private readonly lookups = new LookupLimiter(this.brake);
  private readonly stops: (() => void)[];

  constructor(private readonly bus: Bus) {
    this.stops = [
      bus.subscribe('token.changed', () => this.known.clear()),
      bus.onReconnect(() => this.known.clear()),
    ];
  }

  /** Tokens whose callers are remembered, and look-ups of others that run or wait. */
  get held(): { known: number; lookups: number } {
    return { known: this.known.size, lookups: this.lookups.size };
  }

  /** @param origin where the secret came from, which only a look-up needs @returns null for an unknown secret @throws ApiError 429 or 503 when too many unknown tokens are being looked up */
  find(secret: string, origin: () => Origin): Found | Promise<Found> {
    const entry = this.known.get(secret);
    if (entry && entry.until > Date.now())
      return entry.found === undefined
        ? entry.introspection.then(unexpired)
        : unexpired(entry.found);
    if (!isToken(secret)) return null;
    const fresh: Entry = { introspection: Promise.resolve(null), until: Number.POSITIVE_INFINITY };
    const from = origin();
    const lookUp = () => {
      fresh.until = Date.now() + freshMs;
      const asked = { hash: hashToken(secret), origin: from };
      return this.bus.call('tokens.introspect', asked, { requestId: from.requestId });
    };
    fresh.introspection = this.proven.has(secret)
      ? lookUp()
      : this.firstLookUp(secret, addressBlock(from.remoteAddress), lookUp);
    this.known.set(secret, fresh);
    fresh.introspection.then(
      (found) => {
        fresh.found = found;
      },
      // A failed look-up is not cached.
      () => this.known.peek(secret) === fresh && this.known.delete(secret),
    );
    return fresh.introspection.then(unexpired);
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }

  private async firstLookUp(
    secret: string,
    block: string,
    lookUp: () => Promise<Found>,
  ): Promise<Found> {
    const found = await this.lookups.run(block, lookUp);
    if (found === null) this.brake.failed(block);
    else if (!('refused' in found)) this.proven.set(secret, true);
    return found;
  }
}

function unexpired(found: Found): Found {
  if (found === null || 'refused' in found || found.expiresAt > Date.now()) return found;
  const { organizationId, memberId, accountId, integrationId } = found.caller;
  return {
    refused: 'expired',
    organizationId,
    memberId,
    ...(accountId === undefined ? {} : { accountId }),
    ...(integrationId === undefined ? {} : { integrationId }),
  };
}
