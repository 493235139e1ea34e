import { readFileSync } from 'node:fs';
import { collect, type ResolvedIntegration } from '#bus';
import { Connector, documentProvider, type Provider, Usage } from '#connect';
import {
  ApiError,
  type Call,
  type OperationId,
  operationOf,
  readQuery,
  StreamReply,
} from '#contract';
import { FakeDispatcher, FakeEngine, MemoryStorage, readFake } from '#fakes';
import { Budgets, formatJson } from '#mapping';
import { lintRecord } from '#ocsf';
import { type ClientFunctions, compileProviders } from '#provider-document';
import { fetchAccessToken, ProviderHttp } from '#provider-http';
import { keyOf, Sealer } from '#secrets';
import type { Store } from '#store';
import { faultsOfResponse } from '#apps/provider-kit';
import type { Description } from '../simulators/description.js';
import { DescribedFake } from './shared-description.js';

export interface Request {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Calls of meta functions. */
  meta?: string[];
}

/** A record of any operation, as far as tests look into it. */
export type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

export interface Answer {
  status: number;
  body: Json;
  /** The file, where the operation answers with one. */
  file?: { headers: Readonly<Record<string, string>>; bytes: Uint8Array };
}

const ids = { organizationId: 'org_1', accountId: 'acc_1', id: 'int_1' };
const callMs = 60_000;

/**
 * The document of a vendor over the vendor's fake, in one process without a database. Responses of `call` are held against the contract,
 * and every record against the lint of OCSF; lists that are read to their end are not, because that takes long.
 */
export class OverFake {
  readonly start = new Date('2026-11-22T00:00:00Z');
  /** The time of the document and of the fake, in epoch milliseconds. */
  now = this.start.getTime();
  fake: FakeEngine;
  readonly provider: Provider;
  private readonly connector: Connector;
  private described: DescribedFake | undefined;

  /**
   * @param folder of the vendor
   * @param type id of the provider
   * @param options `provider_config`, with the credential that `credential` makes of what the fake accepts
   */
  constructor(
    private readonly folder: URL,
    type: string,
    private readonly options: {
      config: Record<string, unknown>;
      credential: (accepted: ReturnType<FakeEngine['credentials']>[number]) => Json;
      principal?: string;
      /** Those of the vendor's client.ts. */
      functions?: ClientFunctions;
      /** The vendor's description, against which every request and response of the fake is held where it is there. */
      description?: Description | undefined;
      /** Paths that are missing in the description. */
      undescribed?: RegExp;
    },
  ) {
    this.fake = this.makeFake();
    this.describe();
    const sealer = new Sealer(keyOf(Buffer.alloc(32, 7)));
    const clock = { now: () => this.now };
    const outgoing = {
      dispatcher: new FakeDispatcher({
        handle: (request) => (this.described ?? this.fake).handle(request),
      }),
      policy: { checkUrl: (text: string) => new URL(text) } as never,
    };
    const http = new ProviderHttp({
      ...{ ...outgoing, clock },
      permits: { acquire: () => Promise.resolve(() => undefined) },
      tokens: {
        get: async (request, _stale, signal) =>
          (await fetchAccessToken(request, outgoing, clock, signal)).token,
      },
    });
    const compiled = compileProviders(
      this.read('provider.yaml'),
      (name) => this.read(name),
      this.options.functions,
    );
    const providers = compiled.map(documentProvider);
    this.provider = providers.find((one) => one.type === type) as Provider;
    const integration = this.integrationOf(type, sealer);
    this.connector = new Connector({
      integrations: { find: () => Promise.resolve(integration) },
      providers: { find: (id) => Promise.resolve(providers.find((one) => one.type === id)) },
      store: undefined as unknown as Store, // without an Idempotency-Key it is not used
      ...{ http, sealer, clock, usage: new Usage(), budgets: new Budgets() },
    });
  }

  /** Starts again with the records of the world. */
  reset(): void {
    this.now = this.start.getTime();
    this.fake = this.makeFake();
    this.describe();
  }

  /** @throws Error if the response is not what the contract and OCSF say */
  async call(id: OperationId, request: Request = {}): Promise<Answer> {
    const answer = await this.send(id, request);
    const operation = operationOf(id);
    const { body, status } = answer;
    const shown = operation.response.kind === 'none' && status < 300 ? undefined : body;
    const faults = faultsOfResponse(operation, status, shown);
    const records = status < 300 ? [body['result'] as unknown].flat() : [];
    for (const record of records.filter(isOcsf)) {
      const { errors, warnings } = lintRecord(record);
      faults.push(...[...errors, ...warnings].map((one) => `${one.pointer} ${one.message}`));
    }
    if (faults.length > 0)
      throw new Error(
        `${id}: ${[...new Set(faults)].slice(0, 10).join('\n')}\n${formatJson(body).slice(0, 1_500)}`,
      );
    return answer;
  }

  /** Returns the records of all pages of a list, page by page. */
  async pages(id: OperationId, query: Record<string, unknown>, path = {}): Promise<Json[][]> {
    const pages: Json[][] = [];
    let cursor = '';
    do {
      const { status, body } = await this.send(id, { path, query: { ...query, cursor } });
      if (status !== 200) throw new Error(`${id}: ${status} ${String(body['message'])}`);
      pages.push(body['result'] as Json[]);
      cursor = body['cursor'] as string;
    } while (cursor !== '' && pages.length < 100);
    return pages;
  }

  async all(id: OperationId, query: Record<string, unknown> = {}, path = {}): Promise<Json[]> {
    return (await this.pages(id, { limit: 500, ...query }, path)).flat();
  }

  /** @throws ApiError that says what is missing */
  async verify(type: string): Promise<boolean> {
    const integration = this.integrationOf(type, new Sealer(keyOf(Buffer.alloc(32, 7))));
    return await this.connector.verify(integration, this.now + callMs, AbortSignal.timeout(callMs));
  }

  private async send(
    id: OperationId,
    { path = {}, query = {}, body, meta = [] }: Request,
  ): Promise<Answer> {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    );
    const call = {
      ...{ operation: id, path, body, meta, requestId: 'req_1' },
      query: queryOf(id, pairs),
      caller: {
        organizationId: ids.organizationId,
        accountId: ids.accountId,
        integrationId: ids.id,
      },
      ...{ signal: AbortSignal.timeout(callMs), deadline: this.now + callMs },
    };
    try {
      const answer = await this.connector.run(call as unknown as Call);
      const { status } = operationOf(id).response;
      this.checkFake();
      if (answer instanceof StreamReply)
        return {
          ...{ status, body: {} },
          file: { headers: answer.headers, bytes: await collect(answer.body) },
        };
      return { status, body: JSON.parse(formatJson(answer ?? {})) as Json };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.checkFake();
      const problem = error.toProblem('/requests/req_1', new Date(this.now));
      return { status: error.status, body: JSON.parse(JSON.stringify(problem)) as Json };
    }
  }

  private read(name: string): string {
    return readFileSync(new URL(name, this.folder), 'utf8');
  }

  private describe(): void {
    const { description } = this.options;
    this.described = description && new DescribedFake(this.fake, description);
  }

  private checkFake(): void {
    const faults = this.faultsOfFake();
    if (faults.length > 0) throw new Error(faults.slice(0, 10).join('\n'));
  }

  /** Faults of the fake, and where it differs from the vendor's description. */
  private faultsOfFake(): string[] {
    const { undescribed = /^$/ } = this.options;
    return [
      ...this.fake.log.violations.map((one) => JSON.stringify(one)),
      ...(this.described?.faults ?? []).filter((one) => !undescribed.test(one)),
    ];
  }

  private makeFake(): FakeEngine {
    return new FakeEngine(
      readFake(this.read('fake.yaml'), (name) => this.read(name)),
      {
        storage: new MemoryStorage(),
        clock: () => this.now,
        ...{ start: this.start, dataset: 'BASIC', key: 'any secret' },
      },
    );
  }

  private integrationOf(type: string, sealer: Sealer): ResolvedIntegration {
    const { config, credential, principal = 'admin' } = this.options;
    const accepted = this.fake.credentials().find((one) => one.principal === principal);
    if (accepted === undefined) throw new Error(`the fake knows no ${principal}`);
    const own = credential(accepted);
    const sealed = sealer.seal(sealer.createDataKey(), ids.accountId, JSON.stringify(own));
    return {
      ...{ ...ids, providerType: type, category: type.split('_')[0] },
      providerConfig: {
        ...config,
        type,
        credential: { type: `${own['type']}_id`, value: 'crd_1' },
      },
      ...{ credentials: { crd_1: { sealed, expires: null } }, chains: [], additionalMappings: [] },
    } as unknown as ResolvedIntegration;
  }
}

function queryOf(id: OperationId, pairs: [string, string][]): Record<string, unknown> {
  const { query, faults } = readQuery(operationOf(id), new URLSearchParams(pairs));
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  return query;
}

function isOcsf(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'class_uid' in record;
}
