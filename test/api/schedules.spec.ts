import { describe, expect, it } from '@jest/globals';
import {
  account,
  day,
  entry,
  hour,
  type Integrated,
  jobs,
  listed,
  made,
  minute,
  patch,
  path,
  received,
  runs,
  schedule,
  service,
  setMade,
  useSchedules,
  worker,
} from './schedules-stage.js';
import { SimulatedWorker } from './simulated-worker.js';

useSchedules();

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

  it('ends each run at the limits that it says', async () => {
    listed.rows = Array.from({ length: 12 }, (_, n) => ({
      id: `row-${n}`,
      time: '2026-01-01T00:00:00Z',
    }));
    await schedule(entry({ run_limits: { max_pages: 2 } }));
    expect(await jobs()).toMatchObject([{ schedule: { run_limits: { max_pages: 2 } } }]);
    await worker.pass(hour, 5 * minute);
    expect(received()).toHaveLength(10);
    expect(await runs()).toMatchObject([
      { status: 'CANCELLED', error: expect.stringContaining('limit of 2 pages') },
    ]);
    await patch({
      op: 'replace',
      path: '/scheduled_operations/0/run_limits',
      value: { max_pages: 3 },
    });
    await worker.pass(hour, 5 * minute);
    expect((await runs()).map(({ status }) => status).sort()).toEqual(['CANCELLED', 'COMPLETE']);
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
      filters: ['operation_complete'],
      url: 'https://hooks.example.com/jobs',
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
    // Jobs that were created in the same millisecond have no order, so they are told apart by their operation.
    const of = async (operation: string) =>
      (await jobs()).filter((job) => job.schedule?.operation === operation);
    const [first] = await of('siem_query_events');
    await patch({ op: 'remove', path: '/scheduled_operations/0' });
    expect(await of('siem_query_events')).toMatchObject([{ id: first?.id, status: 'CANCELLED' }]);
    expect(await of('siem_query_investigations')).toMatchObject([{ status: 'SCHEDULED' }]);
    await patch({ op: 'add', path: '/scheduled_operations/-', value: entry() });
    expect(await of('siem_query_events')).toMatchObject([
      { id: first?.id, status: 'CANCELLED' },
      { status: 'SCHEDULED' },
    ]);
    expect(await of('siem_query_investigations')).toMatchObject([{ status: 'SCHEDULED' }]);
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
    setMade({ id: result.integration.id, secret: result.token.access.secret });
    await worker.pass(hour, hour);
    const [job] = await jobs();
    expect(job?.errors?.[0]?.message).toContain('sink');
  });
});
