import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { systemClock } from '#config';
import { ApiError } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import type { TokenSource } from './credentials/access-tokens.js';
import { ProviderHttp } from './provider-http.js';
import type { SendOptions } from './send-options.js';
import type { ProviderRequest } from './provider-request.js';
import { Redactor } from './redact.js';

/** Returns the error that a call of a provider ends with. */
export async function refusal(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Answers a request as a provider does. */
export const json = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

/** A provider on a socket, which each test answers for by its handler, and a new caller of it for each test. */
export interface TestProvider {
  url: string;
  /** Answers a request. @param count of the requests of the test, from 1 */
  handler: (request: IncomingMessage, response: ServerResponse, count: number) => void;
  /** Requests of the test. */
  count: number;
  http: ProviderHttp;
  /** The parts that each replica has for itself; they share one pool of connections here. */
  parts(): ConstructorParameters<typeof ProviderHttp>[0];
  get(more?: Partial<ProviderRequest>): ProviderRequest;
  options(more?: Partial<SendOptions>): SendOptions;
}

/** Starts a provider for the tests of a file. */
export function useTestProvider(): TestProvider {
  const policy = new EgressPolicy(['127.0.0.1']);
  const dispatcher = createDispatcher(policy);
  const server = createServer((request, response) => {
    provider.count += 1;
    provider.handler(request, response, provider.count);
  });
  const provider: TestProvider = {
    url: '',
    handler: () => undefined,
    count: 0,
    http: undefined as unknown as ProviderHttp,
    parts: () => ({
      dispatcher,
      policy,
      permits: { acquire: () => Promise.resolve(() => undefined) },
      clock: systemClock,
      tokens: undefined as unknown as TokenSource,
    }),
    get: (more = {}) => ({
      method: 'GET',
      url: new URL('/things', provider.url),
      headers: {},
      secretHeaders: [],
      answer: 'json',
      accept: new Set(),
      repeatable: true,
      ...more,
    }),
    options: (more = {}) => {
      const redactor = new Redactor();
      return {
        call: {
          provider: 'Things',
          method: 'GET',
          address: `${provider.url}/things`,
          credentialId: 'crd_1',
          needs: 'Read things',
          redactor,
        },
        place: { organizationId: 'org_1', key: 'crd_1' },
        authentication: undefined,
        redactor,
        signal: new AbortController().signal,
        deadline: Date.now() + 10_000,
        timeoutMs: 5_000,
        maxBytes: 1_000_000,
        limits: {},
        retry: { attempts: 3, statuses: [429, 502, 503, 504], resets: [] },
        interpret: () => ({}),
        onResponse: () => undefined,
        ...more,
      };
    },
  };
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    provider.count = 0;
    provider.http = new ProviderHttp(provider.parts());
  });
  afterAll(async () => {
    server.closeAllConnections();
    await dispatcher.destroy();
    await new Promise((done) => server.close(done));
  });
  return provider;
}
