import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Service, startService } from './service.js';

let service: Service;
let client: pg.Client;
let integration: { id: string; account_id: string };

beforeAll(async () => {
  service = await startService();
  client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  integration = await integrate('prod');
});
afterAll(async () => {
  await client.end();
  await service.stop();
});

async function integrate(environment: string): Promise<{ id: string; account_id: string }> {
  const { result } = await service.call('POST', '/v1/accounts', { environment });
  const { id } = result['account'] as unknown as { id: string };
  const made = await service.call('POST', `/v1/integrations/${id}`, {
    provider_config: { type: 'ticketing_mock_ticketing' },
  });
  return made.result['integration'] as unknown as { id: string; account_id: string };
}

/** Rows that the planned worker will write. */
async function insertOperation(id: string, of = integration, status = 'COMPLETE'): Promise<void> {
  await client.query(
    `insert into operations (id, organization_id, account_id, integration_id, operation, input, status, errors, created_at, updated_at)
     values ($1, $2, $3, $4, 'ticketing_query_tickets', '{"limit":5}', $5, '[{"message":"late"}]', now(), now())`,
    [id, service.administrator.organizationId, of.account_id, of.id, status],
  );
}

async function insertRun(id: string, operationId: string, startedAt: string): Promise<void> {
  await client.query(
    `insert into operation_executions (id, organization_id, operation_id, account_id, integration_id, operation, trigger_type,
       trigger_source, status, started_at, completed_at, records_processed, duration)
     values ($1, $2, $3, $4, $5, 'ticketing_query_tickets', 'API', 'manual', 'COMPLETE', $6, $6, 7, 8)`,
    [
      id,
      service.administrator.organizationId,
      operationId,
      integration.account_id,
      integration.id,
      startedAt,
    ],
  );
}

async function list(query: string, token?: string): Promise<Record<string, unknown>[]> {
  const { status, message, result } = await service.call('GET', query, undefined, token);
  expect([status, message]).toEqual([200, '']);
  return result as unknown as Record<string, unknown>[];
}

describe('jobs', () => {
  beforeAll(async () => {
    for (const id of ['opr_1', 'opr_2', 'opr_3']) await insertOperation(id);
    await insertOperation('opr_4', await integrate('test'), 'SCHEDULED');
  });

  it('are listed by id, page by page, filtered and ordered', async () => {
    const [first, ...more] = await list('/v1/jobs?limit=2');
    expect(first).toMatchObject({
      id: 'opr_1',
      integration_id: integration.id,
      input: { limit: 5 },
      status: 'COMPLETE',
      errors: [{ message: 'late' }],
    });
    expect(more.map(({ id }) => id)).toEqual(['opr_2']);
    const rest = await list('/v1/jobs?limit=2&start_after=opr_2');
    expect(rest.map(({ id }) => id)).toEqual(['opr_3', 'opr_4']);
    const down = await list('/v1/jobs?order=id[desc]&filter=status[eq]COMPLETE&start_after=opr_3');
    expect(down.map(({ id }) => id)).toEqual(['opr_2', 'opr_1']);
  });

  it('are read one at a time, by their ids', async () => {
    const { status, result } = await service.call('GET', '/v1/jobs/opr_2');
    expect([status, result]).toEqual([200, (await list('/v1/jobs?filter=id[eq]opr_2'))[0]]);
    const stranger = await service.organization('stranger');
    for (const [id, token] of [
      ['opr_9', undefined],
      ['opr_2', stranger.access],
    ] as const)
      expect(await service.call('GET', `/v1/jobs/${id}`, undefined, token)).toMatchObject({
        status: 404,
        message: expect.stringContaining(id),
      });
  });

  it('are those of the accounts that a token can access', async () => {
    const { result } = await service.call('POST', '/v1/tokens', {
      permission_set: 'viewer',
      resources: { accounts: { ids: ['*'], environments: ['test'] } },
    });
    const token = result as unknown as { primary: { access: { secret: string } } };
    const reached = await list('/v1/jobs', token.primary.access.secret);
    expect(reached.map(({ id }) => id)).toEqual(['opr_4']);
  });

  it('go with their integration, and so do their runs', async () => {
    const leaving = await integrate('prod');
    await insertOperation('opr_5', leaving);
    await service.call('DELETE', `/v1/integrations/${leaving.account_id}/${leaving.id}`);
    expect((await list('/v1/jobs')).map(({ id }) => id)).not.toContain('opr_5');
  });
});

describe('the history of jobs', () => {
  const times = ['000001', '000002', '999999'].map((micros) => `2026-01-02T03:04:05.${micros}Z`);

  beforeAll(async () => {
    for (const [index, time] of times.entries()) await insertRun(`run_${index}`, 'opr_1', time);
    await insertRun('run_other', 'opr_2', '2026-02-01T00:00:00Z');
  });

  const path = '/v1/jobs/history';

  it('is listed newest first, page by page, to the microsecond', async () => {
    const [newest] = await list(`${path}?limit=1`);
    expect(newest).toMatchObject({
      execution_id: 'run_other',
      operation_id: 'opr_2',
      started_at: '2026-02-01T00:00:00.000000Z',
      trigger_type: 'API',
      records_processed: 7,
      duration: 8,
    });
    const seen: unknown[] = [];
    for (let after = ''; ;) {
      const page = await list(`${path}?limit=1${after}`);
      if (page.length === 0) break;
      seen.push(page[0]?.['execution_id']);
      after = `&start_after=${String(page[0]?.['started_at'])}`;
    }
    expect(seen).toEqual(['run_other', 'run_2', 'run_1', 'run_0']);
    const up = await list(`${path}?order=started_at[asc]&start_after=${times[1]}`);
    expect(up.map((run) => run['execution_id'])).toEqual(['run_2', 'run_other']);
  });

  it.each([
    ['operation_id[eq]opr_2', ['run_other']],
    ['execution_id[eq]run_1', ['run_1']],
    ['id[eq]run_1', ['run_1']],
    ['started_at[gte]2026-02-01T00:00:00Z', ['run_other']],
    ['account_id[eq]acc_nobody', []],
  ])('is filtered by %s', async (filter, expected) => {
    const found = await list(`${path}?filter=${encodeURIComponent(filter)}`);
    expect(found.map((run) => run['execution_id'])).toEqual(expected);
  });

  it('refuses a start_after that is not a time', async () => {
    const { status, message } = await service.call('GET', `${path}?start_after=yesterday`);
    expect([status, message]).toEqual([400, expect.stringContaining('start_after')]);
  });
});
