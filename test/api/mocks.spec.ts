import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { systemClock } from '#config';
import { CallUsage, documentProvider, Problems, Usage } from '#connect';
import { type OperationId, operations } from '#contract';
import { Mocks } from '#mocks';
import { Redactor } from '#provider-http';
import { openCatalogue } from '#providers';
import { Client } from '../e2e/client.js';
import {
  checkMockWalk,
  configurationOf,
  mockOf,
  mockWalks,
  operationsOfMocks,
  runMockWalk,
} from '../walks/mock-walks.js';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { isInShare } from '#test/harness';
import { type Service, startService } from './service.js';
import { SimulatedWorker } from './simulated-worker.js';

/** The lists that a job can read: those of a provider's records whose path has no parameter. */
const lists = [...operations.values()]
  .filter(
    ({ side, state, path }) => side === 'connector' && state === 'served' && !path.includes('{'),
  )
  .filter(({ id, group }) => /^[a-z]+_(?:list|query)_/.test(id) && group !== 'integrationWebhooks')
  .map(({ id }) => id);

let service: Service;
let accountId: string;
/** One in so many mocks is called by another organization too: what mocks keep is kept by one table for all of them. */
const otherInterval = 6;
/** Organization that must not see any record of the first one. */
let other: Client;
let otherAccountId: string;

beforeAll(async () => {
  service = await startService();
  const administrator = new Client(service.url, service.administrator.access);
  accountId = (await administrator.call('accounts_create', { body: {} })).result.account.id;
  other = new Client(service.url, (await service.organization('other')).access);
  otherAccountId = (await other.call('accounts_create', { body: {} })).result.account.id;
});
afterAll(() => service.stop());

async function integrate(
  client: Client,
  account: string,
  config: { type: string },
): Promise<Client> {
  const { result } = await client.call('integrations_create', {
    path: { accountId: account },
    body: { provider_config: config as never },
  });
  return client.as(result.token.access.secret);
}

it('every mock that there is takes an integration without a credential, and passes its verification', async () => {
  const administrator = new Client(service.url, service.administrator.access);
  const { result } = await administrator.call('capabilities_list_providers');
  const mocks = result.map(({ id }) => id).filter((id) => id.endsWith('_mock'));
  for (const type of mocks) {
    const integration = { name: type, provider_config: { type, dataset: 'basic_v0' } as never };
    const body = { integration };
    await administrator.call('integrations_verify', { path: { accountId }, body });
  }
  expect(mocks).toContain('incidentresponse_pagerduty_mock');
  const walked = mockWalks.map(({ type }) => type);
  const known: string[] = result.map(({ id }) => id);
  expect(walked.filter((type) => !known.includes(type))).toEqual([]);
});

it('every mock takes what the capabilities say of its dataset, and shows the one that it has', async () => {
  const administrator = new Client(service.url, service.administrator.access);
  const path = { accountId };
  const wrong: string[] = [];
  const { result: providers } = await administrator.call('capabilities_list_providers');
  for (const { id } of providers) {
    const type: string = id;
    if (!type.endsWith('_mock')) continue;
    const { result } = await administrator.call('capabilities_get_provider', {
      path: { providerId: id },
      query: { expand: ['provider_config'] },
    });
    const schema = result.provider_config as {
      required: string[];
      properties: { dataset: { enum: unknown[]; default: string } };
    };
    const { dataset } = schema.properties;
    if (schema.required.includes('dataset')) wrong.push(`${type} requires a dataset`);
    for (const given of [undefined, ...dataset.enum]) {
      const provider_config = { type, ...(given === undefined ? {} : { dataset: given }) } as never;
      const made = await administrator.call('integrations_create', {
        path,
        body: { provider_config },
      });
      const { dataset: kept } = made.result.integration.provider_config as { dataset?: unknown };
      if (kept !== (given ?? dataset.default))
        wrong.push(`${type} ${String(given)}: ${String(kept)}`);
    }
  }
  expect(wrong).toEqual([]);
});

describe.each(mockWalks.map((walk) => [walk.type, walk] as const))('%s', (_type, walk) => {
  // The client checks each response against the contract.
  it('takes valid input of its operations, and shows nothing of it to another organization where one calls it', async () => {
    const administrator = new Client(service.url, service.administrator.access);
    const secret = `canary of ${walk.type}`;
    const mine = await integrate(administrator, accountId, configurationOf(walk));
    await checkMockWalk(mine, walk, secret);
    if (!isInShare(mockWalks.indexOf(walk), otherInterval)) return;
    const texts: string[] = [];
    const theirs = await integrate(other, otherAccountId, configurationOf(walk));
    theirs.onAnswer = (text) => texts.push(text);
    await runMockWalk(theirs, walk, 'their own text');
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(texts.length).toBeGreaterThan(0);
  });
});

it('every served operation of the connector API succeeds with at least one mock', () => {
  const called = new Set<OperationId>(
    mockWalks.flatMap(({ steps }) =>
      steps.filter(({ refused }) => refused === undefined).map(({ call }) => call),
    ),
  );
  expect(operationsOfMocks.filter((id) => !called.has(id))).toEqual([]);
});

it('every list of the connector API can run as a job, and every sink and SIEM takes its results', async () => {
  const administrator = new Client(service.url, service.administrator.access);
  const receiver = await EventReceiver.start();
  const worker = new SimulatedWorker(service);
  const make = async (provider_config: object) =>
    (
      await administrator.call('integrations_create', {
        path: { accountId },
        body: { provider_config },
      })
    ).result;
  const clients = new Map<string, Client>();
  const clientOf = async (type: string) => {
    const made =
      clients.get(type) ??
      administrator.as((await make({ type, dataset: 'basic_v0' })).token.access.secret);
    clients.set(type, made);
    return made;
  };
  const jobs: [string, Client, string][] = [];
  const run = async (name: string, type: string, operation: OperationId, sinkId: string) => {
    const client = await clientOf(type);
    const body = { operation, input: { sink_integration_id: sinkId, limit: 3 } };
    const { result } = await client.call('operations_create', { body });
    jobs.push([name, client, result.operation.id]);
  };
  try {
    const { integration: sink } = await make({ type: 'sink_http', url: receiver.url });
    for (const id of lists)
      await run(id, mockOf(id)?.walk.type ?? 'ticketing_mock_ticketing', id, sink.id);
    const takers = mockWalks.filter(({ steps }) =>
      steps.some(({ call }) => /^(?:sink|siem)_post_events$/.test(call)),
    );
    for (const walk of takers) {
      const taker = await make(configurationOf(walk));
      await run(walk.type, 'siem_mock_siem', 'siem_query_events', taker.integration.id);
    }
    expect(jobs.length).toBeGreaterThan(lists.length);
    await worker.drain();
    for (const [name, client, operationId] of jobs) {
      const { result } = await client.call('operations_get', { path: { operationId } });
      expect([name, result.status, result.errors ?? []]).toEqual([name, 'COMPLETE', []]);
    }
  } finally {
    await worker.stop();
    await receiver.stop();
  }
});

describe('what an integration of a mock has changed', () => {
  const type = 'notifications_mock_notifications';
  const rows = async (integrationId: string) => {
    const { rows: found } = await database.query<{ id: string }>(
      'select integration_id as id from fake_states where integration_id = $1 union all select id from fake_entries where integration_id = $1',
      [integrationId],
    );
    return found.map(({ id }) => id);
  };
  let administrator: Client;
  let mine: Client;
  let integrationId: string;
  let database: pg.Client;

  beforeAll(async () => {
    administrator = new Client(service.url, service.administrator.access);
    database = new pg.Client({ connectionString: service.databaseUrl });
    await database.connect();
    const { result } = await administrator.call('integrations_create', {
      path: { accountId },
      body: { name: 'changed', provider_config: { type } },
    });
    integrationId = result.integration.id;
    mine = administrator.as(result.token.access.secret);
  });
  afterAll(() => database.end());

  /** Runs a call of the integration in another process, which starts with empty caches. */
  async function inAnotherProcess(id: OperationId, notificationId: string): Promise<unknown> {
    const { organizationId } = service.administrator;
    const place = { organizationId, integrationId };
    const integration = await service.bus.call('integrations.resolve', place, { requestId: 'r' });
    const providers = openCatalogue({
      make: documentProvider,
      makeMocks: new Mocks(service.store, systemClock).make,
    });
    const offered = (await providers.find(type))?.operations[id];
    return await offered?.run(
      {
        http: undefined as never,
        integration,
        credential: () => undefined,
        redactor: new Redactor(),
        problems: new Problems(),
        signal: new AbortController().signal,
        deadline: Date.now() + 10_000,
        pollUntil: Date.now() + 10_000,
        usage: new CallUsage(new Usage(), { ...place, accountId }),
        onResponse: () => undefined,
        path: { notificationId },
        query: {},
        list: { filters: [], orders: [] },
        clock: systemClock,
      },
      {},
    );
  }

  it('is seen by other processes, whose changes are seen here', async () => {
    const { result: made } = await mine.call('notifications_create_message', {
      body: { summary: 'Disk full' },
    });
    const found = await inAnotherProcess('notifications_get_message', made.id);
    expect(found).toMatchObject({ record: { title: 'Disk full', state: 'raised' } });
    await inAnotherProcess('notifications_clear_message', made.id);
    const path = { notificationId: made.id };
    const { result } = await mine.call('notifications_get_message', { path });
    expect(result.notification_status).toBe('CLOSED');
  });

  it('is deleted with the integration', async () => {
    expect((await rows(integrationId)).length).toBeGreaterThan(1);
    await administrator.call('integrations_delete', { path: { accountId, integrationId } });
    expect(await rows(integrationId)).toEqual([]);
  });
});
