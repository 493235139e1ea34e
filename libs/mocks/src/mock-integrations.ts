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
}

/** An integration of a mock, ready to be called. */
export interface OpenMock {
  http: ProviderHttp;
  credentials: ReadonlyMap<string, OpenedCredential>;
}

/** Engines that a process keeps for each provider. Another is made within milliseconds, and reads what its integration has changed. */
const maxEngines = 50;
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
  private readonly known = new LRUCache<string, OpenMock>({ max: maxEngines });

  constructor(
    private readonly provider: CompiledProvider,
    private readonly fake: FakeDocument,
    private readonly parts: MockParts,
  ) {}

  /** Opens an integration: its vendor remembers in the database what it changes. */
  open(integration: ResolvedIntegration): OpenMock {
    const { id, organizationId, createdAt, providerConfig } = integration;
    // Another dataset is another world.
    const key = JSON.stringify([id, createdAt, providerConfig['dataset']]);
    let mock = this.known.get(key);
    if (mock === undefined) {
      const scope = wholeOrganization(organizationId);
      mock = this.make(integration, new StoreStorage(this.parts.store, scope, id));
      this.known.set(key, mock);
    }
    return mock;
  }

  /** Opens an integration that is tried before it is stored. */
  openUnstored(integration: Pick<ResolvedIntegration, 'id' | 'providerConfig'>): OpenMock {
    const createdAt = new Date(this.parts.clock.now()).toISOString();
    return this.make({ ...integration, createdAt }, new MemoryStorage());
  }

  private make(
    {
      id,
      createdAt,
      providerConfig,
    }: Pick<ResolvedIntegration, 'id' | 'createdAt' | 'providerConfig'>,
    storage: FakeStorage,
  ): OpenMock {
    const { clock } = this.parts;
    const created = Date.parse(createdAt);
    const engine = new FakeEngine(this.fake, {
      storage,
      clock: () => clock.now(),
      start: new Date(created - (created % startsEveryMs)),
      dataset: providerConfig['dataset'] === 'empty_v0' ? 'EMPTY' : 'BASIC',
      // It need not be secret, because only this process can call the fake, but it differs between integrations.
      key: id,
      maxLogged: 0,
      onViolation: ({ place, message }) =>
        log.error(`mock ${this.provider.source.provider}: ${place}: ${message}`),
    });
    const dispatcher = new FakeDispatcher(engine);
    const tokens = new MockTokens({ dispatcher, policy: anywhere }, clock);
    return {
      http: new ProviderHttp({ dispatcher, policy: anywhere, permits, tokens, clock }),
      credentials: mockCredentials(this.provider, this.fake, engine.credentials(), id),
    };
  }
}
