import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createIds } from '#config';
import { signOnQueries, type Transaction, wholeOrganization } from '#store';
import { until } from '#test/harness';
import {
  decisionMs,
  finishAuthorization,
  insertAuthorization,
  maxPending,
  takeAuthorization,
} from '../../../libs/management/connect-sessions/src/authorization-record.js';
import { maxSessions } from '../../../libs/management/auth/src/sign-in.js';
import { maxSchedules } from '../../../libs/management/jobs/src/check-schedules.js';
import {
  closeSignOn,
  insertSignOn,
  maxPerAddress,
  maxPerOrganization,
  newSignOnId,
  openSignOn,
  signOnMs,
} from '../../../libs/management/sso/src/sign-ons.js';
import { type Service, startService } from '../../api/service.js';

const megabyte = 1_048_576;
const maxBodiesBytes = 2 * megabyte;
let service: Service;
let owner: pg.Client;
let organizationId: string;
let accountId: string;
beforeAll(async () => {
  service = await startService(5, undefined, 1, { maxBodiesBytes });
  ({ organizationId } = service.administrator);
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  accountId = (await make<{ account: { id: string } }>('/v1/accounts', {})).account.id;
});
afterAll(async () => {
  await owner.end();
  await service.stop();
});

async function make<Result = { id: string }>(path: string, body: object): Promise<Result> {
  const { status, message, result } = await service.call<Result>('POST', path, body);
  expect([status, message]).toEqual([200, '']);
  return result;
}

/** Counts rows as the owner of the tables. */
async function count(from: string, ...values: unknown[]): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(`select count(*) from ${from}`, values);
  return Number(rows[0]?.count);
}

const write = <Result>(work: (tx: Transaction) => Promise<Result>) =>
  service.store.write(wholeOrganization(organizationId), work);

describe('bytes of a JSON body', () => {
  const sockets: Socket[] = [];
  const bytes = 256 * 1_024;
  /** Sends the head and a part of a body. */
  const send = async (body: Buffer, length = bytes) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
    const from = `10.0.0.${sockets.length % 4}`;
    socket.write(
      `POST /v1/accounts HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\nAuthorization: Bearer ${service.administrator.access}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    await new Promise((done) => socket.write(body, done));
    return socket;
  };
  const half = Buffer.alloc(bytes - 1, ' ');
  const endings: Record<string, (socket: Socket) => void> = {
    'their client leaves': (socket) => void socket.end(),
    'their client is killed': (socket) => void socket.resetAndDestroy(),
    'they are no JSON': (socket) => void socket.write('x'),
    'they are no request of the operation': (socket) => void socket.write('1'),
    'they are more than was said': (socket) => void socket.write('1\0\0\0\0\0'),
  };

  it.each(Object.entries(endings))('are held no more when %s', async (_, end) => {
    const all = await Promise.all(Array.from({ length: maxBodiesBytes / bytes }, () => send(half)));
    const held = (maxBodiesBytes / bytes) * half.length;
    await until(() => service.heldBodyBytes() === held);
    const beyond = await send(half);
    await once(beyond, 'data'); // 503
    expect(service.heldBodyBytes()).toBeLessThanOrEqual(maxBodiesBytes);
    all.forEach(end);
    beyond.destroy();
    await until(() => service.heldBodyBytes() === 0);
    for (const socket of sockets.splice(0)) socket.destroy();
  });
});

describe('a session of a member', () => {
  const password = 'correct horse battery';
  const sessions = (memberId: string) =>
    count(`tokens where member_id = $1 and token_type = 'logon' and expires > now()`, memberId);

  it('ends with the log off, its time, its member, or one session too many', async () => {
    const given = { name: 'many@example.com', secret: password, role_binding: ['viewer'] };
    const { member } = await make<{ member: { id: string } }>('/v1/members', given);
    const logOn = async () => {
      const body = { name: given.name, secret: password };
      const { status, result } = await service.call<{ token: { access: { secret: string } } }>(
        'POST',
        `/v1/auth/logon/${organizationId}`,
        body,
        '',
      );
      expect(status).toBe(200);
      return result.token.access.secret;
    };
    let last = '';
    for (let n = 0; n < maxSessions + 2; n += 1) last = await logOn();
    expect(await sessions(member.id)).toBe(maxSessions);
    expect((await service.call('POST', '/v1/auth/logoff', undefined, last)).status).toBe(204);
    expect(await sessions(member.id)).toBe(maxSessions - 1);
    await owner.query(`update tokens set expires = now() where member_id = $1`, [member.id]);
    await logOn();
    expect(await count('tokens where member_id = $1', member.id)).toBe(1);
    expect((await service.call('DELETE', `/v1/members/${member.id}`)).status).toBeLessThan(300);
    expect(await count('tokens where member_id = $1', member.id)).toBe(0);
  });
});

describe('a sign-on at an identity provider', () => {
  const open = (now: Date) =>
    count('sso_sign_ons where organization_id = $1 and expires_at > $2', organizationId, now);

  it('has a place until its end, or until nobody has answered for ten minutes', async () => {
    const config = {
      type: 'oidc',
      issuer_url: 'https://id.example.com',
      client_id: 'a',
      client_secret: 'b',
    };
    const { id: ssoId } = await make('/v1/auth/sso', { fullname: 'Ours', config });
    const now = new Date();
    const insert = (remoteAddress: string, at = now) =>
      write(async (tx) => {
        const given = { ssoId, browserHash: '', sealed: null, returnTo: null, returnState: null };
        const id = newSignOnId();
        await insertSignOn(tx, { ...given, id, remoteAddress }, at);
        return id;
      });
    const ids: string[] = [];
    for (let n = 0; n < maxPerAddress; n += 1) ids.push(await insert('192.0.2.1'));
    await expect(insert('192.0.2.1')).rejects.toMatchObject({ status: 429 });
    await insert('192.0.2.2');
    await owner.query(
      `insert into sso_sign_ons (id, organization_id, sso_id, browser_hash, remote_address, created_at, expires_at)
       select 'filler-' || n, $1, $2, '', 'filler', $3, $4 from generate_series(1, $5::int) n`,
      [
        organizationId,
        ssoId,
        now,
        new Date(now.getTime() + signOnMs),
        maxPerOrganization - maxPerAddress - 1,
      ],
    );
    await expect(insert('192.0.2.3')).rejects.toMatchObject({ status: 429 });
    // Wrong answers hold the place no longer than none, and an answer ends it.
    const [wrong = '', answered = ''] = ids;
    for (let n = 0; n < 3; n += 1) await write((tx) => openSignOn(tx, wrong, now));
    await expect(write((tx) => openSignOn(tx, wrong, now))).rejects.toMatchObject({ status: 403 });
    await write(async (tx) => {
      await closeSignOn(tx, answered, now);
      await signOnQueries.remove(tx, answered);
    });
    expect(await open(now)).toBe(maxPerOrganization - 1);
    const later = new Date(now.getTime() + signOnMs + 1);
    expect(await open(later)).toBe(0);
    await insert('192.0.2.1', later);
    expect(await count('sso_sign_ons where organization_id = $1', organizationId)).toBe(1);
  });
});

describe('an authorization that waits for a person', () => {
  const pending = (now: Date) =>
    count(
      `connect_authorizations where account_id = $1 and status = 'pending' and expires_at > $2`,
      accountId,
      now,
    );

  it('has a place until the decision, or until nobody has decided for ten minutes', async () => {
    const config = {
      type: 'o_auth_client',
      client_id: 'a',
      client_secret: 'b',
      token_url: 'https://id.example.com/token',
    };
    const { id } = await make(`/v1/credentials/${accountId}`, { name: 'app', config });
    const ids = createIds();
    const insert = (now: Date) =>
      write((tx) => {
        const given = { account_id: accountId, token_id: 'tok', client_credential_id: id };
        const more = { provider: 'chat_slack', sealed: '', token_origin: 'https://id.example.com' };
        return insertAuthorization(tx, ids, { ...given, ...more }, now);
      });
    const now = new Date();
    const made: Awaited<ReturnType<typeof insert>>[] = [];
    for (let n = 0; n < maxPending; n += 1) made.push(await insert(now));
    await expect(insert(now)).rejects.toMatchObject({ status: 429 });
    const outcome = { message: null, credential_id: null, missing_scopes: null, told: null };
    const [granted, refused, taken] = made;
    const end = (one: (typeof made)[number] | undefined, status: 'granted' | 'refused') =>
      write((tx) => finishAuthorization(tx, one?.row.id ?? '', { status, ...outcome }, now));
    await end(granted, 'granted');
    await end(refused, 'refused');
    // The process that exchanges the code is killed: the place ends with its time.
    const secret = taken?.state.split('.')[1] ?? '';
    expect(await write((tx) => takeAuthorization(tx, secret, now))).toMatchObject({
      status: 'pending',
    });
    expect(await pending(now)).toBe(maxPending - 2);
    const later = new Date(now.getTime() + decisionMs + 1);
    expect(await pending(later)).toBe(0);
    await insert(later);
  });
});

describe('a schedule', () => {
  const held = () =>
    count('operation_schedules where organization_id = $1 and key is not null', organizationId);

  it('has a place until it is deleted, alone or with its integration', async () => {
    const schedules = (length: number) =>
      Array.from({ length }, (_, n) => ({
        operation: 'ticketing_query_tickets',
        enabled: true,
        frequency: { type: 'periodic', value: '1h' },
        filters: [`name[eq]${n}`],
      }));
    const body = { provider_config: { type: 'ticketing_mock_ticketing' } };
    const path = `/v1/integrations/${accountId}`;
    const refused = { ...body, scheduled_operations: schedules(maxSchedules + 1) };
    expect((await service.call('POST', path, refused)).status).toBe(400);
    expect(await held()).toBe(0);
    const wanted = { ...body, scheduled_operations: schedules(maxSchedules) };
    const { integration } = await make<{ integration: { id: string } }>(path, wanted);
    expect(await held()).toBe(maxSchedules);
    const patch = [{ op: 'remove', path: '/scheduled_operations/0' }];
    expect((await service.call('PATCH', `${path}/${integration.id}`, patch)).status).toBe(200);
    expect(await held()).toBe(maxSchedules - 1);
    expect((await service.call('DELETE', `${path}/${integration.id}`)).status).toBeLessThan(300);
    expect(await held()).toBe(0);
  });
});
