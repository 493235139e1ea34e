import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { addProvider } from './add-provider.js';
import { type Service, startService } from './service.js';
import { SimulatedWorker } from './simulated-worker.js';

const minute = 60_000;

interface Job {
  id: string;
  status: string;
  next_run_at?: string;
  errors?: { message: string }[];
}
interface Integrated {
  integration: { id: string; scheduled_operations?: object[] };
  token: { access: { secret: string } };
}

/** A system with tickets, whose webhooks are made by hand. */
const documentOf = (port: number) => `
provider: ticketing_desk
version: 1.0.0
fullname: Desk
vendor: Tests
credentials: {}
http: { base_url: '"http://127.0.0.1:${port}"' }
mappings:
  webhook:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.ticket_id = this.ticket.string()
        root.event_type = this.event
webhooks:
  events: [changes]
  event_types: [TicketCreated, TicketUpdated]
  instructions: Enter {url}.
  mapping: webhook
operations:
  ticketing_query_tickets:
    fields: { updated_at: { type: datetime }, id: { type: string } }
    steps: [{ name: rows, path: /tickets }]
    rows: this.steps.rows.rows
`;

let service: Service;
let server: Server;
let receiver: EventReceiver;
let worker: SimulatedWorker;
let account: string;
let sink: string;
let made: { id: string; secret: string };
let tickets: { id: string; updated_at: string }[] = [];
let requests = 0;
let onRequest: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  service = await startService();
  receiver = await EventReceiver.start();
  server = createServer((_request, response) => {
    requests += 1;
    const rows = tickets.map((ticket) => ({
      name: ticket.id,
      summary: ticket.id,
      created_at: ticket.updated_at,
      ...ticket,
    }));
    void onRequest().then(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ rows }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { status, message } = await service.call('POST', '/v1/customs', { data: documentOf(port) });
  expect([status, message]).toEqual([200, '']);
  await addProvider(service, 'ticketing_silent', 'ticketing_query_tickets');
  const named = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  account = named.result.account.id;
  const to = { provider_config: { type: 'sink_http', url: receiver.url } };
  sink = (await integrate(to)).result.integration.id;
});
beforeEach(() => {
  worker = new SimulatedWorker(service);
  tickets = [];
});
afterEach(async () => {
  await worker.stop();
  await service.call('DELETE', path());
  receiver.requests = [];
  requests = 0;
});
afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await receiver.stop();
});

const integrate = (body: object) =>
  service.call<Integrated>('POST', `/v1/integrations/${account}`, body);
const path = () => `/v1/integrations/${account}/${made.id}`;

const entry = (more: object = {}) => ({
  operation: 'ticketing_query_tickets',
  enabled: true,
  sink_integration_id: sink,
  frequency: { type: 'event', value: 'TicketUpdated' },
  incremental_config: { mode: 'incremental' },
  ...more,
});

async function schedule(more: object = {}) {
  const created = await integrate({
    provider_config: { type: 'ticketing_desk' },
    scheduled_operations: [entry(more)],
  });
  expect([created.status, created.message]).toEqual([200, '']);
  const { integration, token } = created.result;
  made = { id: integration.id, secret: token.access.secret };
  return created;
}

let count = 0;
/** Sends a message as the provider would, and returns the status of the response. */
async function report(event: string, message: object = { number: (count += 1) }): Promise<number> {
  const address = `/v1/hooks?token=${made.secret}`;
  const body = { ticket: 7, event, ...message };
  return (await service.call('POST', address, body, '')).status;
}

/** Changes a ticket now. */
const change = (id: string) => {
  const updated_at = new Date(worker.time).toISOString();
  tickets = [...tickets.filter((one) => one.id !== id), { id, updated_at }];
};

const job = async () => {
  const { result } = await service.call<Job[]>(
    'GET',
    `/v1/jobs?filter=integration_id[eq]${made.id}`,
  );
  return result[0];
};
const received = () =>
  receiver.requests.flatMap(({ events }) => (events as { id: string }[]).map(({ id }) => id));
const patch = async (place: string, value: unknown) => {
  const { status, message } = await service.call('PATCH', path(), [
    { op: 'replace', path: place, value },
  ]);
  expect([status, message]).toEqual([200, '']);
};

describe('a schedule that an event starts', () => {
  it('runs when it is created, and then reads what changed when the provider reports it, not by the clock', async () => {
    await schedule();
    await worker.pass(60 * minute);
    expect([requests, received()]).toEqual([1, []]);
    expect((await job())?.next_run_at).toBeUndefined();
    change('a');
    expect(await report('TicketUpdated')).toBe(204);
    const { next_run_at: next = '' } = (await job()) ?? {};
    expect(Date.parse(next)).toBeGreaterThan(0);
    await worker.pass(minute);
    expect([requests, received()]).toEqual([2, ['a']]);
    worker.time += 10 * minute;
    change('b');
    await report('TicketUpdated');
    await worker.pass(60 * minute);
    expect([requests, received()]).toEqual([3, ['a', 'b']]);
    expect(await job()).toMatchObject({ status: 'SCHEDULED' });
  });

  it('runs when the message is a form, as GitHub sends its JSON unless it is told otherwise', async () => {
    await schedule();
    await worker.pass(minute);
    change('a');
    const payload = JSON.stringify({ ticket: 7, event: 'TicketUpdated', number: (count += 1) });
    const { status } = await fetch(`${service.url}/v1/hooks?token=${made.secret}`, {
      method: 'POST',
      body: new URLSearchParams({ payload }),
    });
    expect(status).toBe(204);
    await worker.pass(minute);
    expect(received()).toEqual(['a']);
  });

  it('runs once for many messages, and not for a repeated message or another event', async () => {
    await schedule();
    await worker.pass(minute);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => report('TicketUpdated')));
    expect(new Set(statuses)).toEqual(new Set([204]));
    const again = { number: 'again' };
    await report('TicketUpdated', again);
    await worker.pass(5 * minute);
    expect(requests).toBe(2);
    await report('TicketUpdated', again);
    await report('TicketCreated');
    await worker.pass(5 * minute);
    expect(requests).toBe(2);
  });

  it('runs for a message that could not be read, as it may mean any event', async () => {
    await schedule();
    await worker.pass(minute);
    expect(await report('Nonsense')).toBe(204);
    await worker.pass(minute);
    expect(requests).toBe(2);
  });

  it('runs once more when an event came while it ran', async () => {
    await schedule();
    await worker.pass(minute);
    change('early');
    await report('TicketUpdated');
    onRequest = async () => {
      onRequest = () => Promise.resolve();
      change('late');
      await report('TicketUpdated');
      worker.time += minute;
      await worker.scheduler.tick(); // due, and not joined by a second run
    };
    await worker.pass(minute);
    expect([requests, received()]).toEqual([2, ['early']]);
    await worker.pass(minute);
    expect([requests, received()]).toEqual([3, ['early', 'late']]);
    await worker.pass(120 * minute);
    expect(requests).toBe(3);
  });

  it('reads a change to which the clock of the provider, ahead of ours, gave a time', async () => {
    await schedule();
    await worker.pass(minute);
    const updated_at = new Date(worker.time + 4 * minute).toISOString();
    tickets = [{ id: 'ahead', updated_at }];
    await report('TicketUpdated');
    await worker.pass(minute);
    expect(received()).toEqual(['ahead']);
  });

  it('runs although the clock was set back', async () => {
    await schedule();
    worker.time += 300 * minute;
    await worker.pass(minute);
    await report('TicketUpdated');
    worker.time -= 900 * minute;
    await worker.pass(minute);
    expect(requests).toBe(2);
  });

  it('is not started while it is switched off, and runs when it is switched on', async () => {
    await schedule();
    await worker.pass(minute);
    await patch('/scheduled_operations/0/enabled', false);
    change('meanwhile');
    await report('TicketUpdated');
    await worker.pass(10 * minute);
    expect(requests).toBe(1);
    await patch('/scheduled_operations/0/enabled', true);
    await worker.pass(minute);
    expect([requests, received()]).toEqual([2, ['meanwhile']]);
    await service.call('POST', `/v1/jobs/${(await job())?.id}/cancel`);
    await report('TicketUpdated');
    await worker.pass(10 * minute);
    expect(requests).toBe(2);
  });

  it('becomes one that runs by the clock, and back, as the same job', async () => {
    await schedule();
    await worker.pass(minute);
    const before = await job();
    await patch('/scheduled_operations/0/frequency', { type: 'periodic', value: '10m' });
    await worker.pass(60 * minute);
    expect(requests).toBeGreaterThanOrEqual(6);
    const { next_run_at: next = '' } = (await job()) ?? {};
    expect(Date.parse(next)).toBeGreaterThan(worker.time);
    await patch('/scheduled_operations/0/frequency', { type: 'event', value: 'TicketCreated' });
    await worker.pass(minute);
    const ran = requests;
    await worker.pass(60 * minute);
    await report('TicketUpdated');
    await worker.pass(10 * minute);
    expect(requests).toBe(ran);
    await report('TicketCreated');
    await worker.pass(minute);
    expect(requests).toBe(ran + 1);
    expect((await job())?.id).toBe(before?.id);
  });

  it('reads the past at once', async () => {
    await schedule({ backfill_from_time: '3d' });
    await worker.pass(minute);
    expect(requests).toBe(1 + 3);
  });
});

describe('without a webhook', () => {
  it('the response says so, until one is made', async () => {
    const { notes } = await schedule();
    expect(notes).toEqual([expect.stringContaining('no webhook')]);
    const create = () =>
      service.call<{ operation: Job }>(
        'POST',
        '/v1/operations',
        {
          operation: 'ticketing_query_tickets',
          input: { sink_integration_id: sink },
          schedule: { frequency: { type: 'event', value: 'TicketCreated' } },
        },
        made.secret,
      );
    const first = await create();
    expect(first.status).toBe(200);
    const remedy = expect.stringContaining('POST /v1/integration-webhooks');
    expect(first.result.operation.errors).toEqual([{ message: remedy }]);
    const webhook = { project: 'desk' };
    const registered = await service.call('POST', '/v1/integration-webhooks', webhook, made.secret);
    expect(registered.status).toBe(200);
    expect((await create()).result.operation.errors).toBeUndefined();
    const saved = await service.call('PATCH', path(), [
      { op: 'replace', path: '/fullname', value: 'Another name' },
    ]);
    expect([saved.status, saved.notes]).toEqual([200, []]);
  });
});

describe('an event that can never come is refused', () => {
  it.each([
    ['ticketing_silent', 'TicketUpdated', 'has no webhooks', 'a periodic frequency'],
    ['ticketing_desk', 'TicketDeleted', 'does not report it', 'TicketCreated, TicketUpdated'],
  ])('for %s and %s', async (type, value, said, remediation) => {
    const frequency = { type: 'event', value };
    const refused = await integrate({
      provider_config: { type },
      scheduled_operations: [entry({ frequency })],
    });
    expect(refused).toMatchObject({
      status: 400,
      message: expect.stringContaining(said),
      remediation: expect.stringContaining(remediation),
    });
    expect(refused.message).toContain('/scheduled_operations/0/frequency/value');
    const integrated = await integrate({ provider_config: { type } });
    const { integration, token } = integrated.result;
    made = { id: integration.id, secret: token.access.secret };
    const job = { operation: 'ticketing_query_tickets', input: { sink_integration_id: sink } };
    const other = await service.call(
      'POST',
      '/v1/operations',
      { ...job, schedule: { frequency } },
      made.secret,
    );
    expect([other.status, other.message]).toEqual([400, expect.stringContaining(said)]);
  });

  it('for an event that nobody knows', async () => {
    await schedule();
    const { status, message } = await integrate({
      provider_config: { type: 'ticketing_desk' },
      scheduled_operations: [entry({ frequency: { type: 'event', value: 'TicketBurnt' } })],
    });
    expect([status, message]).toEqual([
      400,
      expect.stringContaining('/scheduled_operations/0/frequency/value'),
    ]);
  });

  it('but a schedule of a point is not copied to such an integration', async () => {
    const point = await service.call<{ id: string }>('POST', '/v1/integration-points', {
      connector: 'ticketing',
      environments: { prod: ['*'] },
      scheduled_operations: [entry()],
    });
    expect([point.status, point.message]).toEqual([200, '']);
    const body = { integration_point_id: point.result.id };
    const silent = await integrate({ ...body, provider_config: { type: 'ticketing_silent' } });
    expect(silent.notes).toEqual([expect.stringContaining('was not copied')]);
    const desk = await integrate({ ...body, provider_config: { type: 'ticketing_desk' } });
    expect(desk.result.integration.scheduled_operations).toEqual([entry()]);
    made = { id: desk.result.integration.id, secret: '' };
  });
});
