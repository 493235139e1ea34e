import { readFileSync } from 'node:fs';
import type { Dispatcher } from 'undici';
import { collect, type ResolvedIntegration } from '#bus';
import { systemClock } from '#config';
import { Connector, documentProvider, type Provider, Usage } from '#connect';
import { ApiError, type Call, type OperationId, StreamReply, type Upload } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { Budgets, formatJson } from '#mapping';
import { type ClientFunctions, compileProviders } from '#provider-document';
import { fetchAccessToken, ProviderHttp } from '#provider-http';
import { keyOf, Sealer } from '#secrets';
import type { Store } from '#store';
import { faultsOfResponse } from '#apps/provider-kit';
import { operationOf } from '#contract';
import type { Json } from './over-fake.js';

export interface SystemRequest {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  upload?: Upload;
  range?: string;
  signal?: AbortSignal;
}

export interface SystemAnswer {
  status: number;
  body: Json;
  /** Headers and content of a file. Its reader reads it to the end. */
  file?: { headers: Readonly<Record<string, string>>; content: AsyncIterable<Uint8Array> };
}

const ids = { organizationId: 'org_1', accountId: 'acc_1', id: 'int_1' };
/** Files of 5 GB take minutes; the specs have shorter timeouts of their own. */
const callMs = 600_000;

/**
 * The document of a vendor over a system on this machine that is reached by sockets, through the egress policy. Responses are held against
 * the contract.
 */
export class OverSystem {
  private readonly connector: Connector;
  private readonly dispatcher = createDispatcher(new EgressPolicy(['127.0.0.1']));
  private readonly integration: ResolvedIntegration;

  /**
   * @param folder of the vendor
   * @param type id of the provider
   * @param config `provider_config`, with the secrets of its credentials
   */
  constructor(
    folder: URL,
    type: string,
    config: Json,
    options: {
      functions?: ClientFunctions;
      /** Goes in front of the connections, such as one that leads another host to a receiver. */
      detour?: Dispatcher.DispatcherComposeInterceptor;
    } = {},
  ) {
    const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
    const providers = compileProviders(read('provider.yaml'), read, options.functions).map(
      documentProvider,
    );
    const sealer = new Sealer(keyOf(Buffer.alloc(32, 7)));
    const clock = systemClock;
    const policy = new EgressPolicy(['127.0.0.1']);
    const { detour } = options;
    const dispatcher = detour === undefined ? this.dispatcher : this.dispatcher.compose(detour);
    const http = new ProviderHttp({
      ...{ dispatcher, policy, clock },
      permits: { acquire: () => Promise.resolve(() => undefined) },
      tokens: {
        get: async (request, _stale, signal) =>
          (await fetchAccessToken(request, { dispatcher, policy }, clock, signal)).token,
      },
    });
    this.integration = integrationOf(type, config, sealer);
    this.connector = new Connector({
      integrations: { find: () => Promise.resolve(this.integration) },
      providers: {
        find: (id) => Promise.resolve(providers.find((one: Provider) => one.type === id)),
      },
      store: undefined as unknown as Store, // without an Idempotency-Key it is not used
      ...{ http, sealer, clock, usage: new Usage(), budgets: new Budgets() },
    });
  }

  /** @throws Error if the response is not what the contract says */
  async call(id: OperationId, request: SystemRequest = {}): Promise<SystemAnswer> {
    const operation = operationOf(id);
    const { signal = AbortSignal.timeout(callMs), ...given } = request;
    const call = {
      ...{ operation: id, path: {}, query: {}, meta: [], requestId: 'req_1', ...given },
      caller: { ...ids, integrationId: ids.id },
      ...{ signal, deadline: Date.now() + callMs },
    };
    try {
      const answer = await this.connector.run(call as unknown as Call);
      if (answer instanceof StreamReply)
        return {
          ...{ status: answer.status, body: {} },
          file: { headers: answer.headers, content: answer.body as AsyncIterable<Uint8Array> },
        };
      const { status, kind } = operation.response;
      const body = answer && (JSON.parse(formatJson(answer)) as Json);
      const faults = faultsOfResponse(operation, status, kind === 'none' ? undefined : body);
      if (faults.length > 0) throw new Error(`${id}: ${faults.slice(0, 10).join('\n')}`);
      return { status, body: body ?? {} };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const problem = error.toProblem('/requests/req_1', new Date());
      return { status: error.status, body: JSON.parse(JSON.stringify(problem)) as Json };
    }
  }

  /** Returns the records of all pages of a list. */
  async all(id: OperationId, query: Record<string, unknown>, path = {}): Promise<Json[]> {
    const rows: Json[] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await this.call(id, { path, query: { ...query, cursor } });
      if (status !== 200) throw new Error(`${id}: ${status} ${String(body['message'])}`);
      rows.push(...(body['result'] as Json[]));
      cursor = body['cursor'] as string;
      if (cursor === '') return rows;
    }
  }

  /** @throws ApiError that says what is missing */
  verify(): Promise<boolean> {
    const signal = AbortSignal.timeout(callMs);
    return this.connector.verify(this.integration, Date.now() + callMs, signal);
  }

  close(): Promise<void> {
    return this.dispatcher.destroy();
  }
}

/** Reads the file of an answer. @throws Error with the problem if there is none */
export async function bytesOf({ file, status, body }: SystemAnswer): Promise<Buffer> {
  if (file === undefined) throw new Error(`${status} ${String(body['message'])}`);
  return Buffer.from(await collect(file.content));
}

/** An upload of application/octet-stream, whose size is known in advance or not. */
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

/** Seals the credentials of a configuration, wherever in it they are. */
function integrationOf(type: string, config: Json, sealer: Sealer): ResolvedIntegration {
  const dataKey = sealer.createDataKey();
  const credentials: Record<string, { sealed: string; expires: null }> = {};
  const isCredential = (value: Json) =>
    ['aws', 'token', 'basic', 'secret', 'o_auth_client'].includes(value['type'] as string);
  const seal = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    if (!isCredential(value))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, seal(one)]));
    const id = `crd_${Object.keys(credentials).length + 1}`;
    const sealed = sealer.seal(dataKey, ids.accountId, JSON.stringify(value));
    credentials[id] = { sealed, expires: null };
    return { type: `${String((value as Json)['type'])}_id`, value: id };
  };
  return {
    ...{ ...ids, providerType: type, category: type.split('_')[0] },
    providerConfig: { ...(seal(config) as Json), type },
    ...{ credentials, chains: [], additionalMappings: [] },
  } as unknown as ResolvedIntegration;
}
