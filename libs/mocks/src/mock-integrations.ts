import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import { EgressPolicy } from '#egress';
import {
  FakeDispatcher,
  type FakeDocument,
  FakeEngine,
  type FakeStorage,
  MemoryStorage,
  StoreStorage,
} from '#fakes';
import type { CompiledProvider } from '#provider-document';
import { type OpenedCredential, ProviderHttp } from '#provider-http';
import { type Store, wholeOrganization } from '#store';
import { mockCredentials } from './mock-credentials.js';
import { MockTokens } from './mock-tokens.js';

export interface MockParts {
  store: Pick<Store, 'select' | 'write'>;
  clock: Clock;
  /** How many times larger than the basic company. */
  scale: number;
  /** Shared by all vendors. */
  opened: OpenMocks;
}

/** An integration of a mock, ready to be called. */
export interface OpenMock {
  http: ProviderHttp;
  credentials: ReadonlyMap<string, OpenedCredential>;
  /** Size of what the integration has changed, as JSON. */
  changedBytes(): number;
}

interface Kept {
  mock: OpenMock;
  size: number;
}

/** The open integrations of a process; the least recently used is closed first. */
export class OpenMocks {
  private readonly kept = new LRUCache<string, Kept>({
    max: maxOpen,
    maxSize: maxOpenBytes,
    sizeCalculation: ({ size }) => size,
  });

  find(key: string): OpenMock | undefined {
    const found = this.kept.get(key);
    // It may have grown since it was used last.
    if (found !== undefined && sizeOf(found.mock) !== found.size) this.keep(key, found.mock);
    return found?.mock;
  }

  keep(key: string, mock: OpenMock): void {
    this.kept.set(key, { mock, size: sizeOf(mock) });
  }

  get size(): number {
    return this.kept.size;
  }
}

function sizeOf(mock: OpenMock): number {
  return openBytes + 2 * mock.changedBytes();
}

/** Integrations that a process keeps open, and their size in memory. Another is opened within milliseconds, and reads what was changed. */
const maxOpen = 500;
const maxOpenBytes = 67_108_864;
/** Size of an open integration without its changes. A change takes about twice the memory of its JSON. */
const openBytes = 50_000;
/**
 * The world of an integration begins at the full hour before its creation, so that integrations of the same hour share one: a world takes
 * much more memory than what an integration adds to it.
 */
const startsEveryMs = 3_600_000;

/** Nothing leaves the process, whatever the address. */
const anywhere = new EgressPolicy(['0.0.0.0/0', '::/0']);
/** A fake counts requests by itself. */
const permits = { acquire: () => Promise.resolve(() => undefined) };
const log = new Logger('mocks');

/** Plays the vendor of one provider for each of its mock integrations. */
export class MockIntegrations {
  constructor(
    private readonly provider: CompiledProvider,
    private readonly fake: FakeDocument,
    private readonly parts: MockParts,
  ) {}

  /** Opens an integration: its vendor remembers in the database what it changes. */
  open(integration: ResolvedIntegration): OpenMock {
    const { id, organizationId, createdAt, providerConfig } = integration;
    // Another dataset is another world.
    const { provider: type } = this.provider.source;
    const key = JSON.stringify([type, id, createdAt, providerConfig['dataset']]);
    const { opened, store } = this.parts;
    const known = opened.find(key);
    if (known !== undefined) return known;
    const storage = new StoreStorage(store, wholeOrganization(organizationId), id);
    const mock = this.make(integration, storage, () => storage.bytes);
    opened.keep(key, mock);
    return mock;
  }

  /** Opens an integration that is tried before it is stored. */
  openUnstored(integration: Pick<ResolvedIntegration, 'id' | 'providerConfig'>): OpenMock {
    const createdAt = new Date(this.parts.clock.now()).toISOString();
    return this.make({ ...integration, createdAt }, new MemoryStorage(), () => 0);
  }

  private make(
    {
      id,
      createdAt,
      providerConfig,
    }: Pick<ResolvedIntegration, 'id' | 'createdAt' | 'providerConfig'>,
    storage: FakeStorage,
    changedBytes: () => number,
  ): OpenMock {
    const { clock, scale } = this.parts;
    const created = Date.parse(createdAt);
    const engine = new FakeEngine(this.fake, {
      storage,
      clock: () => clock.now(),
      start: new Date(created - (created % startsEveryMs)),
      dataset: providerConfig['dataset'] === 'empty_v0' ? 'EMPTY' : 'BASIC',
      scale,
      // It need not be secret, because only this process can call the fake, but it differs between integrations.
      key: id,
      maxLogged: 0,
      onViolation: ({ place, message }) =>
        log.error(`mock ${this.provider.source.provider}: ${place}: ${message}`),
    });
    const dispatcher = new FakeDispatcher(engine);
    const tokens = new MockTokens({ dispatcher, policy: anywhere }, clock);
    return {
      // It calls no more than the hosts that the document names.
      http: new ProviderHttp({ dispatcher, policy: anywhere, permits, tokens, clock, maxHosts: 8 }),
      changedBytes,
      credentials: mockCredentials(this.provider, this.fake, engine.credentials(), id),
    };
  }
}
