import { describe, expect, it } from '@jest/globals';
import { wholeOrganization } from '#store';
import {
  count,
  counts,
  ids,
  integrate,
  make,
  minute,
  path,
  series,
  service,
  status,
  thisMinute,
  total,
  useStatus,
} from './status-stage.js';

useStatus();

describe('the status of an integration', () => {
  it('is new and without counts before its first call', async () => {
    const made = await make();
    expect(await status(made)).toMatchObject({
      account_id: made.accountId,
      integration_id: made.integrationId,
      status: 'new',
      job_requests: 0,
      requests: 0,
      failed: 0,
      cpu_time: 0,
      db_ops: 0,
      api_ops: 0,
      in_bytes: 0,
      out_bytes: 0,
    });
  });

  it('adds up what processes count', async () => {
    const made = await make();
    await count({ counts: [counts(made), counts(made, { minute: thisMinute() - minute })] });
    await count({ counts: [counts(made)] });
    expect(await status(made)).toMatchObject({
      requests: 9,
      job_requests: 6,
      failed: 3,
      cpu_time: 750,
      db_ops: 6,
      api_ops: 12,
      in_bytes: 30,
      out_bytes: 60,
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
        source: `crowd-${index}`,
        number: 1,
        states: [],
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

  it('has what showed that the provider changes, until it is reset; lists leave it out', async () => {
    const made = await make();
    expect(await status(made)).toMatchObject({ drift: [] });
    await count({ counts: [counts(made)] });
    const at = Date.now();
    const found = {
      kind: 'deprecation' as const,
      operation: 'ticketing_get_ticket',
      date: '2026-01-01T00:00:00.000Z',
      link: 'https://docs.example.com/old',
    };
    await service.store.addDrift([{ ...found, integrationId: made.integrationId, at }]);
    const seen = new Date(at).toISOString();
    expect(await status(made)).toMatchObject({
      drift: [{ ...found, first_seen_at: seen, last_seen_at: seen }],
    });
    const filter = `filter=integration_id[eq]${made.integrationId}`;
    const { result } = await service.call('GET', `/v1/status?${filter}`);
    expect((result as unknown as object[]).map((row) => 'drift' in row)).toEqual([false]);
    await service.call('PUT', path(made));
    expect(await status(made)).toMatchObject({ drift: [] });
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

  it('has every integration once, page by page in each order, though many have the same time and counts', async () => {
    const made = await Promise.all([make(), make(), make(), make()]);
    const uncalled = await make();
    // One batch has one time.
    await count({ counts: made.map((one) => counts(one, { failed: 3 })) });
    await count({
      counts: [],
      states: made.slice(0, 2).map(({ integrationId }) => ({
        integrationId,
        status: 'failing',
        at: Date.now(),
      })),
    });
    const orders = [
      'order=urgency&order=updated_at[desc]',
      'order=updated_at[desc]',
      'order=updated_at',
      'order=requests[desc]',
      'order=failed',
      'order=status',
      'order=status[desc]',
      'order=category&order=requests',
    ];
    for (const order of orders) {
      const whole = ids((await service.call('GET', `/v1/status?limit=1000&${order}`)).result);
      const found: string[] = [];
      for (let after = ''; found.length < 1_000; after = `&start_after=${found.at(-1)}`) {
        const { result } = await service.call('GET', `/v1/status?limit=2&${order}${after}`);
        if (ids(result).length === 0) break;
        found.push(...ids(result));
      }
      expect([order, found]).toEqual([order, whole]);
      expect([order, new Set(found).size]).toEqual([order, found.length]);
      expect(found).toContain(uncalled.integrationId);
    }
  });

  it('finds the names of integrations and accounts as they are now', async () => {
    const { accountId, integrationId } = await make([], 'searched');
    const find = async (text: string) =>
      ids((await service.call('GET', `/v1/status?filter=names[like]*${text}*`)).result);
    const [account, integration] = [
      `/v1/accounts/${accountId}`,
      `/v1/integrations/${accountId}/${integrationId}`,
    ];
    const rename = (url: string, value: string) =>
      service.call('PATCH', url, [{ op: 'replace', path: '/fullname', value }]);
    expect((await rename(account, 'Zebra Foods')).status).toBe(200);
    expect(await find('zebra')).toEqual([integrationId]);
    expect((await rename(integration, 'Okapi desk')).status).toBe(200);
    expect(await find('okapi')).toEqual([integrationId]);
    expect(await find('desk Zebra')).toEqual([integrationId]);
    expect((await rename(account, 'Gnu Foods')).status).toBe(200);
    expect([await find('zebra'), await find('gnu')]).toEqual([[], [integrationId]]);
    const filter = 'filter=fullname[eq]Okapi%20desk';
    expect(ids((await service.call('GET', `/v1/status?${filter}`)).result)).toEqual([
      integrationId,
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

describe('events of an integration', () => {
  it('tell each change of its state with the reason, once', async () => {
    const made = await make();
    const { integrationId } = made;
    const at = Date.now();
    const refused = {
      integrationId,
      status: 'credentials_refused',
      error: 'it said 401',
      at,
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
      integrationId,
      at,
      status: one,
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
      integrationId,
      at: Date.now(),
      status: index % 2 === 0 ? 'healthy' : 'rate_limited',
    }));
    await count({ counts: [counts(made)], states: states.slice(0, 20) });
    const { result } = await service.call('GET', `${path(made)}/events`);
    expect(result).toHaveLength(10);
    expect(await status(made)).toMatchObject({ status: 'rate_limited' });
    await count({ counts: [counts(made)], states: states.slice(20) });
    expect(await status(made)).toMatchObject({ status: 'healthy' });
  });
});
