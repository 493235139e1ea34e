import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openOperations, type OpenOperations } from '#apps/operations';
import { Health, Metrics } from '#observe';
import type { AdministratorToken } from '#management/tokens';
import { wholeOrganization } from '#store';
import { until } from '#test/harness';
import { type Service, startService } from '../api/service.js';
import { recordsDocument } from '../proof/record-server.js';

/** Integrations of one account: a source of records, and a sink for them. */
interface Customer {
  source: { id: string; secret: string };
  sinkId: string;
  token: string;
  accountId: string;
}

let service: Service;
let operations: OpenOperations;
let server: Server;
let url: string;
/** Requests to `/hang…`, which are never answered. */
const hanging: { path: string; response: ServerResponse }[] = [];
/** Paths of all requests, in their order. */
const paths: string[] = [];
/** Number of records that the endless list has given. */
let endless = 0;

/** A provider that takes messages without a signature. */
const loopDocument = recordsDocument
  .replace('provider: ticketing_proof', 'provider: ticketing_loop')
  .replace(/ {2}id: this\.body\.message\n {2}signature: .*\n/, '')
  .replace('root.ticket_id = this.record', 'root.ticket_id = this.ticket_id');

const page = (items: object[], total: number) => JSON.stringify({ items, total });
const record = (id: number) => ({
  id: String(id),
  name: `record-${id}`,
  summary: 'A record',
  status: 'open',
  creator: 'us',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
});

/** Never answers below `/hang`, lists without an end below `/endless`, and is a good provider, sink and receiver elsewhere. */
function answer(path: string, response: ServerResponse): void {
  paths.push(path);
  if (path.startsWith('/hang')) return void hanging.push({ path, response });
  if (path.startsWith('/limited'))
    return void response.writeHead(429, { 'retry-after': '3600' }).end('{}');
  response.setHeader('content-type', 'application/json');
  if (path.startsWith('/endless/records')) {
    endless += 1;
    return void response.end(page([record(endless)], 1e9));
  }
  if (path.startsWith('/good/records')) return void response.end(page([record(1)], 1));
  response.writeHead(204).end();
}

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => answer(request.url ?? '', response));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startService();
  operations = await openOperations({
    databaseUrl: service.databaseUrl,
    databasePool: 6,
    bus: service.bus,
    sealer: service.sealer,
    health: new Health(),
    metrics: new Metrics('spec'),
    concurrentTasks: 10,
    concurrentDeliveries: 10,
    jobPageRecords: 50,
    egressAllow: ['127.0.0.1'],
  });
  await service.call('POST', '/v1/customs', { name: 'proof', data: recordsDocument });
});
afterEach(() => {
  for (const { response } of hanging.splice(0)) response.destroy();
  paths.length = 0;
});
afterAll(async () => {
  for (const { response } of hanging.splice(0)) response.destroy();
  server.closeAllConnections();
  await operations.drain();
  await operations.close();
  await service.stop();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

let organizations = 0;
async function newOrganization(): Promise<AdministratorToken> {
  organizations += 1;
  const made = await service.organization(`org-${organizations}`);
  await service.call('POST', '/v1/customs', { name: 'proof', data: recordsDocument }, made.access);
  return made;
}

/** Creates an account whose provider lies below a path of the host. */
async function newCustomer(path: string, token = service.administrator.access): Promise<Customer> {
  const call = async <Result>(at: string, body: object) => {
    const { status, message, result } = await service.call<Result>('POST', at, body, token);
    expect([status, message]).toEqual([200, '']);
    return result;
  };
  const { account } = await call<{ account: { id: string } }>('/v1/accounts', {});
  const integrate = async (config: object) => {
    const made = await call<{ integration: { id: string }; token: { access: { secret: string } } }>(
      `/v1/integrations/${account.id}`,
      { provider_config: config },
    );
    return { id: made.integration.id, secret: made.token.access.secret };
  };
  const source = await integrate({ type: 'ticketing_proof', url: `${url}${path}` });
  const sink = await integrate({ type: 'sink_http', url: `${url}/sink${path}` });
  return { source, sinkId: sink.id, token, accountId: account.id };
}

async function startJobs({ source, sinkId }: Customer, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const body = { operation: 'ticketing_query_tickets', input: { sink_integration_id: sinkId } };
    const { status, message, result } = await service.call<{ operation: { id: string } }>(
      'POST',
      '/v1/operations',
      body,
      source.secret,
    );
    expect([status, message]).toEqual([200, '']);
    ids.push(result.operation.id);
  }
  return ids;
}

async function isComplete({ source }: Customer, [id = '']: string[]): Promise<boolean> {
  const path = `/v1/operations/${id}`;
  const { result } = await service.call<{ status: string }>('GET', path, undefined, source.secret);
  return result.status === 'COMPLETE';
}

const deleteAccount = ({ accountId, token }: Customer) =>
  service.call('DELETE', `/v1/accounts/${accountId}`, undefined, token);
const count = (prefix: string) => paths.filter((path) => path.startsWith(prefix)).length;

describe('the job of another account, and of another organization, runs', () => {
  async function runBeside(flooder: Customer): Promise<void> {
    const others = [
      await newCustomer('/good'),
      await newCustomer('/good', (await newOrganization()).access),
    ];
    for (const other of others) {
      const job = await startJobs(other, 1);
      await until(() => isComplete(other, job));
    }
    await deleteAccount(flooder);
  }

  it('while no job of a customer is answered by its host', async () => {
    const flooder = await newCustomer('/hang');
    await startJobs(flooder, 12);
    await until(() => hanging.length > 0);
    await runBeside(flooder);
    expect(hanging.length).toBe(count('/hang')); // none of them has ended meanwhile
  });

  it('while all jobs of a customer wait for an hour to be tried again', async () => {
    const flooder = await newCustomer('/limited');
    await startJobs(flooder, 12);
    await until(() => count('/limited') === 12);
    await runBeside(flooder);
    expect(count('/limited')).toBe(12);
  });

  it('while lists of a customer have no end', async () => {
    const flooder = await newCustomer('/endless');
    await startJobs(flooder, 12);
    await until(() => count('/sink/endless') > 12);
    await runBeside(flooder);
  });

  it('while the sink of a customer takes nothing', async () => {
    const flooder = await newCustomer('/good');
    const sink = { type: 'sink_http', url: `${url}/hang/sink` };
    const made = await service.call<{ integration: { id: string } }>(
      'POST',
      `/v1/integrations/${flooder.accountId}`,
      { provider_config: sink },
    );
    await startJobs({ ...flooder, sinkId: made.result.integration.id }, 12);
    await until(() => hanging.length > 0);
    await runBeside(flooder);
    expect(hanging.length).toBe(count('/hang'));
  });
});

describe('the call of another organization is answered', () => {
  const list = (secret: string) =>
    service.call<{ id: string }[]>('GET', '/v1/ticketing/tickets', undefined, secret);

  it('while no call of a customer to the same host is', async () => {
    const flooder = await newCustomer('/hang');
    const other = await newCustomer('/good', (await newOrganization()).access);
    const abort = new AbortController();
    const flood = Array.from({ length: 200 }, () =>
      fetch(`${service.url}/v1/ticketing/tickets`, {
        headers: { authorization: `Bearer ${flooder.source.secret}` },
        signal: abort.signal,
      }).catch(() => undefined),
    );
    await until(() => hanging.length >= 32);
    for (let n = 0; n < 5; n += 1) expect((await list(other.source.secret)).status).toBe(200);
    expect(hanging.length).toBe(count('/hang'));
    abort.abort();
    await Promise.all(flood);
  });
});

describe('the delivery of another organization is sent', () => {
  const webhook = (path: string, token: string) =>
    service.call(
      'POST',
      '/v1/organization/webhooks',
      {
        filters: ['account_create'],
        url: `${url}${path}`,
        secret: { value: 'a signing secret that nobody shows' },
      },
      token,
    );

  it('while no receiver of a customer answers', async () => {
    const [flooder, other] = [await newOrganization(), await newOrganization()];
    for (let n = 0; n < 30; n += 1)
      expect((await webhook(`/hang/${n}`, flooder.access)).status).toBe(200);
    expect((await webhook('/hooks', other.access)).status).toBe(200);
    for (let n = 0; n < 10; n += 1) await service.call('POST', '/v1/accounts', {}, flooder.access);
    await until(() => hanging.length > 0);
    await service.call('POST', '/v1/accounts', {}, other.access);
    await until(() => count('/hooks') === 1);
    expect(hanging.length).toBe(count('/hang'));
  });

  it('while webhooks of a customer are in a loop', async () => {
    const [flooder, other] = [await newOrganization(), await newOrganization()];
    const call = async <Result>(method: string, at: string, body: object) => {
      const { status, message, result } = await service.call<Result>(
        method,
        at,
        body,
        flooder.access,
      );
      expect([status, message]).toEqual([200, '']);
      return result;
    };
    await call('POST', '/v1/customs', { name: 'loop', data: loopDocument });
    const { account } = await call<{ account: { id: string } }>('POST', '/v1/accounts', {});
    const path = `/v1/integrations/${account.id}`;
    const provider_config = { type: 'ticketing_loop', url };
    const integrate = () =>
      call<{ integration: { id: string }; token: { access: { secret: string } } }>('POST', path, {
        provider_config,
      });
    const loops = [await integrate(), await integrate()];
    // Each message makes two more, until it has grown beyond what the gateway takes.
    const hooks = loops.map(({ token }) => `${service.url}/v1/hooks?token=${token.access.secret}`);
    const items = hooks.map((webhook_url) => ({
      webhook_url,
      integrator_key: 'a key of the loop that is as long as keys must be',
    }));
    for (const { integration } of loops)
      await call('PATCH', `${path}/${integration.id}`, [
        { op: 'add', path: '/webhook_config', value: { items } },
      ]);
    expect((await webhook('/hooks', other.access)).status).toBe(200);
    const headers = { 'content-type': 'application/json' };
    const sent = await fetch(hooks[0] ?? '', {
      method: 'POST',
      headers,
      body: '{"ticket_id":"1"}',
    });
    expect(sent.status).toBe(204);
    const looped = () =>
      service.store.read(wholeOrganization(flooder.organizationId), async (tx) => {
        const [row] = await tx.query<{ count: string }>('select count(*) from deliveries');
        return Number(row?.count);
      });
    await until(async () => (await looped()) > 10);
    await service.call('POST', '/v1/accounts', {}, other.access);
    await until(() => count('/hooks') === 1);
    await service.call('DELETE', `/v1/accounts/${account.id}`, undefined, flooder.access);
  });
});
