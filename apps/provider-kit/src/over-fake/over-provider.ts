import { readFileSync } from 'node:fs';
import type { Dispatcher } from 'undici';
import { collect, type ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import {
  Connector,
  documentProvider,
  type IntegrationWebhooks,
  type Provider,
  RecordChecks,
  Usage,
} from '#connect';
import {
  ApiError,
  type Call,
  type OperationId,
  operationOf,
  readQuery,
  StreamReply,
  type Upload,
} from '#contract';
import type { EgressPolicy, Pauses } from '#egress';
import { Budgets, formatJson } from '@onefold/mapping';
import { type ClientFunctions, compileProviders } from '#provider-document';
import {
  fetchToken,
  type TokenOutgoing,
  type OwnAwsKeys,
  type Permits,
  ProviderHttp,
  type TokenSource,
} from '#provider-http';
import { keyOf, Sealer } from '#secrets';
import type { Store } from '#store';
import { faultsOfResponse } from '../validate-response.js';

export interface Request {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Calls of meta functions. */
  meta?: readonly string[];
  upload?: Upload;
  range?: string;
  /** The id of a batch of a job. */
  batchId?: string;
  /** Needs a store. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** A record of any operation, as far as tests look into it. */
export type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

export interface Answer {
  status: number;
  body: Json;
  /** Headers of a failure, such as `retry-after`. */
  headers?: Readonly<Record<string, string>>;
  /** Headers and content of a file. Its reader reads it to the end. */
  file?: { headers: Readonly<Record<string, string>>; content: AsyncIterable<Uint8Array> };
}

export interface ProviderParts {
  /** Folder of the vendor. */
  folder: URL;
  /** Id of the provider. */
  type: string;
  /** Those of the vendor's client.ts. */
  functions?: ClientFunctions | undefined;
  /** The providers of the folder, if they are not to be compiled from its document. */
  providers?: readonly Provider[] | undefined;
  dispatcher: Dispatcher;
  policy: EgressPolicy;
  clock: Clock;
  pauses?: Pauses | undefined;
  /** Time for a call. */
  callMs: number;
  /** Those by which roles are assumed. */
  ownAwsKeys?: OwnAwsKeys | undefined;
  /** False for a provider whose records are served as a customer gets them: what breaks the contract is moved and named. */
  strict?: boolean | undefined;
  /** Keeps to the limits of the provider; without it, a provider has none. */
  permits?: Permits | undefined;
  /** Keeps what is known of an `Idempotency-Key`. */
  store?: Store | undefined;
  /** Makes the source of tokens; without it each request asks for one. */
  tokens?: ((outgoing: TokenOutgoing, clock: Clock) => TokenSource) | undefined;
}

const ids = { organizationId: 'org_1', accountId: 'acc_1', id: 'int_1' };
const credentialTypes = ['aws', 'aws_role', 'token', 'basic', 'secret', 'o_auth_client'];
const maxPages = 1_000;

/** A provider of a vendor's document in this process, without a database. Responses are held against the contract. */
export abstract class OverProvider {
  readonly provider: Provider;
  private readonly providers: readonly Provider[];
  private readonly connector: Connector;
  private configuration: { providerConfig: Json; credentials: Json } | undefined;
  /** Type of the provider that has the operation which is called. */
  private called: string;
  private readonly sealer = new Sealer(keyOf(Buffer.alloc(32, 7)));

  protected constructor(private readonly parts: ProviderParts) {
    const { folder, type, functions, clock, dispatcher, policy, ownAwsKeys, tokens, pauses } =
      parts;
    const { strict = true, permits } = parts;
    const outgoing = { dispatcher, policy, ownAwsKeys };
    const providers = parts.providers ?? compiledProviders(folder, functions);
    this.providers = providers;
    this.called = type;
    this.provider = providers.find((one) => one.type === type) as Provider;
    const http = new ProviderHttp({
      ...outgoing,
      clock,
      ...(pauses && { pauses }),
      maxHosts: 100, // memory for them is taken at once
      permits: permits ?? { acquire: () => Promise.resolve(() => undefined) },
      tokens: tokens?.(outgoing, clock) ?? {
        get: async (request, _stale, signal) =>
          (await fetchToken(request, outgoing, clock, signal)).token,
      },
    });
    this.connector = new Connector({
      integrations: { find: () => Promise.resolve(this.integrationOf(this.called)) },
      providers: { find: (id) => Promise.resolve(providers.find((one) => one.type === id)) },
      store: parts.store as Store, // without an Idempotency-Key it is not used
      http,
      sealer: this.sealer,
      clock,
      usage: new Usage(),
      budgets: new Budgets(),
      checks: new RecordChecks({ strict }),
    });
  }

  /** Calls an operation. @throws Error if the response is not what the contract says */
  async call(id: OperationId, request: Request = {}): Promise<Answer> {
    const answer = await this.answerTo(id, request);
    const { status, body } = answer;
    const operation = operationOf(id);
    const hasBody = operation.response.kind !== 'none' || status >= 300;
    const faults = [
      // Parts of files have statuses of HTTP, which the contract does not name.
      ...(request.range === undefined
        ? faultsOfResponse(operation, status, hasBody ? body : undefined)
        : []),
      ...this.faultsOf(id, answer),
    ];
    if (faults.length > 0)
      throw new Error(
        `${id}: ${[...new Set(faults)].slice(0, 10).join('\n')}\n${formatJson(body).slice(0, 1_500)}`,
      );
    return answer;
  }

  /** Calls an operation that succeeds. @returns the body of its response */
  async succeed(id: OperationId, request: Request = {}): Promise<Json> {
    const { status, body } = await this.call(id, request);
    if (status !== operationOf(id).response.status)
      throw new Error(`${id}: ${status} ${String(body['message'])}`);
    return body;
  }

  /** Calls an operation that fails. @returns the problem */
  async refuse(id: OperationId, expected: number, request: Request = {}): Promise<Json> {
    const { status, body } = await this.call(id, request);
    if (status !== expected)
      throw new Error(`${id}: ${status} and not ${expected}: ${formatJson(body).slice(0, 1_500)}`);
    return body;
  }

  /**
   * Returns the records of all pages of a list, page by page.
   * @param checked false for a list whose records have been held against the contract before, as that takes long
   */
  async pages(
    id: OperationId,
    query: Record<string, unknown>,
    path = {},
    { checked = true } = {},
  ): Promise<Json[][]> {
    const pages: Json[][] = [];
    let cursor = '';
    do {
      const request = { path, query: { ...query, cursor } };
      const { status, body } = await (checked
        ? this.call(id, request)
        : this.answerTo(id, request));
      if (status !== 200) throw new Error(`${id}: ${status} ${String(body['message'])}`);
      pages.push(body['result'] as Json[]);
      if (pages.length > maxPages) throw new Error(`${id} has more than ${maxPages} pages`);
      cursor = body['cursor'] as string;
    } while (cursor !== '');
    return pages;
  }

  async all(
    id: OperationId,
    query: Record<string, unknown> = {},
    path = {},
    options: { checked?: boolean } = {},
  ): Promise<Json[]> {
    return (await this.pages(id, query, path, options)).flat();
  }

  /** Opens the webhooks of the provider, as for a call of the integration. @throws ApiError 501 if it has none */
  async webhooks(): Promise<IntegrationWebhooks> {
    const { type, callMs, clock } = this.parts;
    this.called = type;
    const call = {
      requestId: 'req_1',
      caller: { ...ids, integrationId: ids.id },
      signal: AbortSignal.timeout(callMs),
      deadline: clock.now() + callMs,
    };
    return await this.connector.webhooks(call as unknown as Call);
  }

  /** Tries the configuration. @returns status 200, or the problem that says what is missing */
  async verify(): Promise<Answer> {
    const { type, callMs, clock } = this.parts;
    return await this.catchProblem(async () => {
      const deadline = clock.now() + callMs;
      const signal = AbortSignal.timeout(callMs);
      if (!(await this.connector.verify(this.integrationOf(type), deadline, signal)))
        throw new Error(`${this.provider.type} has no verification`);
      return { status: 200, body: {} };
    });
  }

  /** Returns what is wrong with an answer beside the contract. */
  protected abstract faultsOf(id: OperationId, answer: Answer): string[];

  /** Sets the configuration of the integration, and seals the credentials that are in it, wherever that is. */
  protected configure(config: Json): void {
    const dataKey = this.sealer.createDataKey();
    const credentials: Record<string, { sealed: string; expires: null }> = {};
    const seal = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const kind = (value as Json)['type'] as string;
      if (!credentialTypes.includes(kind))
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, seal(one)]));
      const id = `crd_${Object.keys(credentials).length + 1}`;
      const sealed = this.sealer.seal(dataKey, ids.accountId, JSON.stringify(value));
      credentials[id] = { sealed, expires: null };
      return { type: `${kind}_id`, value: id };
    };
    this.configuration = { providerConfig: seal(config) as Json, credentials };
  }

  /** Calls an operation. Nothing is checked. */
  async answerTo(id: OperationId, request: Request): Promise<Answer> {
    const { callMs, clock } = this.parts;
    const { query = {}, signal = AbortSignal.timeout(callMs), ...given } = request;
    const call = {
      operation: id,
      meta: [],
      requestId: 'req_1',
      ...given,
      path: given.path ?? {},
      query: readQueryOf(id, query),
      rawBody: Buffer.from(JSON.stringify(given.body ?? null)),
      caller: { ...ids, integrationId: ids.id },
      signal,
      deadline: clock.now() + callMs,
    };
    // An operation of another domain is one of another provider of the vendor, and called with the same configuration.
    const isOwn = this.provider.type.startsWith(`${operationOf(id).group}_`);
    const { type } =
      (isOwn ? undefined : this.providers.find(({ operations }) => id in operations)) ??
      this.provider;
    this.called = type;
    return await this.catchProblem(async () => {
      const reply = await this.connector.run(call as unknown as Call);
      if (!(reply instanceof StreamReply))
        return {
          status: operationOf(id).response.status,
          body: JSON.parse(formatJson(reply ?? {})) as Json,
        };
      const content = reply.body as AsyncIterable<Uint8Array>;
      return { status: reply.status, body: {}, file: { headers: reply.headers, content } };
    });
  }

  private async catchProblem(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const problem = error.toProblem('/requests/req_1', new Date(this.parts.clock.now()));
      return {
        status: error.status,
        body: JSON.parse(JSON.stringify(problem)) as Json,
        ...(error.options.headers && { headers: error.options.headers }),
      };
    }
  }

  private integrationOf(type: string): ResolvedIntegration {
    if (this.configuration === undefined) throw new Error('there is no configuration');
    const { providerConfig, credentials } = this.configuration;
    return {
      ...ids,
      providerType: type,
      category: type.split('_')[0],
      providerConfig: { ...providerConfig, type },
      credentials,
      chains: [],
      additionalMappings: [],
    } as unknown as ResolvedIntegration;
  }
}

/** Reads the file of an answer. @throws Error with the problem if there is none */
export async function bytesOf({ file, status, body }: Answer): Promise<Buffer> {
  if (file === undefined) throw new Error(`${status} ${String(body['message'])}`);
  return Buffer.from(await collect(file.content));
}

/** Returns an upload of application/octet-stream, whose size is known in advance or not. */
export function uploadOf(content: Uint8Array | AsyncIterable<Uint8Array>, length?: number): Upload {
  const isWhole = content instanceof Uint8Array;
  const size = length ?? (isWhole ? content.length : undefined);
  return {
    contentType: 'application/octet-stream',
    ...(size === undefined ? {} : { length: size }),
    body: isWhole ? pieces(content) : content,
  };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) {
    await Promise.resolve();
    yield bytes.subarray(at, at + 65_536);
  }
}

const compiled = new Map<string, Provider[]>();

/** Compiles the document of a folder once: many specs make a provider for each test. */
function compiledProviders(folder: URL, functions: ClientFunctions | undefined): Provider[] {
  const known = compiled.get(folder.href);
  if (known !== undefined) return known;
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  const providers = compileProviders(read('provider.yaml'), read, functions).map(documentProvider);
  compiled.set(folder.href, providers);
  return providers;
}

function readQueryOf(id: OperationId, given: Record<string, unknown>): Record<string, unknown> {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  const { query, faults } = readQuery(operationOf(id), new URLSearchParams(pairs));
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  return query;
}
