import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type UsageBatch, type UsageCounts, wholeOrganization } from '#store';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

interface Made {
  accountId: string;
  integrationId: string;
}

interface Series {
  start_time: string;
  end_time: string;
  interval: string;
  series: {
    created_at: string;
    succeeded: number;
    failed: number;
    job_requests: number;
    in_bytes: number;
  }[];
}

/** Creates an integration in a new account. */
async function make(labels: string[] = [], name?: string): Promise<Made> {
  const { result } = await service.call('POST', '/v1/accounts', { labels });
  const accountId = (result['account'] as unknown as { id: string }).id;
  return { accountId, integrationId: await integrate(accountId, name) };
}
async function integrate(accountId: string, name?: string): Promise<string> {
  const made = await service.call('POST', `/v1/integrations/${accountId}`, {
    ...(name === undefined ? {} : { name }),
    provider_config: { type: 'ticketing_mock_ticketing' },
  });
  expect([made.status, made.message]).toEqual([200, '']);
  return (made.result['integration'] as unknown as { id: string }).id;
}

let last = 0;
const minute = 60_000;
const thisMinute = () => Math.floor(Date.now() / minute) * minute;

function counts(made: Made, numbers: Partial<UsageCounts> = {}): UsageCounts {
  const { organizationId } = service.administrator;
  return {
    ...{ organizationId, ...made, minute: thisMinute() },
    ...{ requests: 3, failed: 1, cpuTime: 250.4, dbOps: 2, apiOps: 4, inBytes: 10, outBytes: 20 },
    jobRequests: 2,
    ...numbers,
  };
}
async function count(batch: Partial<UsageBatch>): Promise<void> {
  last += 1;
  await service.store.addUsage({
    ...{ source: 'spec', number: last, counts: [], states: [] },
    ...batch,
  });
}
const path = ({ accountId, integrationId }: Made) => `/v1/status/${accountId}/${integrationId}`;
async function status(made: Made): Promise<Record<string, unknown>> {
  const answer = await service.call('GET', path(made));
  expect([answer.status, answer.message]).toEqual([200, '']);
  return answer.result;
}
async function series(at: string): Promise<Series> {
  const answer = await service.call('GET', at);
  expect([answer.status, answer.message]).toEqual([200, '']);
  return answer.result as unknown as Series;
}
const total = ({ series: parts }: Series) =>
  parts.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
const ids = (result: unknown) =>
  (result as { integration_id: string }[]).map(({ integration_id: id }) => id);

describe('the status of an integration', () => {
  it('is new and without counts before its first call', async () => {
    const made = await make();
    expect(await status(made)).toMatchObject({
      ...{ account_id: made.accountId, integration_id: made.integrationId, status: 'new' },
      job_requests: 0,
      ...{ requests: 0, failed: 0, cpu_time: 0, db_ops: 0, api_ops: 0, in_bytes: 0, out_bytes: 0 },
    });
  });

  it('adds up what processes count', async () => {
    const made = await make();
    await count({ counts: [counts(made), counts(made, { minute: thisMinute() - minute })] });
    await count({ counts: [counts(made)] });
    expect(await status(made)).toMatchObject({
      ...{ requests: 9, job_requests: 6, failed: 3, cpu_time: 750, db_ops: 6, api_ops: 12 },
      ...{ in_bytes: 30, out_bytes: 60 },
    });
  });

  it('counts a batch once, however often it is sent', async () => {
    const made = await make();
    const batch = { source: 'lost-answer', counts: [counts(made)], states: [] };
    await service.store.addUsage({ ...batch, number: 1 });
    await service.store.addUsage({ ...batch, number: 1 });
    expect(await status(made)).toMatchObject({ requests: 3 });
    await service.store.addUsage({ ...batch, number: 2 });
    expect(await status(made)).toMatchObject({ requests: 6 });
  });

  it('loses nothing when many processes count the same integrations at once', async () => {
    const made = await Promise.all([make(), make(), make()]);
    const batches = Array.from({ length: 20 }, (_, index) => {
      const mine = made.map((one) => counts(one));
      return service.store.addUsage({
        ...{ source: `crowd-${index}`, number: 1, states: [] },
        counts: index % 2 === 0 ? mine : mine.reverse(),
      });
    });
    await Promise.all(batches);
    for (const one of made) expect(await status(one)).toMatchObject({ requests: 60 });
  });

  it('begins anew when it is reset; series and events keep what was', async () => {
    const made = await make();
    const { integrationId } = made;
    const states = [{ integrationId, status: 'healthy', at: Date.now() }];
    await count({ counts: [counts(made)], states });
    expect((await service.call('PUT', path(made))).status).toBe(204);
    expect(await status(made)).toMatchObject({
      status: 'new',
      requests: 0,
      job_requests: 0,
      out_bytes: 0,
    });
    expect(total(await series(`${path(made)}/timeseries`))).toBe(3);
    const events = await service.call('GET', `${path(made)}/events`);
    expect(events.result).toMatchObject([{ status: 'healthy' }]);
  });

  it('goes with its integration', async () => {
    const made = await make();
    const { integrationId } = made;
    const states = [{ integrationId, status: 'healthy', at: Date.now() }];
    await count({ counts: [counts(made)], states });
    await service.call('DELETE', `/v1/integrations/${made.accountId}/${made.integrationId}`);
    expect((await service.call('GET', path(made))).status).toBe(404);
    await service.store.read(
      wholeOrganization(service.administrator.organizationId),
      async (tx) => {
        for (const table of ['integration_status', 'integration_events'])
          expect(
            await tx.query(`select 1 from ${table} where integration_id = $1`, [integrationId]),
          ).toEqual([]);
      },
    );
    await count({ counts: [counts(made)] }); // Calls that were running are counted, for billing.
    const { result } = await service.call('GET', '/v1/status?limit=1000');
    expect(ids(result)).not.toContain(made.integrationId);
  });

  it('is found by the names of account and integration', async () => {
    const { accountId } = await make([], 'by-name');
    expect((await service.call('GET', `/v1/status/${accountId}/by-name`)).status).toBe(200);
  });
});

describe('the list of statuses', () => {
  it('has every integration, page by page, in the order of account and integration', async () => {
    const made = await Promise.all([make(), make(), make()]);
    made.push({ ...made[0], integrationId: await integrate(made[0].accountId) });
    const found: string[] = [];
    for (let after = ''; ;) {
      const { result } = await service.call('GET', `/v1/status?limit=2${after}`);
      const rows = result as unknown as { account_id: string; integration_id: string }[];
      if (rows.length === 0) break;
      found.push(...rows.map((row) => `${row.account_id},${row.integration_id}`));
      after = `&start_after=${found.at(-1)}`;
    }
    expect(found).toEqual([...found].sort());
    expect(new Set(found).size).toBe(found.length);
    for (const one of made) expect(found).toContain(`${one.accountId},${one.integrationId}`);
  });

  it('is filtered and ordered by what was counted', async () => {
    const [one, other] = [await make(), await make()];
    await count({ counts: [counts(one, { requests: 700 }), counts(other, { requests: 800 })] });
    const query = 'filter=requests[gte]700&order=requests[desc]';
    const { result } = await service.call('GET', `/v1/status?${query}`);
    expect(ids(result)).toEqual([other.integrationId, one.integrationId]);
    const next = `${query}&start_after=${other.accountId},${other.integrationId}`;
    expect(ids((await service.call('GET', `/v1/status?${next}`)).result)).toEqual([
      one.integrationId,
    ]);
  });

  it('shows account and integration when they are asked for', async () => {
    const { accountId, integrationId } = await make();
    const query = `filter=integration_id[eq]${integrationId}`;
    const plain = await service.call('GET', `/v1/status?${query}`);
    expect(plain.result[0 as never]).not.toHaveProperty('account');
    const { result } = await service.call('GET', `/v1/status?${query}&expand=all`);
    expect(result).toMatchObject([
      { account: { id: accountId }, integration: { id: integrationId } },
    ]);
  });
});

describe('what ran over time', () => {
  it('is the last 24 hours of an integration by hours, or its last hour by minutes', async () => {
    const made = await make();
    const hours = Math.floor(Date.now() / (60 * minute)) * 60 * minute;
    await count({
      counts: [
        counts(made),
        counts(made, { minute: hours - 23 * 60 * minute, requests: 5, failed: 5 }),
        counts(made, { minute: hours - 24 * 60 * minute, requests: 900 }),
      ],
    });
    const day = await series(`${path(made)}/timeseries`);
    expect(day.interval).toBe('hour');
    expect(day.series).toHaveLength(24);
    expect(day.series[0]).toMatchObject({ created_at: day.start_time, succeeded: 0, failed: 5 });
    expect(day.series.at(-1)).toMatchObject({
      ...{ succeeded: 2, failed: 1, job_requests: 2, in_bytes: 10 },
    });
    const hour = await series(`${path(made)}/timeseries?interval=minute`);
    expect(hour.interval).toBe('minute');
    expect(hour.series).toHaveLength(60);
    expect(total(hour)).toBe(3);
    const wrong = await service.call('GET', `${path(made)}/timeseries?interval=week`);
    expect([wrong.status, wrong.message]).toEqual([400, expect.stringContaining('interval')]);
  });

  // "A10 time series `from`, `to`, `interval=day`"
  it('is what was asked for with from and to, also days whose minutes are gone', async () => {
    const made = await make();
    const day = 24 * 60 * minute;
    const today = Math.floor(Date.now() / day) * day;
    const time = (at: number) => encodeURIComponent(new Date(at).toISOString());
    const partition = `usage_minutes_${new Date(today - 5 * day).toISOString().slice(0, 10).replaceAll('-', '')}`;
    const owner = new pg.Client({ connectionString: service.databaseUrl });
    await owner.connect();
    const { organizationId } = service.administrator;
    const old = (at: number, requests: number) =>
      owner.query(
        `insert into usage_minutes (organization_id, account_id, integration_id, minute, requests, failed, job_requests)
         values ($1, $2, $3, $4, $5, 1, 6)`,
        [organizationId, made.accountId, made.integrationId, new Date(at), requests],
      );
    try {
      await owner.query(
        `create table ${partition} partition of usage_minutes for values from ('${new Date(today - 5 * day).toISOString()}') to ('${new Date(today - 4 * day).toISOString()}')`,
      );
      await old(today - 5 * day + 3 * 60 * minute, 10);
      await old(today - 5 * day + 3 * 60 * minute + 7 * minute, 20);
      await old(today - 5 * day + 4 * 60 * minute, 40);
      await service.store.dropOldUsage();
      const { rows } = await owner.query(`select to_regclass('${partition}') as there`);
      expect(rows).toEqual([{ there: null }]);
    } finally {
      await owner.end();
    }
    await count({ counts: [counts(made)] });
    const at = `${path(made)}/timeseries`;
    const week = await series(`${at}?interval=day&from=${time(today - 6 * day)}`);
    expect([week.interval, week.series.length]).toEqual(['day', 7]);
    expect(week.series[1]).toMatchObject({
      created_at: new Date(today - 5 * day).toISOString(),
      ...{ succeeded: 67, failed: 3, job_requests: 18 },
    });
    expect(week.series.at(-1)).toMatchObject({ succeeded: 2, failed: 1 });
    const from = today - 5 * day + 3 * 60 * minute;
    const hours = await series(`${at}?from=${time(from)}&to=${time(from + 61 * minute)}`);
    expect(hours.series.map(({ succeeded }) => succeeded)).toEqual([28, 39]);
    const all = await series(`/v1/status/timeseries?interval=day`);
    expect([all.series.length, all.series.at(-6)?.succeeded]).toEqual([30, 67]);
    // No other tenant sees them.
    const other = await service.organization('series-stranger');
    const theirs = await service.call(
      'GET',
      '/v1/status/timeseries?interval=day',
      undefined,
      other.access,
    );
    expect(total(theirs.result as unknown as Series)).toBe(0);
    expect((await service.call('GET', at, undefined, other.access)).status).toBe(404);
  });

  it('is refused where nothing is kept, and where it is too long', async () => {
    const made = await make();
    const day = 24 * 60 * minute;
    const refused = async (query: string) => {
      const { status, message } = await service.call('GET', `${path(made)}/timeseries?${query}`);
      expect(status).toBe(400);
      return message;
    };
    const ago = (days: number) =>
      encodeURIComponent(new Date(Date.now() - days * day).toISOString());
    expect(await refused(`interval=minute&from=${ago(3)}`)).toMatch(
      /^query from: is too early: the oldest minute that is kept is that of /,
    );
    expect(await refused(`interval=day&from=${ago(100)}`)).toMatch(/^query from: is too early/);
    expect(await refused(`interval=day&to=${ago(89)}`)).toMatch(/^query to: is too early/);
    expect(await refused(`from=${ago(1)}&to=${ago(2)}`)).toBe('query from: is not before the end');
    expect(await refused(`interval=minute&from=${ago(0)}&to=${ago(-9)}`)).toMatch(
      /makes 129\d\d points/,
    );
    expect(await refused('from=yesterday')).toContain('from');
  });

  it('is the last hour of the organization, as far as the token reaches', async () => {
    const [mine, other] = [await make(['emea']), await make(['apac'])];
    const before = total(await series('/v1/status/timeseries'));
    await count({ counts: [counts(mine), counts(other, { requests: 40 })] });
    expect(total(await series('/v1/status/timeseries'))).toBe(before + 43);
    const { result } = await service.call('POST', '/v1/tokens', {
      permission_set: 'viewer',
      resources: { accounts: { ids: ['*'], labels: ['emea'] } },
    });
    const { secret } = (result['primary'] as unknown as { access: { secret: string } }).access;
    const limited = (at: string) => service.call('GET', at, undefined, secret);
    const seen = (await limited('/v1/status/timeseries')).result as unknown as Series;
    expect(total(seen)).toBe(3);
    expect(ids((await limited('/v1/status')).result)).toEqual([mine.integrationId]);
    for (const part of ['', '/events', '/timeseries'])
      expect((await limited(`${path(other)}${part}`)).status).toBe(404);
  });
});

describe('a token that is limited to some categories', () => {
  it('sees what ran through integrations of those, and of none that are gone', async () => {
    const [desk, gone] = [await make(['limited']), await make(['limited'])];
    const { result: created } = await service.call('POST', `/v1/integrations/${desk.accountId}`, {
      provider_config: { type: 'siem_mock_siem' },
    });
    const siem = {
      accountId: desk.accountId,
      integrationId: (created['integration'] as unknown as { id: string }).id,
    };
    await count({ counts: [counts(desk), counts(siem, { requests: 50 }), counts(gone)] });
    await service.call('DELETE', `/v1/integrations/${gone.accountId}/${gone.integrationId}`);
    const { result } = await service.call('POST', '/v1/tokens', {
      permission_set: 'viewer',
      resources: {
        accounts: { ids: ['*'], labels: ['limited'] },
        integrations: { categories: ['siem'] },
      },
    });
    const { secret } = (result['primary'] as unknown as { access: { secret: string } }).access;
    const limited = (at: string) => service.call('GET', at, undefined, secret);
    expect(ids((await limited('/v1/status')).result)).toEqual([siem.integrationId]);
    const seen = (await limited('/v1/status/timeseries')).result as unknown as Series;
    expect(total(seen)).toBe(50);
    expect((await limited(path(siem))).status).toBe(200);
    expect((await limited(path(desk))).status).toBe(404);
  });
});

describe('events of an integration', () => {
  it('tell each change of its state with the reason, once', async () => {
    const made = await make();
    const { integrationId } = made;
    const at = Date.now();
    const refused = {
      ...{ integrationId, status: 'credentials_refused', error: 'it said 401', at },
      requestId: 'the-request',
    };
    const healthy = { integrationId, status: 'healthy', at };
    await count({ counts: [counts(made)], states: [healthy, refused] });
    await count({ counts: [counts(made)], states: [refused] });
    await count({ counts: [counts(made)], states: [refused, healthy] });
    const { result } = await service.call('GET', `${path(made)}/events`);
    expect(result).toMatchObject([
      { status: 'healthy', request: 3 },
      // "A11 `request_id` in audit records and status events"
      {
        status: 'credentials_refused',
        error: 'it said 401',
        request: 3,
        request_id: 'the-request',
      },
      { status: 'healthy', request: 9 },
    ]);
    expect((result as never as object[])[0]).not.toHaveProperty('request_id');
    const filter = 'filter=request_id%5Beq%5Dthe-request';
    const found = await service.call('GET', `${path(made)}/events?${filter}`);
    expect(found.result).toMatchObject([{ status: 'credentials_refused' }]);
    expect(await status(made)).toMatchObject({ status: 'healthy' });
  });

  it('are listed page by page by their time, either way, and filtered', async () => {
    const made = await make();
    const { integrationId } = made;
    const at = Date.now();
    const states = ['healthy', 'failing', 'healthy', 'failing', 'healthy'].map((one) => ({
      ...{ integrationId, at, status: one },
    }));
    await count({ counts: [counts(made)], states });
    const list = async (query: string) => {
      const { result } = await service.call('GET', `${path(made)}/events?${query}`);
      return result as unknown as { created_at: string; status: string }[];
    };
    const all = await list('');
    expect(all.map((one) => one.status)).toEqual(states.map((one) => one.status));
    expect(new Set(all.map((one) => one.created_at)).size).toBe(5);
    const rest = await list(`start_after=${all[1]?.created_at}&limit=2`);
    expect(rest).toEqual(all.slice(2, 4));
    const down = await list(`order=created_at[desc]&start_after=${all[3]?.created_at}`);
    expect(down).toEqual(all.slice(0, 3).reverse());
    expect(await list('filter=status[eq]failing')).toHaveLength(2);
    const wrong = await service.call('GET', `${path(made)}/events?start_after=yesterday`);
    expect(wrong.status).toBe(400);
  });
});

describe('an integration that comes and goes', () => {
  it('has its last state, and ten events a minute', async () => {
    const made = await make();
    const { integrationId } = made;
    const states = Array.from({ length: 21 }, (_, index) => ({
      ...{ integrationId, at: Date.now(), status: index % 2 === 0 ? 'healthy' : 'rate_limited' },
    }));
    await count({ counts: [counts(made)], states: states.slice(0, 20) });
    const { result } = await service.call('GET', `${path(made)}/events`);
    expect(result).toHaveLength(10);
    expect(await status(made)).toMatchObject({ status: 'rate_limited' });
    await count({ counts: [counts(made)], states: states.slice(20) });
    expect(await status(made)).toMatchObject({ status: 'healthy' });
  });
});
