import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import pg from 'pg';
import type { ManagementSchemas } from '#contract';
import { hashToken } from '#secrets';
import { type Service, startService } from './service.js';

type Shown = ManagementSchemas['RefreshToken'];
type Audit = ManagementSchemas['Audit'];

let service: Service;
let database: pg.Client;
beforeAll(async () => {
  service = await startService();
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});

const ask: Service['call'] = (...call) => service.call(...call);
const create = async (): Promise<Shown> =>
  (
    await ask<Shown>('POST', '/v1/tokens', {
      permission_set: 'viewer',
      resources: { organizations: { ids: ['*'] } },
    })
  ).result;
const refresh = (id: string, secret: string) =>
  ask<Shown>('PUT', `/v1/tokens/${id}/refresh`, undefined, secret);
const statusOf = async (secret: string) =>
  (await service.call('GET', '/v1/accounts', undefined, secret)).status;
/** A change reaches the gateway a moment after the response. */
const soon = (wanted: number, ask: () => Promise<number>) =>
  eventually(async () => expect(await ask()).toBe(wanted));
const audited = async (code: string): Promise<Audit[]> =>
  (
    await ask<Audit[]>(
      'GET',
      `/v1/audit/organizations?order=created_at[desc]&filter=code[eq]${code}`,
    )
  ).result;
const soonAudited = (code: string, fits: (record: Audit) => boolean): Promise<Audit> =>
  eventually(async () => {
    const found = (await audited(code)).find(fits);
    if (found === undefined) throw new Error(`no record ${code}`);
    return found;
  });

describe('a refresh that is repeated', () => {
  it('gets the same pair, three times at one moment and again later, and revokes nothing', async () => {
    const { id, primary } = await create();
    const secret = primary.refresh.secret;
    const answers = await Promise.all([1, 2, 3].map(() => refresh(id, secret)));
    answers.push(await refresh(id, secret));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const given = new Set(answers.map(({ result }) => result.primary.refresh.secret));
    expect(given.size).toBe(1);
    const [first] = answers;
    expect(await statusOf(first?.result.primary.access.secret ?? '')).toBe(200);
    expect(await statusOf(primary.access.secret)).toBe(200);
  });

  it('of the new pair is another refresh: the first secret is spent then, and revokes the token when it comes back', async () => {
    const { id, primary } = await create();
    const { result: second } = await refresh(id, primary.refresh.secret);
    const { result: third } = await refresh(id, second.primary.refresh.secret);
    await soon(401, async () => (await refresh(id, primary.refresh.secret)).status);
    await soon(401, () => statusOf(third.primary.access.secret));
    expect((await service.call('GET', `/v1/tokens/${id}/info`)).status).toBe(404);
    expect(await audited('refresh_secret_reused')).toMatchObject([
      { audit_type: 'ALARM', method: 'PUT', remote_addr: '127.0.0.1', body: { token_id: id } },
    ]);
  });

  it('of a reset gets the same pair too', async () => {
    const { id, owner_id, primary } = await create();
    const reset = () =>
      ask<Shown>('PUT', `/v1/tokens/${owner_id}/${id}/reset`, undefined, primary.refresh.secret);
    const [one, other] = [await reset(), await reset()];
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(other.result.primary.access.secret).toBe(one.result.primary.access.secret);
    await soon(401, () => statusOf(primary.access.secret));
  });

  it('leaves no secret behind that could be opened once nobody may ask for it again', async () => {
    const { id, primary } = await create();
    const { result } = await refresh(id, primary.refresh.secret);
    const kept = async () =>
      (await database.query<{ renewal: unknown }>('select renewal from tokens where id = $1', [id]))
        .rows[0]?.renewal;
    expect(JSON.stringify(await kept())).not.toContain(result.primary.refresh.secret);
    await database.query(
      `update tokens set renewal = jsonb_set(renewal, '{until}', '"2020-01-01T00:00:00Z"') where id = $1`,
      [id],
    );
    const { result: later } = await refresh(id, primary.refresh.secret);
    expect(later.primary.refresh.secret).not.toBe(result.primary.refresh.secret);
    await database.query('update tokens set renewal = $1', [
      { by: 'x', until: '2020-01-01T00:00:00Z', sealed: 'x' },
    ]);
    await database.query('select onefold_forget_renewals()');
    expect(await kept()).toBeNull();
  });
});

describe('the last use of a token', () => {
  it('is noted, and written once in a minute at most', async () => {
    const { id, primary } = await create();
    await database.query(`
      create table uses (id text);
      create function note_use() returns trigger language plpgsql security definer as
        $$ begin insert into public.uses values (new.id); return null; end $$;
      create trigger uses after update of last_used_at on tokens for each row execute function note_use();
    `);
    const used = async () =>
      (await database.query<{ id: string }>('select id from uses where id = $1', [id])).rows.length;
    const use = async () => {
      for (let call = 0; call < 2; call += 1) {
        await statusOf(primary.access.secret);
        // A change makes the gateway introspect the token again.
        await database.query(
          `update tokens set expires = expires + interval '1 second' where id = $1`,
          [id],
        );
        await new Promise((settle) => setTimeout(settle, 1_100));
      }
    };
    await use();
    await soon(1, used);
    await use();
    expect(await used()).toBe(1);
    await database.query(
      `update tokens set last_used_at = last_used_at - interval '61 seconds' where id = $1`,
      [id],
    );
    await use();
    await soon(3, used); // Our record, and that of the next minute.
  });

  it('is in the record of the token, also after it was rotated', async () => {
    const { id, owner_id, primary } = await create();
    const lastUse = async () =>
      (await ask<Shown>('GET', `/v1/tokens/${id}/info`)).result.last_used_at;
    expect(await lastUse()).toBeUndefined();
    const begun = Date.now();
    expect(await statusOf(primary.access.secret)).toBe(200);
    await eventually(async () =>
      expect(Date.parse((await lastUse()) ?? '')).toBeGreaterThanOrEqual(begun),
    );
    const used = await lastUse();
    await ask('PUT', `/v1/tokens/${owner_id}/${id}/rotate`);
    expect(await lastUse()).toBe(used);
  });
});

describe('what the gateway refuses', () => {
  it('is in the audit trail of whose token it is or was', async () => {
    const { id, primary } = await create();
    const secret = primary.access.secret;
    expect((await service.call('POST', '/v1/accounts', {}, secret)).status).toBe(403);
    await soonAudited('permission_denied', ({ method }) => method === 'POST');
    expect(await soonAudited('403', ({ path }) => path === '/v1/accounts')).toMatchObject({
      method: 'POST',
      member_id: service.administrator.memberId,
      response: 'the token does not permit accounts_create',
    });
    expect((await service.call('GET', '/v1/ticketing/tickets', undefined, secret)).status).toBe(
      403,
    );
    await soonAudited('permission_denied', ({ path }) => path === '/v1/ticketing/tickets');
    expect((await service.call('GET', '/v1/accounts?limit=x', undefined, secret)).status).toBe(400);
    await soonAudited('400', ({ response }) => response?.includes('limit') === true);
    expect((await service.call('DELETE', `/v1/tokens/${id}`)).status).toBe(204);
    await soon(401, () => statusOf(secret));
    expect(await soonAudited('token_refused', () => true)).toMatchObject({
      audit_type: 'ALARM',
      path: '/v1/accounts',
      status: 'refused',
    });
    const { rows } = await database.query('select from token_secrets where hash = $1', [
      hashToken(secret),
    ]);
    expect(rows).toHaveLength(1);
  });

  it('is one record with its number when it is the same again and again', async () => {
    const { primary } = await create();
    const calls = Array.from({ length: 40 }, () =>
      service.call('DELETE', '/v1/accounts/again', undefined, primary.access.secret),
    );
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([403]));
    await soonAudited('403', ({ path }) => path === '/v1/accounts/again');
    await eventually(async () => {
      const records = (await audited('403')).filter(({ path }) => path === '/v1/accounts/again');
      const times = records.map(({ body }) => (body as { times?: number } | undefined)?.times ?? 1);
      expect(times.reduce((sum, one) => sum + one, 0)).toBe(40);
      expect(records.length).toBeLessThan(40); // a machine that is slow spreads them over more seconds
    });
  });
});
