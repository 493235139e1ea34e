import { isDeepStrictEqual } from 'node:util';
import { loadValidators } from '#contract';
import { NoPauses } from '#egress';
import { Redactor } from '#provider-http';
import { Engine, type Ran } from './engine.js';
import {
  type Exchange,
  integrationOf,
  type NamedFixture,
  type NamedVerification,
  secretMark,
  type TheirRequest,
} from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { writeBody } from './message.js';
import { identityOf } from './record-identity.js';
import { type Arrived, type Given, ProviderServer } from './provider-server.js';
import { fixedToken } from './tokens.js';

/** Secret of every replay: if it is shown anywhere, a secret is leaked. */
export const canary = 'canary-0b7d61c2f3';
/** Access token that the secret is exchanged for. */
const canaryToken = `${canary}-access`;

export interface ReplayOptions {
  /** Answers before the recorded responses. */
  first?: (arrived: Arrived) => Given | undefined;
  /** Changes a recorded response. */
  change?: (arrived: Arrived, given: Given) => Given;
  /** Answers one of the recorded calls, and its repetitions, in place of the provider. */
  instead?: { index: number; give: (arrived: Arrived) => Given };
  /** Time for the call. */
  budgetMs?: number | undefined;
  /** Identifies a call by its method and path only, because its filters differ. */
  lenient?: boolean;
  pageSize?: number;
}

/** Returns the recorded configuration with the canary as its secrets. */
export function configurationOf(folder: ProviderFolder): Record<string, unknown> {
  const text = JSON.stringify(integrationOf(folder)).replaceAll(secretMark, canary);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Provider of a fixture: it answers each recorded call once, and no other. */
export class Replay {
  readonly faults: string[] = [];
  readonly arrived: Arrived[] = [];
  /** How long a connector would have paused before repeated calls. */
  pausedMs = 0;
  private readonly left: { index: number; exchange: Exchange }[];
  private server!: ProviderServer;
  private engines: Engine[] = [];

  private constructor(
    private readonly folder: ProviderFolder,
    private readonly fixture: NamedFixture | NamedVerification,
    private readonly options: ReplayOptions,
  ) {
    const exchanges = options.lenient ? eachOnce(fixture.exchanges) : fixture.exchanges;
    this.left = exchanges.map((exchange, index) => ({ index, exchange }));
  }

  static async of(
    folder: ProviderFolder,
    fixture: NamedFixture | NamedVerification,
    options: ReplayOptions = {},
  ): Promise<Replay> {
    const replay = new Replay(folder, fixture, options);
    const redactor = new Redactor();
    redactor.add(canaryToken);
    redactor.add(canary);
    replay.server = await ProviderServer.start(
      (arrived) => replay.answer(arrived),
      (text) => redactor.mask(text),
    );
    return replay;
  }

  /** Creates an engine in the state of a new process. */
  engine(): Engine {
    const { folder, fixture } = this;
    const engine = new Engine({
      folder,
      configuration: configurationOf(folder),
      detour: this.server.url,
      at: Date.parse(fixture.at),
      pageSize: fixture.page_size,
      tokens: fixedToken(canaryToken),
      budgetMs: this.options.budgetMs,
      pauses: new NoPauses((ms) => (this.pausedMs += ms)),
    });
    this.engines.push(engine);
    return engine;
  }

  /** Runs the fixture's own request. */
  async run(query?: Record<string, unknown>, meta?: readonly string[]): Promise<Ran> {
    if (this.fixture.operation === undefined) return await this.engine().verify();
    const { request, operation } = this.fixture;
    const asked = query === undefined ? request : { ...request, query };
    return await this.engine().run(operation, asked, meta);
  }

  /** Lists recorded calls that were not made. */
  get missing(): string[] {
    return this.left.map(
      ({ exchange: { request } }) => `${request.method} ${request.url} was not called`,
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.close()));
    await this.server.stop();
  }

  private answer(arrived: Arrived): Given {
    this.arrived.push(arrived);
    const first = this.options.first?.(arrived);
    if (first !== undefined) return first;
    const { instead } = this.options;
    const found = this.left.findIndex(({ exchange }) => this.fits(exchange.request, arrived.shown));
    const taken = this.left[found] ?? this.redirection(arrived);
    if (taken === undefined) {
      const { method, url } = arrived.shown;
      this.faults.push(
        `${method} ${url} was called, which differs from the recording: ${JSON.stringify(arrived.shown)}`,
      );
      return { status: 599, bytes: Buffer.from('the fixture has no such call') };
    }
    if (taken.index === instead?.index) {
      const given = instead.give(arrived);
      // No time has to pass: that the call has arrived is enough.
      if (given.fault === 'silent') for (const engine of this.engines) engine.timeOut();
      return given;
    }
    if (found >= 0) this.left.splice(found, 1);
    const { status, headers = {} } = taken.exchange.response;
    const given = { status, headers, bytes: writeBody(taken.exchange.response) };
    return this.options.change?.(arrived, given) ?? given;
  }

  /** A call that fails after a redirect is repeated from the redirect on. */
  private redirection({ shown }: Arrived): { index: number; exchange: Exchange } | undefined {
    if (this.options.instead === undefined) return undefined;
    const index = this.fixture.exchanges.findIndex(
      ({ request, response }) =>
        response.headers?.['location'] !== undefined && this.fits(request, shown),
    );
    const exchange = this.fixture.exchanges[index];
    return exchange && { index, exchange };
  }

  private fits(recorded: TheirRequest, shown: TheirRequest): boolean {
    if (!this.options.lenient) return isDeepStrictEqual(recorded, shown);
    const [one, other] = [new URL(recorded.url), new URL(shown.url)];
    return recorded.method === shown.method && one.pathname === other.pathname;
  }
}

/** Pages of another size than the provider's read some rows twice; the whole list has each once. */
function eachOnce(exchanges: Exchange[]): Exchange[] {
  return exchanges.filter(
    ({ request }, index) =>
      exchanges.findIndex((one) => isDeepStrictEqual(one.request, request)) === index,
  );
}

/** Runs work with the replay of a fixture. */
export async function withReplay<T>(
  folder: ProviderFolder,
  fixture: NamedFixture | NamedVerification,
  options: ReplayOptions,
  work: (replay: Replay) => Promise<T>,
): Promise<T> {
  await loadValidators(); // A patched record is checked against the contract.
  const replay = await Replay.of(folder, fixture, options);
  try {
    return await work(replay);
  } finally {
    await replay.stop();
  }
}

/** Reads all pages. @param engine returns the process that each page is requested from */
export async function walkPages(
  fixture: NamedFixture,
  engine: () => Engine,
): Promise<{ pages: string[][]; failed?: Ran['answer'] }> {
  const { operation, request } = fixture;
  const pages: string[][] = [];
  let cursor = '';
  do {
    const query = { ...request.query, ...(cursor === '' ? {} : { cursor }) };
    const { answer } = await engine().run(operation, { ...request, query });
    const { result, cursor: next = '' } = (answer.body ?? {}) as {
      result?: Record<string, unknown>[];
      cursor?: string;
    };
    if (result === undefined || answer.status >= 300) return { pages, failed: answer };
    pages.push(result.map(identityOf));
    cursor = next;
  } while (cursor !== '');
  return { pages };
}
