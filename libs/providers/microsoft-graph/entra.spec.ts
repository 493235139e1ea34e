import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { makeWorld } from '#fakes';
import { listFaults } from '#test/harness';
import { expectMissingPermission } from '../../../test/harness/fakes/expect-missing-permission.js';
import { overFake } from './over-fake.fixture.js';

const entra = overFake('identity_entra_id');
const world = makeWorld({ start: entra.start, dataset: 'BASIC' });
const victim = world.people.find(({ login }) => login === 'pieter.jansen');
const path = { userId: victim?.directory_id ?? '' };

beforeAll(() => loadValidators());
beforeEach(() => {
  entra.reset();
  entra.fake.limits.override = { requests: 1e6, seconds: 60 };
});

describe.each<[OperationId, number]>([
  ['identity_query_users', world.people.length],
  ['identity_query_groups', world.groups.length],
  [
    'identity_query_audit_log',
    world.events.filter(({ source, action }) => source === 'identity' && action !== 'risk raised')
      .length,
  ],
  ['identity_query_risk_events', world.risk_events.length],
  ['identity_query_risky_users', world.people.filter((one) => one.risk_level !== 'none').length],
])('%s', (id, count) => {
  it('has the records of the company, filters and orders as declared', async () => {
    const { body } = await entra.call(id, { query: { limit: 500 } });
    expect(body['result']).toHaveLength(count);
    expect(await listFaults(entra, id)).toEqual([]);
  });
});

describe('users', () => {
  it('are asked for as the vendor describes it', async () => {
    const filter = ['entity.user.user_status[eq]Active', `entity.user.name[eq]${victim?.mail}`];
    await entra.all('identity_query_users', { filter, order: 'entity.user.full_name[desc]' });
    const { path: called, query, headers } = entra.fake.log.requests.at(-1) ?? {};
    expect(called).toBe('/v1.0/users');
    expect(headers?.['consistencylevel']).toBe('eventual');
    expect(query).toMatchObject({
      $filter: [`(accountEnabled eq true) and (userPrincipalName eq '${victim?.mail}')`],
      $orderby: ['displayName desc'],
    });
  });

  it('are found by more values than Graph takes in a filter', async () => {
    const names = world.people.slice(0, 16).map(({ mail }) => mail);
    const filter = [`entity.user.name[in]${names.join(',')}`, 'entity.user.user_status[eq]Active'];
    const active = world.people.slice(0, 16).filter(({ status }) => status === 'active');
    expect(await entra.all('identity_query_users', { filter })).toHaveLength(active.length);
    expect(entra.fake.log.requests.at(-1)?.query).toMatchObject({
      $filter: ['(accountEnabled eq true)'],
    });
  });

  it('are read, and are members of groups', async () => {
    const { body } = await entra.call('identity_get_user', { path });
    expect(body['result'].entity.user).toMatchObject({
      name: victim?.mail,
      full_name: 'Pieter Jansen',
      user_status: 'Active',
      ldap_person: { job_title: 'Build Engineer', created_time: victim?.created_ms },
    });
    const group = world.groups.find(({ name }) => name === 'VPN Users');
    const groupId = group?.directory_id ?? '';
    const read = await entra.call('identity_get_group', { path: { groupId } });
    expect(read.body['result'].entity.group).toMatchObject({ name: 'VPN Users', type: 'Security' });
    const pages = await entra.pages('identity_get_group_members', { limit: 20 }, { groupId });
    expect(pages.map((page) => page.length)).toEqual([20, (group?.members.length ?? 0) - 20]);
    const missing = await entra.call('identity_get_user', { path: { userId: 'nobody' } });
    expect([missing.status, missing.body['message']]).toEqual([
      404,
      expect.stringContaining("Resource 'nobody' does not exist"),
    ]);
  });

  it('have a picture with its type and its ETag, or none', async () => {
    const { headers, bytes } = await entra.file('identity_get_user_picture', { path });
    expect(headers['content-type']).toBe('image/jpeg');
    expect(headers['etag']).toMatch(/^"[0-9a-f]{40}"$/);
    expect(bytes.toString('hex')).toMatch(/^ffd8ffe0.*ffd9$/);
    const left = world.people.find((one) => one.status === 'deprovisioned')?.directory_id ?? '';
    const none = await entra.call('identity_get_user_picture', { path: { userId: left } });
    expect(none.status).toBe(404);
  });
});

describe('actions', () => {
  const act = async (id: OperationId) => (await entra.call(id, { path })).status;
  const newest = async () =>
    (await entra.all('identity_query_audit_log', { order: 'time[desc]' }))[0]?.['metadata']
      .event_code as string;

  it.each<[OperationId, string, string]>([
    ['identity_disable_user', 'Suspended', 'Disable account'],
    ['identity_enable_user', 'Active', 'Enable account'],
    ['identity_force_user_password_reset', 'Active', 'Reset user password'],
    ['identity_expire_all_user_sessions', 'Active', 'Update StsRefreshTokenValidFrom Timestamp'],
  ])('%s', async (id, state, audited) => {
    entra.now += 1_000;
    expect(await act(id)).toBe(204);
    const { body } = await entra.call('identity_get_user', { path });
    expect([body['result'].entity.user.user_status, await newest()]).toEqual([state, audited]);
  });

  it('are refused to an application that may only read', async () => {
    const reader = overFake('identity_entra_id', { principal: 'reader' });
    const permission = 'User.EnableDisableAccount.All';
    await expectMissingPermission(reader, permission, 'identity_disable_user', path);
  });
});

describe('the logs', () => {
  it('have the attack: refused second factors, a logon, and the risk', async () => {
    const events = await entra.all('identity_query_audit_log', {
      filter: 'src_endpoint.ip[eq]203.0.113.77',
      order: 'time',
    });
    expect(events.map(({ status }) => status as string)).toEqual([
      'Failure',
      'Failure',
      'Failure',
      'Success',
    ]);
    expect(events[3]).toMatchObject({ class_uid: 3002, user: { name: victim?.mail } });
    const risks = await entra.all('identity_query_risk_events', {
      filter: 'severity[eq]High',
      order: 'time',
    });
    expect(risks.at(-1)).toMatchObject({
      finding_info: { types: ['suspiciousAuthAppApproval'] },
      actor: { user: { name: victim?.mail } },
      evidences: [{ src_endpoint: { ip: '203.0.113.77' } }],
    });
  });

  it('are asked for one after the other, with the same filter', async () => {
    const filter = ['time[gte]2026-11-21T00:00:00Z', `actor.user.name[eq]${victim?.mail}`];
    await entra.all('identity_query_audit_log', { filter });
    const asked = entra.fake.log.requests
      .filter(({ path: called }) => called.startsWith('/v1.0/'))
      .map(({ path: called, query }) => [called, query['$filter']]);
    expect(asked).toEqual([
      [
        '/v1.0/auditLogs/directoryAudits',
        [
          `activityDateTime ge 2026-11-21T00:00:00.000Z and initiatedBy/user/userPrincipalName eq '${victim?.mail}'`,
        ],
      ],
      [
        '/v1.0/auditLogs/signIns',
        [`createdDateTime ge 2026-11-21T00:00:00.000Z and userPrincipalName eq '${victim?.mail}'`],
      ],
    ]);
  });

  it('are 501 where the tenant has no licence for them', async () => {
    entra.fake.faults.add({ kind: 'without_premium', times: 10, match: '/v1.0/' });
    expect((await entra.call('identity_query_risk_events')).status).toBe(501);
  });
});

it('the configuration is verified, and requests are repeated after Retry-After', async () => {
  expect((await entra.verify()).status).toBe(200);
  entra.fake.faults.add({ kind: 'limited', seconds: 1, match: '/v1.0/' });
  expect((await entra.call('identity_get_user', { path })).status).toBe(200);
});
