import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Bus, type Introspection } from '#bus';
import { hashToken, isToken } from '#secrets';

/** Without an event, a revoked token works this long. */
const freshMs = 1_000;
const mostCallers = 50_000;

interface Entry {
  introspection: Promise<Introspection | null>;
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

  async find(secret: string, requestId: string): Promise<Introspection | null> {
    const now = Date.now();
    const entry = this.known.get(secret);
    if (entry && entry.until > now) return await unexpired(entry.introspection);
    if (!isToken(secret)) return null; // its checksum is wrong: nobody has to look for it
    const introspection = this.bus.call(
      'tokens.introspect',
      { hash: hashToken(secret) },
      { requestId },
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

async function unexpired(pending: Promise<Introspection | null>): Promise<Introspection | null> {
  const found = await pending;
  return found && found.expiresAt > Date.now() ? found : null;
}
