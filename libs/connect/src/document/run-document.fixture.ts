import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { systemClock } from '#config';
import type { OperationId } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { compileProvider } from '#provider-document';
import { ProviderHttp, Redactor } from '#provider-http';
import type { CallDrift } from '../drift/drift.js';
import { Problems } from '../problems.js';
import type { ListPages, ProviderResult, ProviderCall } from '../provider.js';
import { CallUsage, Usage } from '../usage/usage.js';
import { scan, type ScanPosition } from '../lists/stream-list.js';
import { documentProvider } from './document-provider.js';

export interface Other {
  problems?: Problems;
  client?: typeof ProviderHttp;
  /** More of http, and what follows it. */
  http?: string;
  drift?: CallDrift;
}

export type Handler = (url: URL, request: IncomingMessage, response: ServerResponse) => unknown;

/** The provider that documents are run over: what it was asked, and how it answers. */
export const served: { url: string; asked: string[]; problems: Problems; handle: Handler } = {
  url: '',
  asked: [],
  problems: new Problems(),
  handle: () => ({}),
};
let server: Server;
const policy = new EgressPolicy(['127.0.0.1']);
// Made for each file: the specs of a worker share this module.
let dispatcher = createDispatcher(policy);

/** Serves the provider during the tests of a file, and forgets before each what it was asked. */
export function serveDuringTests(): void {
  beforeAll(async () => {
    dispatcher = createDispatcher(policy);
    server = createServer((request, response) => {
      const at = new URL(request.url ?? '', served.url);
      served.asked.push(`${at.pathname}${at.search}`);
      void Promise.resolve(served.handle(at, request, response)).then((body) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(body));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    served.asked = [];
    served.problems = new Problems();
  });
  afterAll(async () => {
    server.closeAllConnections();
    await dispatcher.destroy();
    await new Promise((done) => server.close(done));
  });
}

/** Runs `custom_query` of a document with this body of the operation, as a process that was just started. */
export async function run(
  operation: string,
  pollUntil = Date.now() + 5_000,
  { client = ProviderHttp, http: settings = '', problems = served.problems, drift }: Other = {},
): Promise<ProviderResult> {
  const provider = documentProvider(
    compileProvider(`
provider: custom_runs
version: 1.0.0
fullname: Runs
vendor: Tests
http:
  base_url: this.config.url${settings}
operations:
  custom_query:
${operation.trimEnd().replace(/^/gm, '    ')}
`),
  );
  const http = new client({
    dispatcher,
    policy,
    clock: systemClock,
    permits: { acquire: () => Promise.resolve(() => undefined) },
    tokens: { get: () => Promise.reject(new Error('no tokens here')) },
  });
  const ids = { organizationId: 'org_1', accountId: 'acc_1' };
  const outcome = await provider.operations['custom_query' as OperationId]?.run(
    {
      http,
      pollUntil,
      clock: systemClock,
      path: {},
      query: {},
      integration: { id: 'int_1', ...ids, providerConfig: { url: served.url } },
      credential: () => undefined,
      signal: new AbortController().signal,
      deadline: Date.now() + 60_000,
      usage: new CallUsage(new Usage(), { ...ids, integrationId: 'int_1' }),
      onResponse: () => undefined,
      list: { filters: [], orders: [] },
      redactor: new Redactor(),
      problems,
      drift,
    } as unknown as ProviderCall,
    {},
  );
  if (outcome === undefined) throw new Error('the document has no custom_query');
  return outcome;
}

export async function pagesOf(
  operation: string,
  pollUntil?: number,
  other?: Other,
): Promise<ListPages> {
  const outcome = await run(operation, pollUntil, other);
  if (!('pages' in outcome)) throw new Error('the result is not a list in pages');
  return outcome.pages;
}

/** Rows of the lists that the provider has. */
export const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => ({ id }));
export const ids = (rows: readonly { id?: unknown }[]) => rows.map(({ id }) => id).join('');

/** Reads the ids of a list as callers do, with a cursor behind each page. */
export async function readByCursor(operation: string, limit: number): Promise<unknown[]> {
  const read: unknown[] = [];
  const pages = await pagesOf(operation);
  let from: ScanPosition | undefined;
  do {
    const { rows, next } = await scan(pages, (row) => row, {
      limit,
      from,
      pageSize: limit,
      isOver: () => false,
    });
    read.push(...rows.map(({ id }) => id));
    from = next && (JSON.parse(JSON.stringify(next)) as ScanPosition); // all that a cursor holds
  } while (from !== undefined);
  return read;
}
