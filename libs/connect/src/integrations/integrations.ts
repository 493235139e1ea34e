import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Bus, type LookUpStart, RecordChanges, type ResolvedIntegration } from '#bus';

const maxIntegrations = 10_000;
/** Memory for all of them: mappings and provider documents are texts of their customers, of up to 262,144 characters each. */
export const maxBytes = 67_108_864;
/** Size of one that is being looked up. */
const unknownBytes = 1;

interface Entry {
  start: LookUpStart;
  resolved: Promise<ResolvedIntegration>;
  /** The result, once it is there. */
  found?: { integration: ResolvedIntegration; ids: readonly string[] };
}

/** Caches integrations, which the management service resolves, until they change, for a minute at most ({@link RecordChanges}). */
@Injectable()
export class Integrations implements OnModuleDestroy {
  private readonly known = new LRUCache<string, Entry>({ max: maxIntegrations, maxSize: maxBytes });
  readonly changes: RecordChanges;

  constructor(private readonly bus: Bus) {
    this.changes = new RecordChanges(bus);
  }

  /** Resolves integrations that depend on a record anew at their next call, or all without an id. Calls that begin now do not see what was before. */
  forget(id?: string): void {
    this.changes.forget(id);
  }

  /** @throws ApiError 404 if the integration does not exist any more */
  async find(
    organizationId: string,
    integrationId: string,
    requestId: string,
  ): Promise<ResolvedIntegration> {
    const entry = this.known.get(integrationId);
    if (entry !== undefined && this.isCurrent(entry)) {
      const found = entry.found?.integration ?? (await entry.resolved);
      if (found.organizationId === organizationId) return found;
    }
    const start = this.changes.begin();
    const resolved = this.bus.call(
      'integrations.resolve',
      { organizationId, integrationId },
      { requestId },
    );
    const fresh: Entry = { start, resolved };
    this.known.set(integrationId, fresh, { size: unknownBytes });
    try {
      const integration = await resolved;
      const found = { integration, ids: idsOf(integration) };
      // A new entry, because the size of one stays. One that is larger than all may be is not kept, and is looked up by each call.
      if (this.known.peek(integrationId) === fresh)
        this.known.set(
          integrationId,
          { ...fresh, found },
          { size: JSON.stringify(integration).length },
        );
      return integration;
    } catch (error) {
      if (this.known.peek(integrationId) === fresh) this.known.delete(integrationId); // failures are not cached
      throw error;
    }
  }

  /** Those that are remembered, and the bytes of their texts. */
  get held(): { count: number; bytes: number } {
    return { count: this.known.size, bytes: this.known.calculatedSize };
  }

  onModuleDestroy(): void {
    this.changes.close();
  }

  private isCurrent({ start, found }: Entry): boolean {
    if (found === undefined) return this.changes.isCurrentWhileRunning(start);
    return this.changes.isCurrent(start, found.ids, Number.POSITIVE_INFINITY);
  }
}

/** The records that an integration depends on. Others are told as its account or its organization. */
function idsOf(found: ResolvedIntegration): readonly string[] {
  const { id, accountId, organizationId, credentials, bridge } = found;
  return [id, accountId, organizationId, ...Object.keys(credentials), ...(bridge?.groups ?? [])];
}
