import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Bus, type Introspection, type Origin, type RefusedSecret } from '#bus';
import { hashToken, isToken } from '#secrets';

/** Without an event, a revoked token works this long. */
const freshMs = 1_000;
const mostCallers = 50_000;

type Found = Introspection | RefusedSecret | null;

interface Entry {
  introspection: Promise<Found>;
  until: number;
}

/** Who calls with a secret: asked of the management service, remembered for a second, forgotten when something changes. */
@Injectable()
export class Callers implements OnModuleDestroy {
  private readonly known = new Map<string, Entry>();
  private readonly stops: (() => void)[];

  constructor(private readonly bus: Bus) {
    this.stops = [
      bus.subscribe('token.changed', () => this.known.clear()),
      bus.onReconnect(() => this.known.clear()),
    ];
  }

  /** True when the answer is at hand. */
  has(secret: string): boolean {
    return (this.known.get(secret)?.until ?? 0) > Date.now();
  }

  /** Null for a secret that nobody was ever given. */
  async find(secret: string, origin: Origin): Promise<Found> {
    const now = Date.now();
    const entry = this.known.get(secret);
    if (entry && entry.until > now) return await unexpired(entry.introspection);
    if (!isToken(secret)) return null; // its checksum is wrong: nobody has to look for it
    const introspection = this.bus.call(
      'tokens.introspect',
      { hash: hashToken(secret), origin },
      { requestId: origin.requestId },
    );
    if (this.known.size >= mostCallers) this.known.clear();
    this.known.set(secret, { introspection, until: now + freshMs });
    // What failed is asked again, not remembered.
    introspection.catch(() => this.known.delete(secret));
    return await unexpired(introspection);
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }
}

async function unexpired(pending: Promise<Found>): Promise<Found> {
  const found = await pending;
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
