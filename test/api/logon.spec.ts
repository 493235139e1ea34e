import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import pg from 'pg';
import { type Service, startService } from './service.js';

interface Session {
  auth_code: string;
  refresh_token_id: string;
  token: { access: { secret: string }; refresh: { secret: string } };
  member: { id: string; state: string; last_logon: string };
  organization: { id: string };
}

let service: Service;
let organizationId: string;
beforeAll(async () => {
  service = await startService();
  ({ organizationId } = service.administrator);
});
afterAll(async () => {
  await service.stop();
});

const secret = 'correct horse battery';
const create = async (name: string, more: object = {}) => {
  const body = { name: `${name}@example.com`, secret, role_binding: ['viewer'], ...more };
  const { status, message, result } = await service.call('POST', '/v1/members', body);
  expect([status, message]).toEqual([200, '']);
  return (result as unknown as { member: { id: string; name: string } }).member;
};
const logon = async (name: string, password = secret, organization = organizationId) => {
  const body = { name, secret: password };
  const answer = await service.call('POST', `/v1/auth/logon/${organization}`, body, '');
  return { ...answer, result: answer.result as unknown as Session };
};
const access = async (name: string, password = secret) =>
  (await logon(name, password)).result.token.access.secret;
const change = (token: string, old_secret: string, new_secret: string) =>
  service.call('POST', '/v1/auth/change_password', { old_secret, new_secret }, token);
const status = async (method: string, path: string, token: string, body?: unknown) =>
  (await service.call(method, path, body, token)).status;
/** Waits for an answer of a call: a change reaches the gateway a moment after the response. */
const soon = (wanted: number, ...[method, path, token, body]: Parameters<typeof status>) =>
  eventually(async () => expect(await status(method, path, token, body)).toBe(wanted));

describe('a session', () => {
  it('begins with name and password, at an organization by id or name', async () => {
    const member = await create('begins');
    const { result } = await logon('Begins@Example.com');
    expect(result).toMatchObject({
      auth_code: 'success',
      member: { id: member.id, state: 'enabled' },
      organization: { id: organizationId },
    });
    expect(Date.now() - Date.parse(result.member.last_logon)).toBeLessThan(60_000);
    const token = result.token.access.secret;
    expect(await status('GET', '/v1/accounts', token)).toBe(200);
    expect(await status('POST', '/v1/accounts', token, {})).toBe(403);
    const byName = await logon(member.name, secret, 'acme');
    expect(byName.status).toBe(200);
  });

  it('is a token like any other: listed, refreshed by its refresh secret, revoked', async () => {
    const { name } = await create('token');
    const { result } = await logon(name);
    const id = result.refresh_token_id;
    const info = await service.call('GET', `/v1/tokens/${id}/info`);
    expect(info.result).toMatchObject({ token_type: 'logon', token_ttl: '1h' });
    const refreshed = await service.call(
      'PUT',
      `/v1/tokens/${id}/refresh`,
      undefined,
      result.token.refresh.secret,
    );
    expect(refreshed.status).toBe(200);
    expect(await status('DELETE', `/v1/tokens/${id}`, service.administrator.access)).toBe(204);
    await soon(401, 'GET', '/v1/accounts', result.token.access.secret);
  });

  it('ends with logoff, and only sessions do', async () => {
    const { name } = await create('ends');
    const [first, second] = [await access(name), await access(name)];
    expect(await status('POST', '/v1/auth/logoff', first)).toBe(204);
    await soon(401, 'GET', '/v1/accounts', first);
    expect(await status('GET', '/v1/accounts', second)).toBe(200);
    expect(await status('POST', '/v1/auth/logoff', service.administrator.access)).toBe(409);
  });

  it('ends with all other sessions of the member, and those of nobody else, by logoff everywhere', async () => {
    const [{ name }, other] = [await create('all'), await create('not-all')];
    const [first, second, theirs] = [
      await access(name),
      await access(name),
      await access(other.name),
    ];
    expect(await status('POST', '/v1/auth/logoff?everywhere=true', first)).toBe(204);
    await soon(401, 'GET', '/v1/accounts', first);
    await soon(401, 'GET', '/v1/accounts', second);
    expect(await status('GET', '/v1/accounts', theirs)).toBe(200);
    const path = '/v1/auth/logoff?everywhere=true';
    expect(await status('POST', path, service.administrator.access)).toBe(409);
  });

  it('ends at once when its member is disabled or deleted', async () => {
    const disabled = await create('disabled');
    const deleted = await create('deleted');
    const [one, two] = [await access(disabled.name), await access(deleted.name)];
    const patch = [{ op: 'replace', path: '/state', value: 'disabled' }];
    expect((await service.call('PATCH', `/v1/members/${disabled.id}`, patch)).status).toBe(200);
    expect((await service.call('DELETE', `/v1/members/${deleted.id}`)).status).toBe(204);
    await soon(401, 'GET', '/v1/accounts', one);
    await soon(401, 'GET', '/v1/accounts', two);
    const refused = await logon(disabled.name);
    expect([refused.status, refused.type]).toEqual([401, 'urn:onefold:problem:auth-disabled']);
  });

  it('permits what the roles of its member permit at this moment', async () => {
    const { id, name } = await create('promoted');
    const token = await access(name);
    expect(await status('POST', '/v1/accounts', token, {})).toBe(403);
    const patch = [{ op: 'replace', path: '/role_binding', value: ['administrator'] }];
    expect((await service.call('PATCH', `/v1/members/${id}`, patch)).status).toBe(200);
    await soon(200, 'POST', '/v1/accounts', token, {});
  });
});

describe('a logon that is refused', () => {
  it('tells nobody whether the organization, the name or the password was wrong', async () => {
    const { name } = await create('wrong');
    const answers = [
      await logon(name, 'not the password'),
      await logon('nobody@example.com'),
      await logon(name, secret, 'nowhere'),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map((answer) => answer.message)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.type))).toEqual(
      new Set(['urn:onefold:problem:auth-failure']),
    );
  });

  it('locks the name after five wrong passwords, whether somebody has it or not', async () => {
    const member = await create('locked');
    for (const name of [member.name, 'stranger@example.com']) {
      const types = [];
      for (let round = 0; round < 5; round += 1)
        types.push((await logon(name, 'wrong password')).type.split('auth-')[1]);
      types.push((await logon(name)).type.split('auth-')[1]);
      expect(types).toEqual(['failure', 'failure', 'failure', 'failure', 'locked', 'locked']);
    }
    const path = `/v1/members/${member.id}`;
    expect((await service.call('GET', path)).result).toMatchObject({ state: 'locked' });
    const patch = [{ op: 'replace', path: '/state', value: 'enabled' }];
    expect((await service.call('PATCH', path, patch)).status).toBe(200);
    expect((await logon(member.name)).status).toBe(200);
  });

  it('looks at five passwords at most when many come at the same moment', async () => {
    const { name } = await create('many');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => logon(name, `guess number ${index}`)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 401));
    expect((await logon(name)).type).toBe('urn:onefold:problem:auth-locked');
  });
});

it('leaves each logon in the audit trail as it ended, without the password', async () => {
  const { id, name } = await create('audited');
  await logon(name, 'canary password');
  await logon(name);
  const query = `filter=${encodeURIComponent(`path[eq]/v1/auth/logon/${organizationId}`)}`;
  const path = `/v1/audit/organizations?order=created_at[desc]&limit=3&${query}`;
  const { result } = await service.call('GET', path);
  expect(result).toMatchObject([
    { code: '200', body: { name, secret: '[secret]' } },
    { code: '401', status: 'refused' },
    { code: 'logon_failed', audit_type: 'ALARM', member_id: id },
  ]);
  expect(JSON.stringify(result)).not.toContain('canary');
});

describe('an invited member', () => {
  it('logs on with the password of the invitation, and can do nothing but change it', async () => {
    const { id, name } = await create('invited', { options: { options: ['invited'] } });
    const { result } = await logon(name);
    expect(result).toMatchObject({ auth_code: 'invited', member: { state: 'invited' } });
    const token = result.token.access.secret;
    const refused = await service.call('GET', '/v1/accounts', undefined, token);
    expect([refused.status, refused.message]).toEqual([
      403,
      'the member has to change the password before anything else',
    ]);
    expect((await change(token, secret, 'a password of my own')).result).toEqual({
      auth_code: 'success',
    });
    await soon(200, 'GET', '/v1/accounts', token);
    expect((await service.call('GET', `/v1/members/${id}`)).result).toMatchObject({
      state: 'enabled',
    });
    expect((await logon(name, 'a password of my own')).result.auth_code).toBe('success');
  });

  it('is too late after the invite_duration of the organization', async () => {
    const { id, name } = await create('late', { options: { options: ['invited'] } });
    const { result } = await service.call('GET', `/v1/members/${id}`);
    const { created_at, pin_expires } = result as Record<string, string>;
    expect(Date.parse(pin_expires ?? '') - Date.parse(created_at ?? '')).toBe(168 * 3_600_000);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const patch = [{ op: 'replace', path: '/pin_expires', value: yesterday }];
    expect((await service.call('PATCH', `/v1/members/${id}`, patch)).status).toBe(200);
    expect((await logon(name)).type).toBe('urn:onefold:problem:auth-expired');
  });
});

describe('a password', () => {
  it('past its age opens a session that only changes it', async () => {
    const { id, name } = await create('aged', { options: { options: ['expired'] } });
    const { result } = await logon(name);
    expect(result.auth_code).toBe('expired');
    const token = result.token.access.secret;
    expect(await status('GET', '/v1/accounts', token)).toBe(403);
    expect((await change(token, secret, 'a fresh password')).status).toBe(200);
    const { result: member } = await service.call('GET', `/v1/members/${id}`);
    const { pin_expires } = member as Record<string, string>;
    const days = (Date.parse(pin_expires ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(180); // 4320h
  });

  it('is changed by a member who knows the present one; all other sessions end', async () => {
    const { name } = await create('changed');
    const [mine, other] = [await access(name), await access(name)];
    const wrong = await change(mine, 'not the password', 'another password');
    expect([wrong.status, wrong.message]).toEqual([
      400,
      'body /old_secret: is not the password of the member',
    ]);
    expect((await change(mine, secret, 'another password')).status).toBe(200);
    await soon(401, 'GET', '/v1/accounts', other);
    expect(await status('GET', '/v1/accounts', mine)).toBe(200);
    expect((await logon(name)).status).toBe(401);
    expect((await logon(name, 'another password')).status).toBe(200);
  });

  it('cannot be one of the last five, shorter than the organization wants, or the name', async () => {
    const { name } = await create('history');
    const token = await access(name);
    const words = [
      secret,
      'second password',
      'third password',
      'fourth password',
      'fifth password',
    ];
    for (const [index, next] of words.slice(1).entries())
      expect((await change(token, words[index] ?? '', next)).status).toBe(200);
    for (const used of words) {
      const { status: refused, message } = await change(token, 'fifth password', used);
      expect([used, refused, message]).toEqual([
        used,
        400,
        'body /new_secret: is one of the last 5 passwords',
      ]);
    }
    expect((await change(token, 'fifth password', 'sixth password')).status).toBe(200);
    expect((await change(token, 'sixth password', secret)).status).toBe(200);
    expect((await change(token, secret, 'short')).message).toContain('/new_secret: has 5');
    expect((await change(token, secret, name)).message).toContain('is the name of the member');
    const rule = [{ op: 'add', path: '/options', value: { minimum_password_length: 20 } }];
    expect((await service.call('PATCH', '/v1/organization', rule)).status).toBe(200);
    expect((await change(token, secret, 'nineteen characters')).status).toBe(400);
    expect((await change(token, secret, 'twenty characters it')).status).toBe(200);
    const undo = [{ op: 'remove', path: '/options' }];
    expect((await service.call('PATCH', '/v1/organization', undo)).status).toBe(200);
  });
});

it('leaves no password in any table', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
        where nspname = 'public' and relkind in ('r', 'p')`,
    );
    const passwords = [secret, 'canary password', 'a password of my own', 'another password'];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from "${name}" t`,
      );
      for (const { row } of rows)
        expect(passwords.filter((password) => row.includes(password))).toEqual([]);
    }
    const { rows } = await client.query<{ hash: string }>('select hash from member_secrets');
    expect(rows.length).toBeGreaterThan(10);
    for (const { hash } of rows) expect(hash).toMatch(/^\$argon2id\$/);
  } finally {
    await client.end();
  }
});

it('slows an address down that goes on with wrong passwords', async () => {
  const statuses = [];
  for (let round = 0; round < 40; round += 1)
    statuses.push((await logon(`spray-${round}@example.com`)).status);
  expect(statuses.at(-1)).toBe(429);
});
