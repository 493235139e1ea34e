import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher, errors } from 'undici';
import { collect, type ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import { Connector, type Provider, RecordChecks, Usage } from '#connect';
import {
  ApiError,
  type Call,
  type Operation,
  type OperationId,
  StreamReply,
  type Upload,
} from '#contract';
import { Budgets, formatJson } from '@onefold/mapping';
import { Pauses } from '#egress';
import { domainOf } from '#provider-document';
import { type ClientCertificate, ProviderHttp, type TokenSource } from '#provider-http';
import { type Key, keyOf, Sealer } from '#secrets';
import type { Store } from '#store';
import type { OurAnswer, OurRequest } from './fixture.js';
import { compiledOf } from './compiled-folder.js';
import { noting } from './document-failures.js';
import type { ProviderFolder } from './folders.js';
import { readBody, writeBody } from './message.js';
import { anywhere } from './tokens.js';

/** Header with the original address of a call that is sent to the server of the kit. */
export const originHeader = 'x-kit-origin';
/** Header of a call that a connector would make with a client certificate. */
export const certificateHeader = 'x-kit-certificate';

const defaultBudgetMs = 60_000;
/** Room for as many hosts is made at once, and an engine is made for every replay. */
const maxHosts = 100;

/** The result of a call. */
export interface Ran {
  answer: OurAnswer;
  /** The error in the form that the log would contain. */
  error?: unknown;
  /** Places of the document's `checks` and `errors` that occurred. */
  met: string[];
  /** The last message that the document read from the provider's responses. */
  words: string | undefined;
  /** State of the integration after the operation. */
  state?: string | undefined;
}

export interface EngineOptions {
  folder: ProviderFolder;
  /** `provider_config`, with the secrets of its credentials. */
  configuration: Record<string, unknown>;
  /** The server that receives every call, whatever its address, or a dispatcher in place of connections. */
  detour: string | Dispatcher;
  /** The current time of the engine. */
  at: number;
  pageSize?: number | undefined;
  /** Source of the access tokens for client credentials. */
  tokens: TokenSource;
  /** Engines with the same key read each other's cursors. */
  key?: Key;
  /** Called with a client certificate before a call that presents it, which then has a header with the result. */
  onCertificate?: (certificate: ClientCertificate) => string;
  /** Time for a call. */
  budgetMs?: number | undefined;
  /** Pauses before repeated calls; those of a connector when absent. */
  pauses?: Pauses;
  /** By default those of the kit, which refuse every record that breaks the contract. */
  checks?: RecordChecks;
}

const defaultKey = keyOf(Buffer.alloc(32, 7));
/** By their key. A sealer makes room for its data keys when it is made, and an engine is made for every replay. */
const sealers = new WeakMap<Key, Sealer>();
const ids = { organizationId: 'org_kit', accountId: 'acc_kit', id: 'int_kit' };

/** The engine of a connector process, for one integration, without a database; its calls go to a server of the kit. */
export class Engine {
  private readonly connector: Connector;
  /** Connections to the detour. */
  private readonly sockets = new Set<Socket>();
  private readonly agent = new Agent({ connect: keepingSockets(this.sockets) });
  private readonly clock: Clock;
  private readonly integration: ResolvedIntegration;
  private readonly usage = new Usage();
  private readonly deadline: number;
  private readonly providers: readonly Provider[];
  private current: ResolvedIntegration;

  constructor(options: EngineOptions) {
    const { at, key = defaultKey, budgetMs = defaultBudgetMs, pauses = new Pauses() } = options;
    this.deadline = at + budgetMs;
    const sealer = sealers.get(key) ?? new Sealer(key);
    sealers.set(key, sealer);
    this.clock = { now: () => at };
    const http = new ProviderHttp({
      dispatcher: this.dispatcher(options),
      certificates: {
        dispatcher: (one) => this.dispatcher(options, options.onCertificate?.(one)),
      },
      maxHosts,
      policy: anywhere,
      permits: { acquire: () => Promise.resolve(() => undefined) },
      tokens: options.tokens,
      clock: this.clock,
      pauses,
    });
    this.integration = resolve(options, sealer);
    this.current = this.integration;
    const integrations = { find: () => Promise.resolve(this.current) };
    const store = unavailable('store') as Store;
    this.providers = compiledOf(options.folder, options.pageSize).providers;
    const providers = {
      find: (type: string) => Promise.resolve(this.providers.find((one) => one.type === type)),
    };
    const { usage, clock } = this;
    this.connector = new Connector({
      integrations,
      providers,
      store,
      sealer,
      http,
      usage,
      clock,
      budgets: new Budgets(),
      checks: options.checks ?? new RecordChecks({ strict: true }),
    });
  }

  /** @param certificate names the client certificate that the call is made with */
  private dispatcher({ detour }: EngineOptions, certificate?: string): Dispatcher {
    if (typeof detour !== 'string') return detour;
    return toServer(this.agent, detour, certificate);
  }

  async run(operation: Operation, request: OurRequest, meta: readonly string[] = []): Promise<Ran> {
    this.current = this.integrationOf(operation);
    return await this.outcome(async () => {
      const body = await this.connector.run(this.callOf(operation, request, meta));
      const { status } = operation.response;
      if (body === undefined) return { status };
      if (body instanceof StreamReply) return await fileOf(body);
      return { status, body: JSON.parse(formatJson(body)) as unknown };
    });
  }

  /** Verifies the configuration as the management service does. */
  async verify(): Promise<Ran> {
    return await this.outcome(async () => {
      const { deadline } = this;
      await this.connector.verify(this.integration, deadline, AbortSignal.timeout(defaultBudgetMs));
      return { status: 200 };
    });
  }

  /** Ends the running calls of the provider as undici does when the provider was silent for too long. */
  timeOut(): void {
    for (const socket of this.sockets) socket.destroy(new errors.HeadersTimeoutError());
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async outcome(work: () => Promise<OurAnswer>): Promise<Ran> {
    const [ran, notes] = await noting(() => this.answered(work));
    const state = this.usage.take().states.at(-1)?.status;
    return { ...ran, ...notes, state };
  }

  private async answered(
    work: () => Promise<OurAnswer>,
  ): Promise<{ answer: OurAnswer; error?: unknown }> {
    try {
      return { answer: await work() };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, options } = error;
      const problem = error.toProblem('/requests/kit', new Date(this.clock.now()));
      const headers = options.headers === undefined ? {} : { headers: options.headers };
      const shown = JSON.parse(JSON.stringify(problem)) as unknown;
      return { answer: { status, ...headers, body: shown }, error };
    }
  }

  /** Returns the provider of the vendor that has the operation. */
  private integrationOf({ id }: Operation): ResolvedIntegration {
    const { providerType, providerConfig } = this.integration;
    const offering = this.providers.filter(({ operations }) => operations[id] !== undefined);
    const { type } = offering.find((one) => one.type === providerType) ?? offering[0] ?? {};
    return type === undefined || type === providerType
      ? this.integration
      : {
          ...this.integration,
          providerType: type,
          category: domainOf(type),
          providerConfig: { ...providerConfig, type },
        };
  }

  private callOf(operation: Operation, request: OurRequest, meta: readonly string[]): Call {
    const { path = {}, query = {}, body, file } = request;
    const call = {
      operation: operation.id,
      caller: {
        tokenId: 'tok_kit',
        scope: 'integration',
        memberId: 'mem_kit',
        permissions: [],
        organizationId: ids.organizationId,
        accountId: ids.accountId,
        integrationId: ids.id,
      },
      path,
      query,
      body,
      ...(file === undefined ? {} : { upload: uploadOf(file) }),
      rawBody: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      meta,
      requestId: 'kit',
      deadline: this.deadline,
      signal: AbortSignal.timeout(defaultBudgetMs),
      remoteAddress: '127.0.0.1',
      userAgent: 'provider-kit',
    };
    return call as unknown as Call<OperationId>;
  }
}

async function fileOf({ status, headers, body }: StreamReply): Promise<OurAnswer> {
  const bytes = await collect(body);
  // Chunk size and content length differ between a live system and a replay.
  const { 'content-length': _length, ...otherHeaders } = headers;
  return {
    status,
    headers: otherHeaders,
    file: readBody(bytes, otherHeaders['content-type'] ?? '', (same) => same),
  };
}

const boundary = 'boundary-of-the-kit';

/** The file in the form that clients send. */
function uploadOf({ filename, type, ...content }: NonNullable<OurRequest['file']>): Upload {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`;
  const parts = [Buffer.from(head), writeBody(content), Buffer.from(`\r\n--${boundary}--\r\n`)];
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Readable.from(parts) };
}

/** Sends every call to one server, with its original address in a header. */
function toServer(agent: Agent, to: string, certificate: string | undefined): Dispatcher {
  return agent.compose(
    (dispatch) => (options, handler) =>
      dispatch(
        {
          ...options,
          origin: to,
          headers: {
            ...(options.headers as Record<string, string>),
            [originHeader]: String(options.origin),
            ...(certificate === undefined ? {} : { [certificateHeader]: certificate }),
          },
        },
        handler,
      ),
  );
}

/** Connects as usual, and keeps the sockets that are open. */
function keepingSockets(open: Set<Socket>): buildConnector.connector {
  const connect = buildConnector({});
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result;
      if (socket) open.add(socket.once('close', () => open.delete(socket)));
      callback(...result);
    });
}

/** The integration as the management service resolves it: with encrypted credentials, named by their places. */
function resolve({ folder, configuration }: EngineOptions, sealer: Sealer): ResolvedIntegration {
  const { providers, document } = compiledOf(folder);
  const known = providers.map(({ type }) => type);
  const type = known.find((one) => one === configuration['type']) ?? known[0] ?? '';
  const dataKey = sealer.createDataKey();
  const providerConfig: Record<string, unknown> = { ...configuration };
  const credentials: Record<string, { sealed: string; expires: null }> = {};
  for (const slot of Object.keys(document.source.credentials ?? {})) {
    const credential = configuration[slot] as { type: string } | undefined;
    if (credential === undefined) continue;
    const id = `crd_kit_${slot}`;
    const sealed = sealer.seal(dataKey, ids.accountId, JSON.stringify(credential));
    credentials[id] = { sealed, expires: null };
    providerConfig[slot] = { type: `${credential.type}_id`, value: id };
  }
  return {
    ...ids,
    category: domainOf(type),
    providerType: type,
    createdAt: new Date(0).toISOString(),
    providerConfig,
    credentials,
    chains: [],
    additionalMappings: [],
  };
}

/** Stands in for a part that the kit does not have. @throws Error at its use */
function unavailable(name: string): object {
  return new Proxy(
    {},
    {
      get() {
        throw new Error(`the kit has no ${name}: it replays one process without a database`);
      },
    },
  );
}

/** Runs work with an engine, and closes it. */
export async function withEngine<T>(
  engine: Engine,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
