import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { type Onefold, startDistributed, startOnTestDatabase } from './onefold.js';
import type { Problem } from '#contract';
import type { Client } from './client.js';

const [periodMs, tenants] = [1_000, 50];

/** A provider that takes so many calls of a credential in any second, and refuses the others. */
class LimitedProvider {
  readonly counted: number[] = [];
  refused = 0;
  /** Calls that were served, by tenant. */
  readonly served = new Map<string, number>();
  private readonly server: Server;

  constructor(private readonly requests: number) {
    this.server = createServer((request, response) => this.answer(request, response));
  }

  async start(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  get total(): number {
    return this.counted.length;
  }

  private answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const now = performance.now();
    const isRefused = now - (this.counted.at(-this.requests) ?? -periodMs) < periodMs;
    response.setHeader('content-type', 'application/json');
    if (isRefused) {
      this.refused += 1;
      response.writeHead(429, { 'retry-after': '1' }).end('{}');
      return;
    }
    this.counted.push(now);
    const [, tenant = ''] = url.split('/');
    this.served.set(tenant, (this.served.get(tenant) ?? 0) + 1);
    response.end('{"id":"1"}');
  }
}

const documentOf = (requests: number) => `
provider: custom_limited
version: 1.0.0
fullname: Limited
vendor: Tests
configuration:
  properties: { url: { type: string, pattern: '^http' }, tenant: { type: string } }
  required: [url, tenant]
credentials:
  credential:
    token: { send: header, name: x-key, value: this.credential.secret }
http:
  base_url: this.config.url
  limits: { requests: ${requests}, period: ${periodMs / 1_000} }
operations:
  custom_get:
    resource: things
    steps: [{ path: '/{this.config.tenant}/things/{this.path.id}' }]
    record: this.steps.call
`;

const call = (caller: Client) =>
  caller.send<Problem>('custom_get', { path: { operation: 'custom_get', id: '1' } });

/** Starts three connectors. */
async function startThree(): Promise<Onefold> {
  const onefold = await startDistributed({}, { worker: false });
  const { processes, startAnother } = onefold;
  if (startAnother === undefined) throw new Error('another connector cannot be started');
  for (const name of ['second connector', 'third connector']) {
    processes[name] = startAnother('connector');
    await processes[name].says(/"message":"ready"/);
  }
  return onefold;
}

describe.each([
  { form: 'over three connectors', start: startThree, requests: 10 },
  { form: 'in one process', start: startOnTestDatabase, requests: 40 },
])('the budget of a credential that fifty tenants hold, $form', ({ start, requests }) => {
  let onefold: Onefold;
  let provider: LimitedProvider;
  const callers: Client[] = [];

  beforeAll(async () => {
    provider = new LimitedProvider(requests);
    const url = await provider.start();
    onefold = await start();
    const { api } = onefold;
    await api.call('customs_create', { body: { data: documentOf(requests) } });
    for (let n = 0; n < tenants; n += 1) {
      const { account } = (await api.call('accounts_create', { body: {} })).result;
      const { result } = await api.call('integrations_create', {
        path: { accountId: account.id },
        body: {
          provider_config: {
            type: 'custom_limited',
            url,
            tenant: `tenant-${n}`,
            credential: { type: 'token', secret: 'the one of all tenants' },
          } as never,
        },
      });
      callers.push(api.as(result.token.access.secret));
    }
  }, 300_000);
  afterAll(async () => {
    await onefold.stop();
    provider.stop();
  });

  /** Calls for each tenant again and again, some calls at a time, until so many calls were served. @returns the statuses of the answers */
  async function callUntil(total: number, ofEach = 1): Promise<Set<number>> {
    const statuses = new Set<number>();
    const lines = callers.flatMap((caller) => Array.from({ length: ofEach }, () => caller));
    await Promise.all(
      lines.map(async (caller) => {
        while (provider.total < total) statuses.add((await call(caller)).status);
      }),
    );
    return statuses;
  }

  it('is never exceeded, and is shared in equal parts', async () => {
    const running = callUntil(15 * tenants, 2);
    // The first calls find nobody who waits.
    await eventually(() => expect(provider.total).toBeGreaterThan(tenants));
    const before = new Map(provider.served);
    expect([...(await running)]).toEqual([200]);
    expect(provider.refused).toBe(0);
    const served = [...provider.served].map(([id, count]) => count - (before.get(id) ?? 0));
    expect(served).toHaveLength(tenants);
    expect(Math.max(...served) / Math.min(...served)).toBeLessThanOrEqual(1.2);
  }, 600_000);

  it('is told in the headers of answers, and of a refusal that says whose it is', async () => {
    const { status, headers } = await call(callers[0] as Client);
    expect(status).toBe(200);
    expect(headers.get('ratelimit-policy')).toBe(`"provider";q=${requests};w=1`);
    expect(headers.get('ratelimit')).toMatch(/^"provider";r=\d+;t=\d+$/);
  });

  if (start !== startThree) return; // one process has nobody who goes on

  it('comes back from a connector that is killed, and is not exceeded meanwhile', async () => {
    const begun = provider.total;
    const running = callUntil(begun + 2 * tenants);
    await eventually(() => expect(provider.total).toBeGreaterThan(begun + 20));
    await onefold.processes['second connector']?.stop('SIGKILL');
    await running;
    expect(provider.refused).toBe(0);
  }, 600_000);
});
