import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Bus, type ResolvedIntegration } from '#bus';

/** If its event is lost, a change takes effect after this time. */
const freshMs = 1_000;
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
      bus.subscribe('integration.changed', ({ integrationId }) =>
        integrationId === undefined ? this.known.clear() : this.known.delete(integrationId),
      ),
      bus.onReconnect(() => this.known.clear()),
    ];
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
    this.known.set(integrationId, { resolved, until: Date.now() + freshMs });
    resolved.catch(() => this.known.delete(integrationId)); // failures are not cached
    return await resolved;
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }
}
