import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  Bus,
  type Introspection,
  type LookUpStart,
  maxUnheardMs,
  type Origin,
  RecordChanges,
  type RefusedSecret,
} from '#bus';
import { hashToken, isToken } from '#secrets';
import { addressBlock } from './address-block.js';
import { boundedCache, dropUseless } from './bounded-cache.js';
import { AuthRateLimiter } from './auth-rate-limiter.js';
import { LookupLimiter } from './lookup-limiter.js';

export const maxCallers = 50_000;
/** Maximum number of tokens remembered as valid, which are looked up without waiting for others. */
const maxProven = 100_000;

type Found = Introspection | RefusedSecret | null;

interface Entry {
  introspection: Promise<Found>;
  /** The result of the look-up, once it has ended: most requests then need not wait for a promise. */
  found?: Found;
  /** Undefined until the look-up starts. */
  start?: LookUpStart;
  /** The records that the result depends on. */
  ids?: readonly string[];
}

/**
 * Finds the owner of a token through the management service and caches it until it changes, for a minute at most ({@link RecordChanges}).
 * Refusals are cached for a second. Tokens with a wrong checksum are refused without a look-up, tokens that were valid before are looked up immediately, all others in a {@link LookupLimiter}.
 */
@Injectable()
export class Callers implements OnModuleDestroy {
  private readonly known = boundedCache<Entry>(maxCallers);
  private readonly proven = boundedCache<true>(maxProven);
  private readonly brake = new AuthRateLimiter();
  private readonly lookups = new LookupLimiter(this.brake);
  readonly changes: RecordChanges;

  constructor(private readonly bus: Bus) {
    this.changes = new RecordChanges(bus);
  }

  /** Tokens whose callers are remembered, and look-ups of others that run or wait. */
  get held(): { known: number; lookups: number } {
    return { known: this.known.size, lookups: this.lookups.size };
  }

  /** @param origin where the secret came from, which only a look-up needs @returns null for an unknown secret @throws ApiError 429 or 503 when too many unknown tokens are being looked up */
  find(secret: string, origin: () => Origin): Found | Promise<Found> {
    const entry = this.known.get(secret);
    if (entry && this.isCurrent(entry))
      return entry.found === undefined
        ? entry.introspection.then(unexpired)
        : unexpired(entry.found);
    if (!isToken(secret)) return null;
    const fresh: Entry = { introspection: Promise.resolve(null) };
    const from = origin();
    const lookUp = () => {
      fresh.start = this.changes.begin();
      const asked = { hash: hashToken(secret), origin: from };
      return this.bus.call('tokens.introspect', asked, { requestId: from.requestId });
    };
    fresh.introspection = this.proven.has(secret)
      ? lookUp()
      : this.firstLookUp(secret, addressBlock(from.remoteAddress), lookUp);
    this.known.set(secret, fresh);
    dropUseless(this.known, ({ start }) => start !== undefined && this.changes.isOver(start));
    fresh.introspection.then(
      (found) => {
        fresh.found = found;
        fresh.ids = idsOf(found);
      },
      // A failed look-up is not cached.
      () => this.known.peek(secret) === fresh && this.known.delete(secret),
    );
    return fresh.introspection.then(unexpired);
  }

  onModuleDestroy(): void {
    this.changes.close();
  }

  private isCurrent({ start, found, ids }: Entry): boolean {
    if (start === undefined) return true;
    if (found === undefined) return this.changes.isCurrentWhileRunning(start);
    const { validMs = maxUnheardMs } = found === null || 'refused' in found ? {} : found;
    return this.changes.isCurrent(start, ids ?? [], validMs);
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

function idsOf(found: Found): readonly string[] {
  if (found === null) return [];
  const { organizationId, tokenId, memberId, accountId, integrationId } =
    'refused' in found ? { ...found, tokenId: undefined } : found.caller;
  const ids = [organizationId, tokenId, memberId, accountId, integrationId];
  return ids.filter((id) => id !== undefined && id !== '') as string[];
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
