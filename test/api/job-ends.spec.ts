import { describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import {
  account,
  answers,
  batches,
  create,
  desk,
  ended,
  executions,
  integrate,
  type Job,
  makeDue,
  pageRecords,
  read,
  receiver,
  request,
  service,
  sink,
  tickets,
  until,
  useJobs,
  work,
  worker,
  setAnswers,
} from './jobs-stage.js';

useJobs();

describe('a job whose list goes on', () => {
  const unlimited = { durationMs: Infinity, pages: Infinity, bytes: Infinity };

  it.each([
    ['of time', { durationMs: 1 }, /limit of 0.001 s/],
    ['of pages', { pages: 1 }, /limit of 1 pages/],
    ['of bytes', { bytes: 10 }, /limit of 10 bytes/],
  ])(
    'is cancelled with the reason at its limit %s, and keeps what was written',
    async (_what, limit, reason) => {
      work(systemClock, 4, { ...unlimited, ...limit });
      const job = await create();
      expect(await ended(job.id)).toMatchObject({
        status: 'CANCELLED',
        errors: [{ message: expect.stringMatching(reason) }],
      });
      expect(await executions(job.id)).toMatchObject([
        {
          status: 'CANCELLED',
          error: expect.stringMatching(reason),
          records_processed: pageRecords,
        },
      ]);
      expect(receiver.requests).toHaveLength(1);
    },
  );

  it('is complete at a limit that it just keeps', async () => {
    work(systemClock, 4, { ...unlimited, pages: 1 });
    const job = await create({ limit: pageRecords });
    expect(await ended(job.id)).toMatchObject({ status: 'COMPLETE' });
  });

  it('is cancelled when its page fails until the limit of time', async () => {
    setAnswers([{ status: 503 }]);
    work(systemClock, 4, { ...unlimited, durationMs: 1 });
    const job = await create();
    expect(await ended(job.id)).toMatchObject({
      status: 'CANCELLED',
      errors: [
        { message: expect.stringContaining('writing page 0 to the sink') },
        { message: expect.stringContaining('limit of 0.001 s') },
      ],
    });
  });
});

describe('a job that cannot go on', () => {
  it('is cancelled within a page, once', async () => {
    const job = await create();
    setAnswers([{ status: 200, delayMs: 500 }]);
    work();
    await until(job.id, () => receiver.requests.length > 0);
    const cancel = () => service.call('POST', `/v1/operations/${job.id}`, undefined, desk.secret);
    expect((await cancel()).status).toBe(204);
    expect((await cancel()).status).toBe(204);
    await worker?.stop();
    expect(receiver.requests).toHaveLength(1);
    expect(await read(job.id)).toMatchObject({ status: 'CANCELLED' });
    expect(await executions(job.id)).toMatchObject([{ status: 'CANCELLED' }]);
  });

  it('waits for a sink that refuses, says so, and repeats the batch with the same id', async () => {
    setAnswers([{ status: 200 }, { status: 503 }]);
    work();
    const job = await create();
    const waiting = await until(job.id, ({ errors }) => errors !== undefined);
    const [batch] = receiver.requests;
    expect(waiting).toMatchObject({
      status: 'PROCESSING',
      errors: [{ message: expect.stringContaining('writing page 1 to the sink') }],
      current_run: { records_processed: pageRecords, in_bytes: batch?.body.length },
    });
    const listed = await service.call<Job[]>('GET', `/v1/jobs?filter=id[eq]${job.id}`);
    expect(listed.result).toMatchObject([{ current_run: { records_processed: pageRecords } }]);
    const end = await ended(job.id);
    expect(end).toMatchObject({ status: 'COMPLETE' });
    expect(end).not.toHaveProperty('current_run');
    const [, second, third] = batches();
    expect(third).toBe(second);
  });

  it('leaves its place to others while the sink has asked to wait', async () => {
    setAnswers([{ status: 429, headers: { 'retry-after': '3600' } }]);
    work(systemClock, 1);
    const limited = await create();
    await until(limited.id, ({ errors }) => errors !== undefined);
    const other = await create();
    expect(await ended(other.id)).toMatchObject({ status: 'COMPLETE' });
    expect(await read(limited.id)).toMatchObject({ status: 'PROCESSING' });
    await service.call('POST', `/v1/operations/${limited.id}`, undefined, desk.secret);
  });

  it('is cancelled with the reason after a day', async () => {
    // A NUL is nothing that the database can store.
    const refusal = { status: 503, body: '{"error":{"message":"closed\\u0000 until May"}}' };
    setAnswers([refusal]);
    let now = Date.now();
    work({ now: () => now });
    const job = await create();
    await until(job.id, ({ errors }) => errors !== undefined);
    await worker?.stop();
    now += 86_400_000;
    setAnswers([refusal]);
    await makeDue();
    work({ now: () => now });
    const end = await ended(job.id);
    const reason = expect.stringMatching(
      /^writing page 0 to the sink: .*answered 503: .*until May/,
    );
    expect(end).toMatchObject({
      status: 'CANCELLED',
      errors: [{ message: reason }, { message: reason }],
    });
    expect(await executions(job.id)).toMatchObject([{ status: 'CANCELLED', error: reason }]);
  });

  it('is cancelled at once by a record that the sink never takes, which it names', async () => {
    const [, , third] = await tickets();
    receiver.fault = ({ body }) =>
      body.includes(`"id":"${third?.id}"`) ? { status: 413 } : answers.shift();
    work();
    const job = await create();
    const end = await ended(job.id);
    receiver.fault = () => answers.shift();
    expect(end.status).toBe('CANCELLED');
    expect(end.errors).toEqual([
      {
        message: expect.stringMatching(
          /^writing page 0 to the sink: record 2 of the page is too large .* JOB_PAGE_RECORDS/,
        ),
      },
    ]);
  });

  it('is cancelled when its sink is deleted between two pages, and keeps what was written', async () => {
    const leaving = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
    const job = await create({ sink_integration_id: leaving.id });
    setAnswers([{ status: 200, delayMs: 200 }]);
    work();
    await until(job.id, () => receiver.requests.length > 0);
    await worker?.stop(); // ends with the page that it is writing
    expect(await read(job.id)).toMatchObject({ status: 'PROCESSING' });
    await service.call('DELETE', `/v1/integrations/${account}/${leaving.id}`);
    work();
    const reason = `the sink ${leaving.id} was deleted`;
    expect(await ended(job.id)).toMatchObject({
      status: 'CANCELLED',
      errors: [{ message: reason }],
    });
    expect(await executions(job.id)).toMatchObject([
      { status: 'CANCELLED', error: reason, records_processed: pageRecords },
    ]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('is cancelled when its sink is deleted while a page is written to it', async () => {
    const leaving = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
    setAnswers([{ status: 503, delayMs: 200 }]);
    work();
    const job = await create({ sink_integration_id: leaving.id });
    await until(job.id, () => receiver.requests.length > 0);
    await service.call('DELETE', `/v1/integrations/${account}/${leaving.id}`);
    await until(job.id, ({ errors }) => errors !== undefined);
    await makeDue();
    const { status, errors } = await ended(job.id);
    expect([status, errors?.at(-1)?.message]).toEqual([
      'CANCELLED',
      `the sink ${leaving.id} was deleted`,
    ]);
  });

  it('is cancelled when its sink is deleted', async () => {
    const gone = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
    const job = await create({ sink_integration_id: gone.id });
    await service.call('DELETE', `/v1/integrations/${account}/${gone.id}`);
    work();
    const end = await ended(job.id);
    expect(end.status).toBe('CANCELLED');
    expect(end.errors?.[0]?.message).toContain(`the sink ${gone.id} was deleted`);
  });

  it('ends with its integration, and leaves its place to the next', async () => {
    const leaving = await integrate({ type: 'ticketing_mock_ticketing' });
    for (let n = 0; n < 4; n += 1) await request({}, 'ticketing_query_tickets', leaving);
    const job = await create(); // has to wait: the organization has four others
    await service.call('DELETE', `/v1/integrations/${account}/${leaving.id}`);
    work();
    expect(await ended(job.id)).toMatchObject({ status: 'COMPLETE' });
    expect(new Set(batches()).size).toBe(batches().length);
  });
});

describe('the end of a job', () => {
  const webhooks = '/v1/organization/webhooks';
  interface Event {
    event: string;
    payload: Record<string, unknown>;
  }
  async function listen(filters: string[], environment = 'prod'): Promise<() => Promise<Event[]>> {
    const { status, result } = await service.call<{ id: string }>('POST', webhooks, {
      filters,
      environment,
      url: 'https://hooks.example.com/jobs',
      secret: { value: 'a signing secret that nobody shows' },
    });
    expect(status).toBe(200);
    const path = `${webhooks}/${result.id}/deliveries`;
    return async () => (await service.call<Event[]>('GET', path)).result;
  }

  it('is told once to the webhooks of its environment that want it, with the job', async () => {
    const heard = await listen(['operation_complete']);
    const unheard = [await listen(['account_create']), await listen(['all'], 'test')];
    work();
    const { id } = await create({ limit: pageRecords + 1 });
    const { updated_at, ...job } = (await ended(id)) as Job & Record<string, unknown>;
    const events = await heard();
    expect(events).toMatchObject([
      {
        event: 'operation_complete',
        payload: {
          event: 'operation_complete',
          nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
          id,
          updated_at,
          status: 'COMPLETE',
          operation: 'ticketing_query_tickets',
          account_id: account,
          integration_id: desk.id,
          created_at: job['created_at'],
          input: { limit: pageRecords + 1, sink_integration_id: sink.id },
        },
      },
    ]);
    expect(events[0]?.payload).not.toHaveProperty('errors');
    for (const events of unheard) expect(await events()).toEqual([]);
  });

  it('is told when it is cancelled, by request once and for a reason with its errors', async () => {
    const heard = await listen(['operation_complete']);
    const { id } = await create();
    for (let n = 0; n < 2; n += 1)
      await service.call('POST', `/v1/operations/${id}`, undefined, desk.secret);
    expect(await heard()).toMatchObject([{ payload: { id, status: 'CANCELLED' } }]);
    const gone = await integrate({ type: 'sink_http', url: `${receiver.url}/in` });
    const job = await create({ sink_integration_id: gone.id });
    await service.call('DELETE', `/v1/integrations/${account}/${gone.id}`);
    work();
    await ended(job.id);
    const payloads = (await heard()).map(({ payload }) => payload);
    expect(payloads).toHaveLength(2);
    expect(payloads.find((one) => one['id'] === job.id)).toMatchObject({
      status: 'CANCELLED',
      errors: [{ message: expect.stringContaining(`the sink ${gone.id} was deleted`) }],
    });
  });
});
