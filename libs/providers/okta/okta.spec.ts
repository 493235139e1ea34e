import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { makeWorld } from '#fakes';
import { type Json, listFaults, OverFake } from '#test/harness';
import { expectMissingPermission } from '../../../test/harness/fakes/expect-missing-permission.js';
import { description, undescribed } from './description.fixture.js';

const folder = new URL('./', import.meta.url);
const options = {
  config: { url: 'https://alderpoint.okta.example' },
  credential: ({ secret }: { secret?: string }) => ({ type: 'token', secret }),
  description,
  undescribed,
};
const okta = new OverFake(folder, 'identity_okta', options);
const world = makeWorld({ start: okta.start, dataset: 'BASIC' });
const mails = world.people.map(({ mail }) => mail).sort();
const victim = world.people.find(({ login }) => login === 'pieter.jansen');

beforeAll(() => loadValidators());
beforeEach(() => okta.reset());

async function userOf(mail = ''): Promise<string> {
  const found = await okta.all('identity_query_users', { filter: `entity.user.name[eq]${mail}` });
  return found[0]?.['entity'].uid as string;
}

/** Calls that the fake received, with the values of their query. */
function requests(): { call: string; query: Record<string, string> }[] {
  return okta.fake.log.requests.map(({ method, path, query }) => ({
    call: `${method} ${path}`,
    query: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [
        name,
        String(Array.isArray(value) ? value[0] : value),
      ]),
    ),
  }));
}

describe.each<[OperationId, number]>([
  ['identity_query_users', world.people.length],
  ['identity_query_groups', world.groups.length],
  [
    'identity_query_audit_log',
    world.risk_events.length +
      world.events.filter(({ source, action }) => source === 'identity' && action !== 'risk raised')
        .length,
  ],
  ['identity_query_risk_events', world.risk_events.length],
  ['identity_query_risky_users', world.people.filter((one) => one.risk_level !== 'none').length],
])('%s', (id, count) => {
  it('has the records of the company, filters and orders as declared', async () => {
    const { body } = await okta.call(id, { query: { limit: 500 } });
    expect(body['result']).toHaveLength(count);
    const except = id === 'identity_query_risky_users' ? ['time'] : [];
    expect(await listFaults(okta, id, { except })).toEqual([]);
  });
});

describe('users', () => {
  it('are those of the company, with those who have left', async () => {
    const users = await okta.all('identity_query_users');
    expect(users.map(({ entity }) => entity.user.email_addr as string).sort()).toEqual(mails);
    const found = users.find(({ entity }) => entity.user.email_addr === victim?.mail);
    expect(found?.['entity'].user).toMatchObject({
      full_name: 'Pieter Jansen',
      uid_alt: victim?.employee_number,
      user_status: 'Active',
      ldap_person: { job_title: 'Build Engineer', created_time: victim?.created_ms },
    });
    expect(found?.['unmapped']).toMatchObject({ profile: { department: 'Engineering' } });
  });

  it('are asked for as the vendor describes it: filters in its language, pages by its link', async () => {
    const pages = await okta.pages('identity_query_users', {
      limit: 15,
      order: 'entity.user.name',
    });
    expect(pages.map((page) => page.length)).toEqual([15, 15, 10]);
    await okta.all('identity_query_users', {
      filter: [
        'entity.user.user_status[eq]Active',
        'entity.user.ldap_person.created_time[gte]2025-01-01T00:00:00Z',
      ],
    });
    const sent = requests().map(({ query }) => query);
    expect(sent[0]).toMatchObject({ sortBy: 'profile.login', limit: '15' });
    expect(sent[1]?.['after']).toMatch(/./);
    expect(sent.at(-1)?.['search']).toBe(
      'created ge "2025-01-01T00:00:00.000Z" and (status eq "ACTIVE" or status eq "PASSWORD_EXPIRED" or status eq "RECOVERY")',
    );
  });

  it('are read by their id, or not found', async () => {
    const userId = await userOf(victim?.mail);
    const { body } = await okta.call('identity_get_user', { path: { userId } });
    expect(body['result'].entity.user.name).toBe(victim?.mail);
    const missing = await okta.call('identity_get_user', { path: { userId: '00u1' } });
    expect([missing.status, missing.body['message']]).toEqual([
      404,
      expect.stringContaining('Resource not found: 00u1 (User)'),
    ]);
  });

  it('are members of groups, over pages', async () => {
    const groups = await okta.all('identity_query_groups');
    const vpn = groups.find(({ entity }) => entity.group.name === 'VPN Users');
    const path = { groupId: vpn?.['entity'].uid as string };
    const { body } = await okta.call('identity_get_group', { path });
    expect(body['result'].entity.group.desc).toBe(vpn?.['entity'].group.desc);
    const pages = await okta.pages('identity_get_group_members', { limit: 20 }, path);
    const known = world.groups.find(({ name }) => name === 'VPN Users')?.members ?? [];
    expect(pages.map((page) => page.length)).toEqual([20, known.length - 20]);
    const found = pages.flat().map(({ entity }) => entity.user.email_addr as string);
    const expected = world.people.filter(({ key }) => known.includes(key)).map(({ mail }) => mail);
    expect(found.sort()).toEqual(expected.sort());
  });
});

describe('actions', () => {
  const act = async (id: OperationId, userId: string) =>
    (await okta.call(id, { path: { userId } })).status;
  const statusOf = async (userId: string) =>
    (await okta.call('identity_get_user', { path: { userId } })).body['result'].entity.user
      .user_status as string;
  const logged = async () =>
    (await okta.all('identity_query_audit_log', { order: 'time[desc]' }))[0]?.['metadata']
      .event_code as string;

  it('disable and enable a user, which the log records', async () => {
    const userId = await userOf(victim?.mail);
    okta.now += 1_000;
    expect(await act('identity_disable_user', userId)).toBe(204);
    expect([await statusOf(userId), await logged()]).toEqual([
      'Suspended',
      'user.lifecycle.suspend',
    ]);
    expect(await act('identity_disable_user', userId)).toBe(204);
    okta.now += 1_000;
    expect(await act('identity_enable_user', userId)).toBe(204);
    expect([await statusOf(userId), await logged()]).toEqual([
      'Active',
      'user.lifecycle.unsuspend',
    ]);
  });

  it('reactivate a deactivated user', async () => {
    const left = world.people.find(({ status }) => status === 'deprovisioned');
    const userId = await userOf(left?.mail);
    expect(await act('identity_enable_user', userId)).toBe(204);
    expect(await statusOf(userId)).toBe('Pending');
  });

  it('disable and enable a user whose password was reset before', async () => {
    const userId = await userOf(victim?.mail);
    expect(await act('identity_force_user_password_reset', userId)).toBe(204);
    expect(await act('identity_disable_user', userId)).toBe(204);
    expect(await statusOf(userId)).toBe('Deprovisioned');
    expect(await act('identity_enable_user', userId)).toBe(204);
    expect(await statusOf(userId)).toBe('Pending');
  });

  it('disable a user who is locked out, as one who comes back is active', async () => {
    const locked = world.people.find(({ status }) => status === 'locked');
    const userId = await userOf(locked?.mail);
    const enabled = await okta.call('identity_enable_user', { path: { userId } });
    expect([enabled.status, enabled.body['message']]).toEqual([
      409,
      expect.stringContaining("not allowed in the user's current status"),
    ]);
    expect(await act('identity_disable_user', userId)).toBe(204);
    expect(await statusOf(userId)).toBe('Suspended');
    expect(await act('identity_enable_user', userId)).toBe(204);
    expect(await statusOf(userId)).toBe('Active');
    expect(await act('identity_enable_user', userId)).toBe(204);
  });

  it('expire the password and the sessions', async () => {
    const userId = await userOf(victim?.mail);
    expect(await act('identity_force_user_password_reset', userId)).toBe(204);
    const { body } = await okta.call('identity_get_user', { path: { userId } });
    expect(body['result'].unmapped.status).toBe('PASSWORD_EXPIRED');
    okta.now += 1_000;
    expect(await act('identity_expire_all_user_sessions', userId)).toBe(204);
    expect(requests().at(-1)).toEqual({
      call: `DELETE /api/v1/users/${userId}/sessions`,
      query: { oauthTokens: 'true' },
    });
    expect(await logged()).toBe('user.session.clear');
  });

  it('are refused to a token that may only read', async () => {
    const reader = new OverFake(folder, 'identity_okta', { ...options, principal: 'reader' });
    const path = { userId: await userOf(victim?.mail) };
    await expectMissingPermission(reader, 'okta.users.manage', 'identity_disable_user', path);
  });
});

describe('the log', () => {
  it('has the attack: refused second factors, a logon, and the risk', async () => {
    const events = await okta.all('identity_query_audit_log', {
      filter: 'src_endpoint.ip[eq]203.0.113.77',
    });
    expect(
      events.map(
        (one) => [one['class_name'], one['metadata'].event_code, one['status']] as string[],
      ),
    ).toEqual([
      ['Authentication', 'user.mfa.okta_verify.deny_push', 'Failure'],
      ['Authentication', 'user.mfa.okta_verify.deny_push', 'Failure'],
      ['Authentication', 'user.authentication.auth_via_mfa', 'Failure'],
      ['Authentication', 'user.session.start', 'Success'],
    ]);
    expect(events[3]).toMatchObject({
      actor: { user: { name: victim?.mail } },
      user: { name: victim?.mail },
    });
    const risks = await okta.all('identity_query_risk_events', { filter: 'severity_id[eq]4' });
    expect(risks.at(-1)).toMatchObject({
      class_name: 'Detection Finding',
      severity: 'High',
      finding_info: { types: ['Repeated second-factor requests'] },
      actor: { user: { name: 'system@okta.com', type: 'System' } },
      resources: [{ name: victim?.mail, type: 'User' }],
      risk_details: 'Repeated second-factor requests',
      evidences: [
        {
          user: { name: victim?.mail, full_name: 'Pieter Jansen' },
          src_endpoint: { ip: '203.0.113.77', location: { country: 'IS' } },
        },
      ],
    });
  });

  it('is asked for between two times, so that its links end', async () => {
    const filter = ['time[gte]2026-11-21T00:00:00Z', 'time[lt]2026-11-21T12:00:00Z'];
    const events = await okta.all('identity_query_audit_log', { filter });
    expect(events.length).toBeGreaterThan(5);
    expect(requests().at(-1)?.query).toMatchObject({
      since: '2026-11-21T00:00:00.000Z',
      until: '2026-11-21T12:00:00.001Z',
    });
  });

  it('is shown as the vendor has it where that is asked for', async () => {
    const query = { include_raw_data: true, limit: 1 };
    const { result } = await okta.succeed('identity_query_audit_log', { query });
    const [event] = result as Json[];
    const raw = JSON.parse(event?.['raw_data'] as string) as { uuid: string };
    expect(raw.uuid).toBe(event?.['metadata'].uid);
  });
});

describe('risky users', () => {
  it('have the level of their risk', async () => {
    const users = await okta.all('identity_query_risky_users');
    const found = Object.fromEntries(
      users.map(({ entity }) => [
        entity.user.email_addr as string,
        entity.user.risk_level as string,
      ]),
    );
    expect(found).toEqual({
      'pieter.jansen@alderpoint.example': 'High',
      'emma.tremblay@alderpoint.example': 'Low',
      [world.people.find(({ risk_level: level }) => level === 'medium')?.mail ?? '']: 'Medium',
    });
  });

  it('keep the reason of the risk', async () => {
    const users = await okta.all('identity_query_risky_users');
    expect(users.map(({ unmapped }) => unmapped.risk as Json)).toEqual(
      users.map(() => ({ reason: 'Suspicious activity of the session' })),
    );
  });

  it('are 501 where the organization has no licence for them', async () => {
    okta.fake.faults.add({ kind: 'without_risk', times: 100 });
    const { status, body } = await okta.call('identity_query_risky_users');
    expect([status, body['message']]).toEqual([
      501,
      expect.stringContaining('has no licence for this'),
    ]);
  });
});

describe('requests', () => {
  it('are repeated after the reset that Okta reports', async () => {
    okta.fake.faults.add({ kind: 'limited', seconds: 1 });
    expect((await okta.call('identity_query_groups')).status).toBe(200);
    expect(requests()).toHaveLength(2);
  });

  it.each([undefined, `${options.config.url}/oauth2/v1/token`])(
    'may have a token of OAuth from %s',
    async (token_url) => {
      const oauth = new OverFake(folder, 'identity_okta', {
        ...options,
        credential: ({ client }) => ({
          type: 'o_auth_client',
          client_id: client?.id,
          client_secret: client?.secret,
          token_url,
        }),
      });
      expect(await oauth.all('identity_query_groups')).toHaveLength(world.groups.length);
      expect((await oauth.verify()).status).toBe(200);
    },
  );
});
