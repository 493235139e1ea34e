import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  count,
  counts,
  ids,
  make,
  minute,
  path,
  type Series,
  series,
  service,
  total,
  useStatus,
} from './status-stage.js';

useStatus();

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
      succeeded: 2,
      failed: 1,
      job_requests: 2,
      in_bytes: 10,
    });
    const hour = await series(`${path(made)}/timeseries?interval=minute`);
    expect(hour.interval).toBe('minute');
    expect(hour.series).toHaveLength(60);
    expect(total(hour)).toBe(3);
    const wrong = await service.call('GET', `${path(made)}/timeseries?interval=week`);
    expect([wrong.status, wrong.message]).toEqual([400, expect.stringContaining('interval')]);
  });

  it('has how long half and nearly all of the calls took, of all minutes of a point, and of processes of both versions', async () => {
    const made = await make();
    const hour = Math.floor(Date.now() / (60 * minute)) * 60 * minute;
    const before = (minutes: number) => ({ minute: hour - minutes * minute });
    const slow = [...Array<number>(12).fill(0), 1];
    await count({
      counts: [
        // 9 calls of 3 to 4 ms, and one of 45 to 64 ms, in three minutes; an older process counts no latencies.
        counts(made, { ...before(1), latencies: [0, 0, 0, 0, 4] }),
        counts(made, { ...before(2), latencies: [0, 0, 0, 0, 5] }),
        counts(made, before(3)),
      ],
    });
    await count({ counts: [counts(made, { ...before(1), latencies: slow })] });
    const { series: points } = await series(`${path(made)}/timeseries`);
    const found = points.find((point) => point.succeeded > 0);
    expect(found?.duration_p50).toBeGreaterThan(2_800);
    expect(found?.duration_p50).toBeLessThanOrEqual(4_000);
    expect(found?.duration_p95).toBeGreaterThan(45_000);
    expect(found?.duration_p95).toBeLessThanOrEqual(64_000);
    expect(points.at(-1)).not.toHaveProperty('duration_p50');
    const other = await make();
    await count({ counts: [counts(other)] });
    const ofOther = await series(`${path(other)}/timeseries`);
    expect(ofOther.series.at(-1)).not.toHaveProperty('duration_p95');
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
      succeeded: 67,
      failed: 3,
      job_requests: 18,
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
