import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Bus, maxUnheardMs, type ResolvedIntegration } from '#bus';

const maxIntegrations = 10_000;

interface Entry {
  resolved: Promise<ResolvedIntegration>;
  until: number;
}

/** Caches integrations, which the management service resolves, for a second or until they change. */
@Injectable()
export class Integrations implements OnModuleDestroy {
  private readonly known = new LRUCache<string, Entry>({ max: maxIntegrations });
  private readonly stops: (() => void)[];

  constructor(private readonly bus: Bus) {
    this.stops = [
      bus.subscribe('integration.changed', ({ integrationId }) => this.forget(integrationId)),
      bus.onReconnect(() => this.known.clear()),
    ];
  }

  /** Resolves an integration anew at the next call, or all without an id. Calls that begin now do not see what was before. */
  forget(integrationId?: string): void {
    if (integrationId === undefined) this.known.clear();
    else this.known.delete(integrationId);
  }

  /** @throws ApiError 404 if the integration does not exist any more */
  async find(
    organizationId: string,
    integrationId: string,
    requestId: string,
  ): Promise<ResolvedIntegration> {
    const entry = this.known.get(integrationId);
    if (entry !== undefined && entry.until > Date.now()) {
      const found = await entry.resolved;
      if (found.organizationId === organizationId) return found;
    }
    const resolved = this.bus.call(
      'integrations.resolve',
      { organizationId, integrationId },
      { requestId },
    );
    this.known.set(integrationId, { resolved, until: Date.now() + maxUnheardMs });
    resolved.catch(() => this.known.delete(integrationId)); // failures are not cached
    return await resolved;
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }
}
