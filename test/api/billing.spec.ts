import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { UsageCounts } from '#store';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

interface Report {
  name: string;
  organization_id: string;
  month: string;
  report_date: string;
  csv_data: string;
}

const columns =
  'organization_id,month,account_id,account_name,integration_id,integration_name,category,provider_type,requests,failed,cpu_time,db_ops,api_ops,in_bytes,out_bytes,job_requests';
const monthNow = new Date().toISOString().slice(0, 7);

async function integration(token?: string) {
  const account = await service.call('POST', '/v1/accounts', {}, token);
  const { id: accountId, name } = account.result['account'] as unknown as Record<string, string>;
  const made = await service.call(
    'POST',
    `/v1/integrations/${accountId}`,
    { name: 'desk', provider_config: { type: 'ticketing_mock_ticketing' } },
    token,
  );
  expect([made.status, made.message]).toEqual([200, '']);
  const integrationId = (made.result['integration'] as unknown as { id: string }).id;
  return { accountId: accountId ?? '', accountName: name ?? '', integrationId };
}
type Made = Awaited<ReturnType<typeof integration>>;

let last = 0;
async function count(
  { accountId, integrationId }: Made,
  numbers: Partial<UsageCounts> = {},
): Promise<void> {
  const { organizationId } = service.administrator;
  const counts = {
    organizationId,
    accountId,
    integrationId,
    minute: Date.now(),
    requests: 4,
    failed: 1,
    cpuTime: 5,
    dbOps: 6,
    apiOps: 7,
    inBytes: 8,
    outBytes: 9,
    jobRequests: 3,
    ...numbers,
  };
  last += 1;
  await service.store.addUsage({ source: 'spec', number: last, counts: [counts], states: [] });
}
async function report(path: string, token?: string): Promise<Report> {
  const answer = await service.call('GET', `/v1/billing/${path}`, undefined, token);
  expect([answer.status, answer.message]).toEqual([200, '']);
  return answer.result as unknown as Report;
}
async function list(query = '', token?: string): Promise<Report[]> {
  const answer = await service.call('GET', `/v1/billing${query}`, undefined, token);
  expect([answer.status, answer.message]).toEqual([200, '']);
  return answer.result as unknown as Report[];
}
const lines = ({ csv_data: csv }: Report) => csv.split('\r\n').slice(1, -1);

/** Moves the creation of the organization into the past. */
async function aged(organizationId: string, since: string): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('update organizations set created_at = $2 where id = $1', [
    organizationId,
    since,
  ]);
  await client.end();
}

describe('a billing report', () => {
  it('has a line for each integration that was used in its month', async () => {
    const { organizationId } = service.administrator;
    const [one, unused] = [await integration(), await integration()];
    await count(one);
    await count(one);
    const found = await report(`${organizationId}/partial`);
    expect(found).toMatchObject({
      name: `acme-${monthNow}`,
      organization_id: organizationId,
      month: 'partial',
    });
    expect(Date.now() - Date.parse(found.report_date)).toBeLessThan(60_000);
    const [head] = found.csv_data.split('\r\n');
    expect(head).toBe(columns);
    const subject = `${one.accountId},${one.accountName},${one.integrationId},desk`;
    expect(lines(found)).toContain(
      `${organizationId},${monthNow},${subject},ticketing,ticketing_mock_ticketing,8,2,10,12,14,16,18,6`,
    );
    expect(found.csv_data).not.toContain(unused.integrationId);
  });

  it('keeps what was used by integrations that were reset or are gone, with their names', async () => {
    const one = await integration();
    await count(one);
    await service.call('PUT', `/v1/status/${one.accountId}/${one.integrationId}`);
    await service.call('DELETE', `/v1/accounts/${one.accountId}`);
    await count(one);
    await service.store.dropOldUsage();
    const line = lines(await report('acme/partial')).find((text) =>
      text.includes(one.integrationId),
    );
    expect(line).toContain(`,${one.accountName},${one.integrationId},desk,`);
    expect(line).toMatch(/,8,2,10,12,14,16,18,6$/);
  });

  it('has a line for each of many integrations', async () => {
    const { organizationId, access } = await service.organization('many');
    const counts = Array.from({ length: 5_000 }, (_, index) => ({
      organizationId,
      accountId: 'acc_gone',
      integrationId: `int_${10_000 + index}`,
      minute: Date.now(),
      requests: 1,
      failed: 0,
      cpuTime: 0,
      dbOps: 0,
      apiOps: 0,
      inBytes: 0,
      outBytes: 0,
      jobRequests: 0,
    }));
    await service.store.addUsage({ source: 'many', number: 1, counts, states: [] });
    const found = lines(await report('many/partial', access));
    expect(found).toHaveLength(5_000);
    expect(new Set(found).size).toBe(5_000);
    expect(found[4_999]).toBe(
      `${organizationId},${monthNow},acc_gone,,int_14999,,,,1,0,0,0,0,0,0,0`,
    );
  });

  it('holds no formula for the spreadsheet that opens it', async () => {
    const { result } = await service.call('POST', '/v1/accounts', { name: '-1-cmd' });
    const { id: accountId } = result['account'] as unknown as { id: string };
    const made = await service.call('POST', `/v1/integrations/${accountId}`, {
      provider_config: { type: 'ticketing_mock_ticketing' },
    });
    const { id: integrationId } = made.result['integration'] as unknown as { id: string };
    await count({ accountId, integrationId, accountName: '' });
    expect((await report('acme/partial')).csv_data).toContain(",'-1-cmd,");
  });

  it('is refused to a token that is limited to some accounts', async () => {
    const { result } = await service.call('POST', '/v1/tokens', {
      permission_set: 'viewer',
      resources: { accounts: { ids: ['*'], labels: ['emea'] } },
    });
    const { secret } = (result['primary'] as unknown as { access: { secret: string } }).access;
    for (const path of ['', '/acme/partial'])
      expect((await service.call('GET', `/v1/billing${path}`, undefined, secret)).status).toBe(403);
  });

  it('exists for each complete month of the organization, and for no other organization', async () => {
    const { organizationId } = service.administrator;
    const other = await service.organization('other');
    expect((await service.call('GET', `/v1/billing/${other.organizationId}/partial`)).status).toBe(
      404,
    );
    expect((await service.call('GET', '/v1/billing/acme/may')).status).toBe(404);
    await aged(organizationId, '2020-01-01');
    const before = new Date();
    before.setUTCDate(1);
    before.setUTCMonth(before.getUTCMonth() - 1);
    const one = await integration();
    await count(one, { minute: before.getTime(), requests: 1_000 });
    const name = before.toLocaleString('en', { month: 'long', timeZone: 'UTC' }).toLowerCase();
    const found = await report(`acme/${name}`);
    expect(lines(found)).toEqual([expect.stringContaining(`${one.integrationId},desk,`)]);
    expect(lines(found)[0]).toContain(',1000,');
    expect(found.report_date).toBe(`${monthNow}-01T00:00:00.000Z`);
    await aged(organizationId, new Date().toISOString());
  });
});

describe('the list of billing reports', () => {
  it('has the months of the last year, is filtered, ordered and cut to pages', async () => {
    const { organizationId } = service.administrator;
    await aged(organizationId, '2020-01-01');
    const all = await list();
    expect(all).toHaveLength(13);
    expect(all.at(-1)).toMatchObject({ month: 'partial' });
    const first = await list('?limit=5&order=name[desc]');
    const next = await list(`?limit=5&order=name[desc]&start_after=${first.at(-1)?.name}`);
    expect([...first, ...next].map(({ name }) => name)).toEqual(
      all
        .map(({ name }) => name)
        .reverse()
        .slice(0, 10),
    );
    expect((await list('?filter=month[in]may,june')).map(({ month }) => month).sort()).toEqual([
      'june',
      'may',
    ]);
    expect((await service.call('GET', '/v1/billing?start_after=nothing')).status).toBe(400);
    expect((await service.call('GET', '/v1/billing?filter=csv_data[eq]x')).status).toBe(400);
    await aged(organizationId, new Date().toISOString());
  });

  it('shows what sub organizations use by provider, and nothing of what they have', async () => {
    const made = await service.call('POST', '/v1/suborgs', { name: 'below' });
    expect([made.status, made.message]).toEqual([200, '']);
    const { organization, token } = made.result as unknown as {
      organization: { id: string };
      token: { access: { secret: string } };
    };
    const own = token.access.secret;
    const inside = [await integration(own), await integration(own)];
    for (const one of inside) await count(one, { organizationId: organization.id });
    const reports = await list('?filter=name[like]below-*');
    expect(reports.map(({ organization_id: id }) => id)).toEqual([organization.id]);
    expect(lines(reports[0]!)).toEqual([
      `${organization.id},${monthNow},,,,,ticketing,ticketing_mock_ticketing,8,2,10,12,14,16,18,6`,
    ]);
    expect(lines(await report('below/partial', own))).toHaveLength(2);
    expect(await list('', own)).toHaveLength(1);
    expect((await service.call('GET', '/v1/billing/acme/partial', undefined, own)).status).toBe(
      404,
    );
  });
});
