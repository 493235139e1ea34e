import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { addProvider } from './add-provider.js';
import { ListedRows } from './listed-rows.js';
import { type Service, startService } from './service.js';
import { SimulatedWorker } from './simulated-worker.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Job {
  id: string;
  status: string;
  errors?: { message: string }[];
  schedule?: { frequency: { value: string } };
  integration_id: string;
}
interface Integrated {
  integration: { id: string; scheduled_operations?: object[] };
  token: { access: { secret: string } };
}

let service: Service;
let listed: ListedRows;
let receiver: EventReceiver;
let worker: SimulatedWorker;
let account: string;
let sink: string;

beforeAll(async () => {
  service = await startService();
  listed = await ListedRows.start(service);
  receiver = await EventReceiver.start();
  const made = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  account = made.result.account.id;
  sink = (await integrate({ provider_config: { type: 'sink_http', url: receiver.url } })).id;
});
beforeEach(() => {
  worker = new SimulatedWorker(service);
  listed.rows = [{ id: 'a', time: '2026-01-01T00:00:00Z' }];
  listed.status = 200;
});
afterEach(async () => {
  await worker.stop();
  await service.call('DELETE', `/v1/integrations/${account}/${made?.id ?? ''}`);
  made = undefined;
  receiver.requests = [];
  listed.requests = [];
});
afterAll(async () => {
  await service.stop();
  await listed.stop();
  await receiver.stop();
});

let made: { id: string; secret: string } | undefined;

async function integrate(body: object) {
  const { status, message, result } = await service.call<Integrated>(
    'POST',
    `/v1/integrations/${account}`,
    body,
  );
  expect([status, message]).toEqual([200, '']);
  return { id: result.integration.id, secret: result.token.access.secret };
}

const entry = (more: object = {}) => ({
  ...{ operation: 'siem_query_events', enabled: true, sink_integration_id: sink },
  frequency: { type: 'periodic', value: '1h' },
  ...more,
});

async function schedule(...entries: object[]): Promise<string> {
  made = await integrate({
    provider_config: { type: 'siem_rows' },
    scheduled_operations: entries,
  });
  return made.id;
}

const path = () => `/v1/integrations/${account}/${made?.id ?? ''}`;
const patch = async (...operations: object[]) => {
  const { status, message } = await service.call('PATCH', path(), operations);
  expect([status, message]).toEqual([200, '']);
};

async function jobs(id = made?.id): Promise<Job[]> {
  const { result } = await service.call<Job[]>('GET', `/v1/jobs?filter=integration_id[eq]${id}`);
  return result;
}

async function runs(): Promise<{ status: string; started_at: string; trigger_source: string }[]> {
  const { result } = await service.call(
    'GET',
    `/v1/jobs/history?limit=500&filter=integration_id[eq]${made?.id ?? ''}`,
  );
  return result as never;
}

const received = () => receiver.requests.flatMap(({ events }) => events as { id: string }[]);

describe('a schedule of an integration', () => {
  it('runs each hour, and its job waits in between', async () => {
    await schedule(entry());
    expect(await jobs()).toMatchObject([{ status: 'SCHEDULED', schedule: entry() }]);
    await worker.pass(10 * hour, 5 * minute);
    expect(received()).toHaveLength(10);
    const done = await runs();
    expect(done).toHaveLength(10);
    for (const run of done)
      expect(run).toMatchObject({ status: 'COMPLETE', trigger_source: made?.id });
    const times = done.map(({ started_at }) => Date.parse(started_at)).sort();
    for (const [index, time] of times.slice(1).entries())
      expect(time - (times[index] ?? 0)).toBe(hour);
    expect(await jobs()).toMatchObject([{ status: 'SCHEDULED' }]);
  });

  it('runs 52 times in a year of weeks', async () => {
    await schedule(entry({ frequency: { type: 'periodic', value: '7d' } }));
    await worker.pass(364 * day, day);
    expect(await runs()).toHaveLength(52);
    expect(received()).toHaveLength(52);
  });

  it('runs once after a worker was away for a month', async () => {
    await schedule(entry());
    await worker.pass(2 * hour, 5 * minute);
    const before = received().length;
    await worker.pass(30 * day, 30 * day);
    expect(received()).toHaveLength(before + 1);
    await worker.pass(hour, minute);
    expect(received()).toHaveLength(before + 2);
  });

  it('goes on when the clock is set forward by a year, and back', async () => {
    await schedule(entry());
    await worker.pass(2 * hour, 5 * minute);
    const before = received().length;
    await worker.pass(365 * day, 365 * day);
    expect(received()).toHaveLength(before + 1);
    worker.time -= 365 * day;
    await worker.pass(5 * hour, 5 * minute);
    // The run of the moment in which it was set back may be left out.
    expect(received().length - before).toBeGreaterThanOrEqual(5);
    expect(received().length - before).toBeLessThanOrEqual(6);
  });

  it('is fired by one of two workers', async () => {
    await schedule(entry());
    const other = new SimulatedWorker(service);
    for (let n = 0; n < 5; n += 1) {
      worker.time += hour;
      other.time = worker.time;
      await Promise.all([worker.scheduler.tick(), other.scheduler.tick()]);
      await worker.drain();
    }
    await other.stop();
    expect(received()).toHaveLength(5);
  });

  it('is not joined by a second run while one takes longer than the period', async () => {
    await schedule(entry());
    worker.time += hour;
    await worker.scheduler.tick();
    worker.time += hour;
    await worker.scheduler.tick();
    await worker.drain();
    expect(await runs()).toHaveLength(1);
  });

  it('is told of by operation_complete after each run', async () => {
    const webhooks = '/v1/organization/webhooks';
    const { result } = await service.call<{ id: string }>('POST', webhooks, {
      ...{ filters: ['operation_complete'], url: 'https://hooks.example.com/jobs' },
      secret: { value: 'a signing secret that nobody shows' },
    });
    await schedule(entry());
    await worker.pass(2 * hour, hour);
    const events = await service.call<{ payload: object }[]>(
      'GET',
      `${webhooks}/${result.id}/deliveries`,
    );
    const [job] = await jobs();
    const payload = { id: job?.id, status: 'COMPLETE' };
    expect(events.result).toMatchObject([{ payload }, { payload }]);
    await service.call('DELETE', `${webhooks}/${result.id}`);
  });
});

describe('a thousand schedules', () => {
  it('that were created together do not begin together', async () => {
    await schedule(...Array.from({ length: 100 }, (_, n) => entry({ filters: [`id[eq]${n}`] })));
    const { rows } = { rows: await service.store.dueSchedules(new Date(worker.time + day), 1000) };
    expect(rows).toHaveLength(100);
    const inMinute = async (minutes: number) =>
      (await service.store.dueSchedules(new Date(worker.time + minutes * minute), 1000)).length;
    const counts = [];
    for (let n = 0; n < 15; n += 1) counts.push((await inMinute(n + 1)) - (await inMinute(n)));
    expect(Math.max(...counts)).toBeLessThan(25);
  });
});

describe('changing scheduled_operations', () => {
  it('switches a schedule off and on', async () => {
    await schedule(entry());
    await worker.pass(hour, minute);
    await patch({ op: 'replace', path: '/scheduled_operations/0/enabled', value: false });
    const before = received().length;
    expect(await jobs()).toMatchObject([{ status: 'DISABLED' }]);
    await worker.pass(5 * hour, 10 * minute);
    expect(received()).toHaveLength(before);
    await patch({ op: 'replace', path: '/scheduled_operations/0/enabled', value: true });
    expect(await jobs()).toMatchObject([{ status: 'SCHEDULED' }]);
    await worker.pass(10 * minute); // the service has the real time, for which this was long ago
    const on = received().length;
    await worker.pass(5 * hour, 10 * minute);
    expect(received()).toHaveLength(on + 5);
    expect(await jobs()).toHaveLength(1);
  });

  it('switches a run off that goes on', async () => {
    await schedule(entry());
    worker.time += hour;
    await worker.scheduler.tick();
    await patch({ op: 'replace', path: '/scheduled_operations/0/enabled', value: false });
    await worker.drain();
    expect(received()).toEqual([]);
  });

  it('changes the frequency of the same job', async () => {
    await schedule(entry());
    await worker.pass(hour, minute);
    const before = received().length;
    const frequency = { type: 'periodic', value: '10m' };
    await patch({ op: 'replace', path: '/scheduled_operations/0/frequency', value: frequency });
    await worker.pass(hour, minute);
    // The service has the real time, so the first of them is due at once.
    expect(received().length - before).toBeGreaterThanOrEqual(6);
    expect(received().length - before).toBeLessThanOrEqual(7);
    expect(await jobs()).toHaveLength(1);
  });

  it('cancels the job of one that was taken out, and leaves others alone', async () => {
    await schedule(entry(), entry({ operation: 'siem_query_investigations' }));
    const [first] = await jobs();
    await patch({ op: 'remove', path: '/scheduled_operations/0' });
    expect((await jobs()).map(({ status }) => status)).toEqual(['CANCELLED', 'SCHEDULED']);
    await patch({ op: 'add', path: '/scheduled_operations/-', value: entry() });
    const all = await jobs();
    expect(all.map(({ status }) => status)).toEqual(['CANCELLED', 'SCHEDULED', 'SCHEDULED']);
    expect(all[0]?.id).toBe(first?.id);
  });

  it('does not revive a job that was cancelled when something else changes', async () => {
    await schedule(entry());
    const [job] = await jobs();
    await service.call('POST', `/v1/operations/${job?.id}`, undefined, made?.secret);
    await patch({ op: 'replace', path: '/fullname', value: 'Another name' });
    expect(await jobs()).toMatchObject([{ status: 'CANCELLED' }]);
    await worker.pass(2 * hour, hour);
    expect(received()).toEqual([]);
  });

  it('ends with the integration', async () => {
    const id = await schedule(entry());
    worker.time += hour;
    await worker.scheduler.tick();
    await service.call('DELETE', path());
    await worker.pass(2 * hour, hour);
    expect([received(), await jobs(id)]).toEqual([[], []]);
  });
});

describe('a schedule that fails', () => {
  it('is switched off after ten runs, says why, and is in the audit trail', async () => {
    await schedule(entry());
    listed.status = 404;
    await worker.pass(9 * hour, hour);
    expect(await jobs()).toMatchObject([{ status: 'SCHEDULED' }]);
    await worker.pass(10 * hour, hour);
    const [job] = await jobs();
    expect(job).toMatchObject({ status: 'DISABLED' });
    expect(job?.errors?.at(-1)?.message).toContain('switched off because 10 runs failed');
    expect(await runs()).toHaveLength(10);
    const audit = await service.call<{ code: string; integration_id?: string }[]>(
      'GET',
      '/v1/audit/organizations?limit=1&order=created_at%5Bdesc%5D&filter=audit_type%5Beq%5DALARM',
    );
    expect(audit.result).toMatchObject([{ code: 'schedule_disabled', integration_id: made?.id }]);
    listed.status = 200;
    await patch({ op: 'replace', path: '/scheduled_operations/0/frequency/value', value: '2h' });
    await worker.pass(2 * hour, minute);
    expect(received().length).toBeGreaterThan(0);
    expect(await jobs()).toMatchObject([{ status: 'SCHEDULED' }]);
  });

  it('does not count failures before a run that did not fail', async () => {
    await schedule(entry());
    listed.status = 404;
    await worker.pass(9 * hour, hour);
    listed.status = 200;
    await worker.pass(hour, hour);
    listed.status = 404;
    await worker.pass(9 * hour, hour);
    expect(await jobs()).toMatchObject([{ status: 'SCHEDULED' }]);
  });

  it('fails without a sink, which the response says', async () => {
    const { notes, result } = await service.call<Integrated>(
      'POST',
      `/v1/integrations/${account}`,
      {
        provider_config: { type: 'siem_rows' },
        scheduled_operations: [entry({ sink_integration_id: null })],
      },
    );
    expect(notes).toEqual([expect.stringContaining('no sink')]);
    made = { id: result.integration.id, secret: result.token.access.secret };
    await worker.pass(hour, hour);
    const [job] = await jobs();
    expect(job?.errors?.[0]?.message).toContain('sink');
  });
});

describe('schedules of a point', () => {
  const timeless = {
    ...{ operation: 'siem_query_investigations', enabled: true },
    ...{ frequency: { type: 'periodic', value: '1h' } },
    incremental_config: { mode: 'incremental' },
  };

  it('are copied to an integration as far as its provider can run them', async () => {
    const point = await service.call<{ id: string }>('POST', '/v1/integration-points', {
      connector: 'siem',
      environments: { prod: ['*'] },
      scheduled_operations: [entry(), timeless],
    });
    const { notes, result } = await service.call<Integrated>(
      'POST',
      `/v1/integrations/${account}`,
      {
        provider_config: { type: 'siem_rows' },
        integration_point_id: point.result.id,
      },
    );
    made = { id: result.integration.id, secret: result.token.access.secret };
    expect(result.integration.scheduled_operations).toEqual([entry()]);
    expect(notes).toEqual([expect.stringContaining('was not copied')]);
    await worker.pass(hour, hour);
    expect(await runs()).toMatchObject([
      { trigger_source: point.result.id, trigger_type: 'SCHEDULED' },
    ]);
  });
});

describe('POST /v1/operations with a schedule', () => {
  const create = async (more: object = {}, input: object = {}) => {
    made ??= await integrate({ provider_config: { type: 'siem_rows' } });
    return await service.call<{ operation: Job }>(
      'POST',
      '/v1/operations',
      {
        operation: 'siem_query_events',
        input: { sink_integration_id: sink, ...input },
        schedule: { frequency: { type: 'periodic', value: '1h' }, ...more },
      },
      made.secret,
    );
  };

  it('runs again and again until it is cancelled', async () => {
    const { result, status } = await create();
    expect([status, result.operation.status]).toEqual([200, 'SCHEDULED']);
    expect(result.operation.schedule).toEqual({ frequency: { type: 'periodic', value: '1h' } });
    await worker.pass(3 * hour, hour);
    expect(received()).toHaveLength(3);
    const cancel = `/v1/operations/${result.operation.id}`;
    expect((await service.call('POST', cancel, undefined, made?.secret)).status).toBe(204);
    await worker.pass(3 * hour, hour);
    expect(received()).toHaveLength(3);
    expect(await jobs()).toMatchObject([{ status: 'CANCELLED' }]);
  });

  it.each([
    [{ frequency: { type: 'periodic', value: '4m' } }, {}, '/schedule/frequency/value'],
    [{ frequency: { type: 'periodic', value: '366d' } }, {}, '/schedule/frequency/value'],
    [{ frequency: { type: 'cron', value: '* * * * *' } }, {}, '/schedule/frequency'],
    [{ operation: 'siem_query_alerts' }, {}, '/schedule/operation'],
    [{ filters: ['id[eq]a'] }, {}, '/schedule/filters'],
    [{ incremental_config: { mode: 'incremental' } }, { limit: 5 }, '/input/limit'],
    [
      { incremental_config: { mode: 'incremental', time_filter_field: 'id' } },
      {},
      '/schedule/incremental_config/time_filter_field',
    ],
  ])('refuses %j with %j', async (more, input, pointer) => {
    const { status, message } = await create(more, input);
    expect([status, message]).toEqual([400, expect.stringContaining(pointer)]);
  });
});

describe('a schedule of an integration is refused', () => {
  it('for a list that its provider does not offer, naming those that it does', async () => {
    await addProvider(service, 'siem_few', 'siem_query_events');
    const scheduled_operations = [entry({ operation: 'siem_query_investigations' })];
    const body = { provider_config: { type: 'siem_few' }, scheduled_operations };
    const refused = await service.call('POST', `/v1/integrations/${account}`, body);
    expect(refused).toMatchObject({
      ...{ status: 400, remediation: 'Use one of: siem_query_events.' },
      message: expect.stringContaining('/scheduled_operations/0/operation: is not a list'),
    });
  });

  it.each([
    [{ sink_integration_id: 'nothing' }, 'sink_integration_id'],
    [
      { frequency: { type: 'periodic', value: '4m' } },
      '/scheduled_operations/0/frequency/value: must be a duration between 5m and 365d',
    ],
    [{ frequency: { type: 'periodic', value: '299s' } }, '/scheduled_operations/0/frequency/value'],
    [
      {
        operation: 'siem_query_investigations',
        incremental_config: { mode: 'incremental' },
      },
      'incremental_config/mode: cannot be incremental',
    ],
  ])('for %j', async (more, said) => {
    const body = { provider_config: { type: 'siem_rows' }, scheduled_operations: [entry(more)] };
    const { status, message } = await service.call('POST', `/v1/integrations/${account}`, body);
    expect([status, message]).toEqual([400, expect.stringContaining(said)]);
  });

  it('at its place among others, also of a change and of a point', async () => {
    const often = { frequency: { type: 'periodic', value: '1m' } };
    const place = '/scheduled_operations/1/frequency/value';
    await schedule(entry());
    const add = [{ op: 'add', path: '/scheduled_operations/-', value: entry(often) }];
    const point = { connector: 'siem', environments: { prod: ['*'] } };
    const scheduled_operations = [entry(), entry(often)];
    for (const [method, at, body] of [
      ['PATCH', path(), add],
      ['POST', '/v1/integration-points', { ...point, scheduled_operations }],
    ] as const) {
      const { status, message, remediation } = await service.call(method, at, body);
      expect([method, status, message]).toEqual([method, 400, expect.stringContaining(place)]);
      expect(remediation).toContain('such as 1h');
    }
    expect(await jobs()).toHaveLength(1);
  });
});

describe('/v1/jobs', () => {
  const create = (body: object, token?: string) =>
    service.call<{ operation: Job }>(
      'POST',
      '/v1/jobs',
      {
        ...{ operation: 'siem_query_events', integration_id: made?.id },
        ...{ input: { sink_integration_id: sink }, ...body },
      },
      token,
    );
  beforeEach(async () => {
    made = await integrate({ provider_config: { type: 'siem_rows' } });
  });

  it('creates a job of an integration, once or with a schedule, and cancels it', async () => {
    const once = await create({});
    expect(once).toMatchObject({ status: 200, result: { operation: { status: 'SCHEDULED' } } });
    await worker.drain();
    expect(received()).toHaveLength(1);
    const { result } = await create({ schedule: { frequency: { type: 'periodic', value: '1h' } } });
    await worker.pass(hour, hour);
    expect(received()).toHaveLength(2);
    const cancel = await service.call('POST', `/v1/jobs/${result.operation.id}/cancel`);
    expect(cancel.status).toBe(204);
    await worker.pass(hour, hour);
    expect(received()).toHaveLength(2);
    const states = (await jobs()).map(({ status }) => status);
    expect(states).toEqual(['COMPLETE', 'CANCELLED']);
    const again = await service.call('POST', `/v1/jobs/${once.result.operation.id}/cancel`);
    expect(again.status).toBe(409);
  });

  it('refuses what the integration would refuse, with the place and the remedy', async () => {
    const other = await create({ operation: 'siem_query_alerts' });
    expect(other).toMatchObject({
      ...{ status: 400, message: expect.stringContaining('/operation') },
      remediation: expect.stringContaining('siem_query_events'),
    });
    const often = await create({ schedule: { frequency: { type: 'periodic', value: '1m' } } });
    expect([often.status, often.message]).toEqual([
      400,
      expect.stringContaining('/schedule/frequency/value'),
    ]);
  });

  it('finds no integration and no job of another organization', async () => {
    const { access } = await service.organization('stranger');
    expect(await create({}, access)).toMatchObject({
      ...{ status: 400, message: expect.stringContaining('/integration_id') },
    });
    const { result } = await create({});
    const path = `/v1/jobs/${result.operation.id}/cancel`;
    expect((await service.call('POST', path, undefined, access)).status).toBe(404);
  });
});
