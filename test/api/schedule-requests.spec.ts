import { beforeEach, describe, expect, it } from '@jest/globals';
import { addProvider } from './add-provider.js';
import {
  account,
  connectRows,
  entry,
  hour,
  type Integrated,
  type Job,
  jobs,
  made,
  path,
  received,
  runs,
  schedule,
  service,
  setMade,
  sink,
  useSchedules,
  worker,
} from './schedules-stage.js';

useSchedules();

describe('schedules of a point', () => {
  const timeless = {
    operation: 'siem_query_investigations',
    enabled: true,
    frequency: { type: 'periodic', value: '1h' },
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
    setMade({ id: result.integration.id, secret: result.token.access.secret });
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
    const { secret } = made ?? (await connectRows());
    return await service.call<{ operation: Job }>(
      'POST',
      '/v1/operations',
      {
        operation: 'siem_query_events',
        input: { sink_integration_id: sink, ...input },
        schedule: { frequency: { type: 'periodic', value: '1h' }, ...more },
      },
      secret,
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
      status: 400,
      remediation: 'Use one of: siem_query_events.',
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
        operation: 'siem_query_events',
        integration_id: made?.id,
        input: { sink_integration_id: sink },
        ...body,
      },
      token,
    );
  beforeEach(async () => {
    await connectRows();
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
      status: 400,
      message: expect.stringContaining('/operation'),
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
      status: 400,
      message: expect.stringContaining('/integration_id'),
    });
    const { result } = await create({});
    const path = `/v1/jobs/${result.operation.id}/cancel`;
    expect((await service.call('POST', path, undefined, access)).status).toBe(404);
  });
});
