import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import pg from 'pg';
import { type Service, startService } from './service.js';

interface SubOrganization {
  organization: { id: string; name: string; state?: string };
  token: { access: { secret: string }; refresh: { secret: string } };
}

const path = '/v1/suborgs';
let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

async function create(body?: object): Promise<SubOrganization> {
  const { status, message, result } = await service.call('POST', path, body);
  expect([status, message]).toEqual([200, '']);
  return result as unknown as SubOrganization;
}

describe('sub organizations', () => {
  it('are created with an administrator token of their own, and found by id and name', async () => {
    const { organization, token } = await create({
      fullname: 'Sub & Co',
      reply_to: 'reply@example.com',
    });
    expect(organization).toMatchObject({
      name: 'sub-co',
      organization_type: 'standard',
      reply_to: 'reply@example.com',
    });
    const own = await service.call('GET', '/v1/organization', undefined, token.access.secret);
    expect(own.result).toEqual(organization);
    for (const key of [organization.id, organization.name])
      expect((await service.call('GET', `${path}/${key}`)).result).toEqual(organization);
    const another = await create({ fullname: 'Sub & Co' });
    expect(another.organization.name).toBe('sub-co-2');
    const taken = await service.call('POST', path, { name: 'acme' });
    expect([taken.status, taken.message]).toEqual([409, expect.stringContaining('"acme"')]);
  });

  it('are created with a first member, who logs on to them and nowhere else', async () => {
    const secret = 'correct horse battery';
    const member = { name: 'first@example.com', secret, role_binding: ['administrator'] };
    const { organization, member: made } = (await create({ member })) as SubOrganization & {
      member: object;
    };
    expect(made).toMatchObject({ name: member.name, role_binding: ['administrator'] });
    const logon = async (id: string) =>
      (await service.call('POST', `/v1/auth/logon/${id}`, { name: member.name, secret }, ''))
        .status;
    expect(await logon(organization.id)).toBe(200);
    expect(await logon('acme')).toBe(401);
    for (const [wrong, message] of [
      [{ secret: 'short' }, 'body /member/secret: has 5 characters'],
      [{ role_binding: ['nobody'] }, 'body /member/role_binding/0: is not a role'],
      [
        { role_binding: ['root_administrator'] },
        'body /member/role_binding/0: is a role of the root organization',
      ],
    ] as const) {
      const refused = await service.call('POST', path, {
        name: 'never',
        member: { ...member, ...wrong },
      });
      expect([refused.status, refused.message]).toEqual([400, message]);
    }
    expect((await service.call('GET', `${path}/never`)).status).toBe(404);
  });

  it('are tenants: neither side reaches records of the other', async () => {
    const { organization, token } = await create();
    const sub = token.access.secret;
    const mine = await service.call('POST', '/v1/accounts', { name: 'of-the-root' });
    const theirs = await service.call('POST', '/v1/accounts', { name: 'of-the-sub' }, sub);
    const id = ({ result }: typeof mine) => (result['account'] as unknown as { id: string }).id;
    expect((await service.call('GET', `/v1/accounts/${id(theirs)}`)).status).toBe(404);
    const foreign = await service.call('GET', `/v1/accounts/${id(mine)}`, undefined, sub);
    expect(foreign.status).toBe(404);
    const listed = await service.call('GET', '/v1/accounts', undefined, sub);
    expect((listed.result as unknown as { id: string }[]).map((one) => one.id)).toEqual([
      id(theirs),
    ]);
    const put = await service.call('PUT', '/v1/organization', {
      ...organization,
      fullname: 'Taken over',
    });
    expect(put.status).toBe(400);
  });

  it('have none of their own, and see none of their neighbours', async () => {
    const [{ token }, neighbour] = [await create(), await create()];
    const sub = token.access.secret;
    const made = await service.call('POST', path, {}, sub);
    expect([made.status, made.message]).toEqual([403, expect.stringContaining('sub organization')]);
    expect((await service.call('GET', path, undefined, sub)).result).toEqual([]);
    const other = await service.organization('another-root');
    for (const stranger of [sub, other.access])
      for (const method of ['GET', 'DELETE']) {
        const one = `${path}/${neighbour.organization.id}`;
        expect((await service.call(method, one, undefined, stranger)).status).toBe(404);
      }
    const root = `${path}/${service.administrator.organizationId}`;
    expect((await service.call('DELETE', root)).status).toBe(404);
  });

  it('go with everything that is theirs, and their tokens open nothing any more', async () => {
    const { organization, token } = await create();
    const sub = token.access.secret;
    await service.call('POST', '/v1/accounts', { name: 'going' }, sub);
    expect((await service.call('DELETE', `${path}/${organization.id}`)).status).toBe(204);
    for (const secret of [sub, token.refresh.secret])
      await eventually(async () => {
        const { status } = await service.call('GET', '/v1/accounts', undefined, secret);
        expect(status).toBe(401);
      });
    expect(await rowsOf(organization.id)).toEqual([]);
  });

  it('are founded with a member who can log on, and not without one that is asked for', async () => {
    const member = { name: 'ada@example.com', secret: 'a long enough password' };
    const body = { name: 'with-member', member: { ...member, role_binding: ['administrator'] } };
    const { organization, ...made } = await create(body);
    expect(made).toMatchObject({ member: { name: member.name, role_binding: ['administrator'] } });
    const logon = await service.call('POST', '/v1/auth/logon/with-member', member, '');
    expect(logon.result).toMatchObject({ auth_code: 'success', organization });
    const short = { name: 'without', member: { ...member, secret: 'short' } };
    const refused = await service.call('POST', path, short);
    expect([refused.status, refused.message]).toEqual([
      400,
      expect.stringContaining('/member/secret'),
    ]);
    expect((await service.call('GET', `${path}/without`)).status).toBe(404);
  });

  it.each([
    ['disabled', null, 402],
    ['plg', '2020-01-01', 402],
    ['plg', '2999-01-01', 200],
    ['pov', '2020-01-01', 200],
  ])('in the state %s with the end %s answer %i, their members too', async (state, end, status) => {
    const member = { name: 'ada@example.com', secret: 'a long enough password' };
    const { organization, token } = await create({ member });
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    await client.query('update organizations set state = $2, end_date = $3 where id = $1', [
      organization.id,
      state,
      end,
    ]);
    await client.end();
    await eventually(async () => {
      const { access } = token;
      const read = await service.call('GET', '/v1/organization', undefined, access.secret);
      expect(read.status).toBe(status);
    });
    const logon = await service.call('POST', `/v1/auth/logon/${organization.id}`, member, '');
    expect(logon.status).toBe(status);
    expect((await service.call('GET', `${path}/${organization.id}`)).status).toBe(200);
  });

  it('refuse texts that are too long', async () => {
    for (const field of ['contact', 'reply_to', 'picture']) {
      const refused = await service.call('POST', path, { [field]: 'x'.repeat(20_000) });
      expect([refused.status, refused.message]).toEqual([400, expect.stringContaining(field)]);
    }
  });
});

/** Lists the tables that contain rows of an organization. */
async function rowsOf(organizationId: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ table_name: string }>(
      `select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'organization_id'`,
    );
    const found: string[] = [];
    for (const { table_name: table } of tables) {
      const { rowCount } = await client.query(
        `select from ${table} where organization_id = $1 limit 1`,
        [organizationId],
      );
      if (rowCount) found.push(table);
    }
    return found;
  } finally {
    await client.end();
  }
}
