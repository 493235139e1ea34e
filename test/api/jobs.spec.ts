import { describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import {
  account,
  batches,
  create,
  desk,
  ended,
  executions,
  integrate,
  type Integrated,
  type Job,
  pageRecords,
  read,
  received,
  receiver,
  request,
  service,
  sink,
  tickets,
  useJobs,
  work,
} from './jobs-stage.js';

useJobs();

describe('a job', () => {
  it('writes every record of the list to the sink, in pages with stable ids, and is measured', async () => {
    const all = await tickets();
    expect(all.length).toBeGreaterThan(pageRecords * 2);
    const job = await create();
    expect(job).toMatchObject({ status: 'SCHEDULED', output_integration_id: sink.id });
    work();
    expect(await ended(job.id)).toMatchObject({ status: 'COMPLETE' });
    expect(received()).toEqual(all.map(({ id }) => id));
    const [run] = await executions(job.id);
    const bytes = receiver.requests.reduce((sum, { body }) => sum + body.length, 0);
    expect(run).toMatchObject({
      operation_id: job.id,
      trigger_type: 'API',
      trigger_source: 'manual',
      status: 'COMPLETE',
      records_processed: all.length,
      in_bytes: bytes,
    });
    expect(run?.['cpu_time']).toBeGreaterThan(0);
    expect(run?.['duration']).toBeGreaterThan(0);
    expect(run?.['final_cursor']).toEqual(expect.any(String));
    expect(batches()).toEqual(
      receiver.requests.map((_, page) => `${String(run?.['execution_id'])}-${page}`),
    );
    expect(await read(job.id)).toMatchObject({ in_bytes: bytes, cpu_time: run?.['cpu_time'] });
  });

  it('ends at its limit, and applies its filters', async () => {
    work();
    const [first] = await tickets();
    const few = await create({ limit: pageRecords + 1 });
    await ended(few.id);
    expect(received()).toHaveLength(pageRecords + 1);
    receiver.requests = [];
    const one = await create({ filters: [`id[eq]${first?.id ?? ''}`] });
    await ended(one.id);
    expect(received()).toEqual([first?.id]);
  });

  it('is the same for a repeated request with one Idempotency-Key', async () => {
    const post = async () => {
      const response = await fetch(`${service.url}/v1/operations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${desk.secret}`,
          'content-type': 'application/json',
          'idempotency-key': 'once',
        },
        body: JSON.stringify({
          operation: 'ticketing_query_tickets',
          input: { sink_integration_id: sink.id },
        }),
      });
      return ((await response.json()) as { result: { operation: Job } }).result.operation.id;
    };
    const id = await post();
    expect(await post()).toBe(id);
    work();
    await ended(id);
  });

  it('counts in status, series and billing as calls of clients do, marked as such', async () => {
    const [source, target] = [
      await integrate({ type: 'ticketing_mock_ticketing' }),
      await integrate({ type: 'sink_http', url: `${receiver.url}/in` }),
    ];
    const tickets = '/v1/ticketing/tickets?limit=1';
    expect((await service.call('GET', tickets, undefined, source.secret)).status).toBe(200);
    const input = { sink_integration_id: target.id, limit: pageRecords * 2 };
    const { result } = await request(input, 'ticketing_query_tickets', source);
    work();
    const job = `/v1/operations/${result.operation.id}`;
    for (const [{ id }, clients] of [
      [source, 2], // the list, and the creation of the job
      [target, 0],
    ] as const) {
      const counted = { requests: 2 + clients, job_requests: 2 };
      const path = `/v1/status/${account}/${id}`;
      while ((await service.call<typeof counted>('GET', path)).result.requests < counted.requests)
        await new Promise((settle) => setTimeout(settle, 20));
      expect((await service.call('GET', path)).result).toMatchObject({ ...counted, failed: 0 });
      const series = await service.call<{ series: object[] }>('GET', `${path}/timeseries`);
      expect(series.result.series.at(-1)).toMatchObject({
        succeeded: counted.requests,
        failed: 0,
        job_requests: 2,
      });
      const billing = await service.call<{ csv_data: string }>('GET', '/v1/billing/acme/partial');
      const lines = billing.result.csv_data.split('\r\n').map((line) => line.split(','));
      const line = lines.find((cells) => cells.includes(id)) ?? [];
      const cell = (name: string) => line[lines[0]?.indexOf(name) ?? -1];
      expect([cell('requests'), cell('job_requests')]).toEqual([`${counted.requests}`, '2']);
    }
    const end = await service.call('GET', job, undefined, source.secret);
    expect(end.result).toMatchObject({ status: 'COMPLETE' });
  });

  it('outlives the token that made it, of whose member the audit trail knows', async () => {
    const other = await integrate({ type: 'ticketing_mock_ticketing' });
    const made = await service.call<{ secret: string }>(
      'POST',
      `/v1/tokens/${account}/${other.id}`,
      {},
    );
    const maker = { id: other.id, secret: made.result.secret };
    const self = await service.call<{ token: { id: string } }>(
      'GET',
      '/v1/tokens/self/info',
      undefined,
      maker.secret,
    );
    const { status, result } = await request({}, 'ticketing_query_tickets', maker);
    expect(status).toBe(200);
    expect((await service.call('DELETE', `/v1/tokens/${self.result.token.id}`)).status).toBe(204);
    const path = `/v1/operations/${result.operation.id}`;
    const state = async ({ secret }: Integrated) =>
      (await service.call<Job>('GET', path, undefined, secret)).result.status;
    while ((await state(maker)) !== undefined) await new Promise(setImmediate);
    work();
    while ((await state(other)) !== 'COMPLETE')
      await new Promise((settle) => setTimeout(settle, 20));
    const query = `filter=integration_id[eq]${other.id}&filter=path[eq]/v1/operations`;
    let audit: object[] = []; // gateways write what they saw within half a second
    while (audit.length === 0)
      audit = (await service.call<object[]>('GET', `/v1/audit/organizations?${query}`)).result;
    const { memberId } = service.administrator;
    expect(audit).toMatchObject([
      { method: 'POST', code: '200', account_id: account, member_id: memberId },
    ]);
  });

  it('is of its integration alone', async () => {
    const job = await create();
    const other = await integrate({ type: 'ticketing_mock_ticketing' });
    for (const method of ['GET', 'POST']) {
      const path = `/v1/operations/${job.id}`;
      expect((await service.call(method, path, undefined, other.secret)).status).toBe(404);
    }
    work();
    await ended(job.id);
  });
});

describe('a job is refused before it is accepted', () => {
  it('for an operation that the provider does not offer, naming those that it does', async () => {
    for (const operation of ['edr_query_alerts', 'ticketing_create_ticket', 'nothing']) {
      const { status, message, remediation } = await request({}, operation);
      expect([status, message]).toEqual([400, expect.stringContaining('/operation')]);
      expect(remediation).toContain('ticketing_query_tickets');
    }
  });

  it.each([
    [{ filters: ['nothing[eq]1'] }, '/input/filters'],
    [{ filters: ['created_at[gte]yesterday'] }, '/input/filters'],
    [{ limit: 0 }, '/input/limit'],
    [{ sink_integration_id: null }, '/input/sink_integration_id'],
    [{ sink_integration_id: 'nothing' }, '/input/sink_integration_id'],
  ])('for %j', async (input, pointer) => {
    const { status, message } = await request(input);
    expect([status, message]).toEqual([400, expect.stringContaining(pointer)]);
  });

  it('for a sink of another account, and for an integration of another domain', async () => {
    const other = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
    const config = { type: 'sink_http', url: `${receiver.url}/in` };
    const foreign = await integrate(config, other.result.account.id);
    for (const { id } of [foreign, desk])
      expect((await request({ sink_integration_id: id })).status).toBe(400);
  });
});

describe('organizations', () => {
  it('take turns: many jobs of one do not delay the job of another', async () => {
    const many = [];
    for (let n = 0; n < 8; n += 1) many.push(await create());
    const { access } = await service.organization('neighbour');
    const { result } = await service.call<{ account: { id: string } }>(
      'POST',
      '/v1/accounts',
      {},
      access,
    );
    const home = result.account.id;
    const theirs = await integrate({ type: 'ticketing_mock_ticketing' }, home, access);
    const config = { type: 'sink_http', url: `${receiver.url}/neighbour` };
    const own = await integrate(config, home, access);
    const made = await request({ sink_integration_id: own.id }, 'ticketing_query_tickets', theirs);
    expect(made.status).toBe(200);
    work(systemClock, 1);
    await Promise.all(many.map(({ id }) => ended(id)));
    // The jobs of one account that have places were in the queue before it.
    expect(receiver.requests.findIndex(({ path }) => path === '/neighbour')).toBe(3);
  });
});
