import { systemClock } from '#config';
import { RecordChecks } from '#connect';
import { loadValidators, type Operation } from '#contract';
import { NoPauses } from '#egress';
import {
  FakeDispatcher,
  type FakeDocument,
  FakeEngine,
  type FakeRequest,
  type FakeResponse,
  MemoryStorage,
} from '#fakes';
import { mockCredentials } from '#mocks';
import { fetchToken } from '#provider-http';
import { compiledOf, Engine, type Ran } from '../engine.js';
import { readFakeOf } from '../fake.js';
import type { OurRequest } from '../fixture.js';
import type { ProviderFolder } from '../folders.js';
import { anywhere } from '../tokens.js';

/** One request of a run and the answer to it. */
export interface Answered {
  /** Method, address and body: equal requests get equal answers. */
  key: string;
  response: FakeResponse;
}

/** Rate limits are another check's. */
const unlimited = { requests: 1e6, seconds: 60 };
/** Jobs of a fake go on by this much with every request. */
const requestMs = 150;
const isTokenRequest = ({ url }: FakeRequest) => /token$/.test(new URL(url).pathname);

/** A provider over its fake in this process, as a customer has it: what breaks the contract in a record is moved and named. */
export class FakeRun {
  /** The requests of the last run, without those for tokens. */
  answered: Answered[] = [];
  /** Answers instead of the fake, with the number of the request from 0. */
  answer: ((key: string, index: number) => FakeResponse | undefined) | undefined;
  private now: number;
  /** One for all engines: it warns of the first record of a minute. */
  private readonly checks: RecordChecks;
  private readonly document: FakeDocument;
  private readonly fake: FakeEngine;

  /** @param type id of the provider */
  constructor(
    private readonly folder: ProviderFolder,
    private readonly type: string,
    strict: boolean,
  ) {
    this.checks = new RecordChecks({ strict });
    this.document = readFakeOf(folder);
    const isSigned = this.document.auth?.accepts.some(({ kind }) => kind === 'sigv4') === true;
    const start = isSigned ? new Date() : new Date('2026-11-22T00:00:00Z'); // signatures name the real time
    this.now = start.getTime();
    this.fake = new FakeEngine(this.document, {
      start,
      dataset: 'BASIC',
      key: folder.name,
      clock: () => this.now,
      storage: new MemoryStorage(),
    });
    this.fake.limits.override = unlimited;
  }

  async run(operation: Operation, request: OurRequest): Promise<Ran> {
    await loadValidators(); // Records are held against the contract.
    this.answered = [];
    const engine = this.makeEngine();
    try {
      return await engine.run(operation, request);
    } finally {
      await engine.close();
    }
  }

  private makeEngine(): Engine {
    const { folder, type, checks, fake, document } = this;
    const provider = compiledOf(folder).compiled.find(({ source }) => source.provider === type);
    if (provider === undefined) throw new Error(`${folder.name} has no provider ${type}`);
    const credentials = mockCredentials(provider, document, fake.credentials(), 'kit');
    const slots = [...credentials].map(([slot, { config }]) => [slot, config]);
    const detour = new FakeDispatcher({ handle: (request) => this.handle(request) });
    return new Engine({
      folder,
      detour,
      checks,
      at: this.now,
      configuration: Object.fromEntries([
        ['type', type],
        ...Object.entries(document.mock.configuration),
        ...slots,
      ]) as Record<string, unknown>,
      tokens: {
        get: async (request, _stale, signal) => {
          const outgoing = { dispatcher: detour, policy: anywhere };
          return (await fetchToken(request, outgoing, systemClock, signal)).token;
        },
      },
      pauses: new NoPauses((ms) => (this.now += ms)),
    });
  }

  private async handle(request: FakeRequest): Promise<FakeResponse> {
    if (isTokenRequest(request)) return await this.fake.handle(request);
    this.now += requestMs;
    const body = Buffer.from((request.body ?? new Uint8Array()) as Uint8Array).toString();
    const key = `${request.method} ${request.url} ${body}`;
    const response = this.answer?.(key, this.answered.length) ?? (await this.fake.handle(request));
    this.answered.push({ key, response });
    return response;
  }
}
