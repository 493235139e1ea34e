import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeWorld } from '#fakes';
import { lintRecord } from '#ocsf';
import { type Json, OverFake } from '#test/harness';
import { description } from './description.fixture.js';

const start = new Date('2026-11-22T00:00:00Z');
const world = makeWorld({ start, dataset: 'BASIC' });
const people = world.people.filter(({ status }) => status !== 'deprovisioned');

let github: OverFake;
const connect = (principal = 'admin', described: typeof description | null = description) =>
  new OverFake(new URL('./', import.meta.url), 'identity_github', {
    principal,
    description: described ?? undefined,
    config: { organization_slug: 'alderpoint' },
  });
beforeEach(() => {
  github = connect();
});

/** @returns what is wrong with records by OCSF, each fault once */
const lint = (records: Json[]): string[] => {
  const faults = records.flatMap((record) => {
    const { errors, warnings } = lintRecord(record);
    return [...errors, ...warnings].map(({ pointer, message }) => `${pointer} ${message}`);
  });
  return [...new Set(faults)];
};
const names = (records: Json[]): string[] =>
  records.map((one) => one['entity'].user.full_name as string);

describe('users', () => {
  const list = 'identity_query_users';

  it('are the members of the organization, each once over pages', async () => {
    const pages = await github.pages(list, { limit: 15 });
    expect(pages.map((page) => page.length)).toEqual([15, 15, people.length - 30]);
    expect(names(pages.flat())).toEqual(people.map((one) => one.display_name));
    expect(lint(pages.flat())).toEqual([]);
    const pieter = pages.flat().find(({ entity: one }) => one.uid === 'pieter-jansen');
    expect(pieter).toMatchObject({
      entity: {
        user: {
          email_addr: 'pieter.jansen@alderpoint.example',
          user_status: 'Active',
          ldap_person: { created_time: expect.any(Number) as unknown },
        },
      },
      unmapped: { bio: 'Build Engineer' },
    });
  });

  it.each([
    ['entity.user.type_id[eq]2', 'admin', (one: { is_admin: boolean }) => one.is_admin],
    ['entity.user.type_id[eq]1', 'member', (one: { is_admin: boolean }) => !one.is_admin],
    [
      'entity.user.full_name[like]Jansen',
      'all',
      (one: { display_name: string }) => one.display_name.includes('Jansen'),
    ],
  ])('are filtered by %s, as here', async (filter, role, passes) => {
    const query = { filter: [filter] };
    const found = await github.all(list, query);
    expect(found.length).toBeGreaterThan(0);
    expect(names(found)).toEqual(people.filter(passes).map((one) => one.display_name));
    expect(github.requests()[0]?.query['role']).toBe(role);
    const { meta } = await github.succeed(list, { query, meta: ['stats/count'] });
    expect(meta).toMatchObject({ stats: { count: { '*': found.length } } });
  });

  it('are read by their login, members of the organization alone', async () => {
    const path = { userId: 'pieter-jansen' };
    const { result } = await github.succeed('identity_get_user', { path });
    expect(names([result as Json])).toEqual(['Pieter Jansen']);
    await github.refuse('identity_get_user', 404, { path: { userId: 'nobody' } });
  });

  it('have pictures, at an address that gets no credential', async () => {
    const anybody = connect('admin', null);
    const path = { userId: 'pieter-jansen' };
    const { headers, bytes } = await anybody.file('identity_get_user_picture', { path });
    expect(headers).toMatchObject({ 'content-type': 'image/png' });
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(anybody.requests().at(-1)?.headers).not.toHaveProperty('authorization');
  });
});

describe('teams', () => {
  const teams = world.groups.filter(({ kind }) => ['department', 'security'].includes(kind));

  it('are groups, and their members are users', async () => {
    const pages = await github.pages('identity_query_groups', { limit: 4 });
    expect(pages.flat().map((one) => one['entity'].group.name as string)).toEqual(
      teams.map(({ name }) => name),
    );
    expect(pages.length).toBeGreaterThan(2);
    expect(lint(pages.flat())).toEqual([]);
    const path = { groupId: 'engineering' };
    const { result } = await github.succeed('identity_get_group', { path });
    expect(result).toMatchObject({
      entity: { uid: 'engineering', group: { name: 'Engineering' } },
    });
    const engineering = teams.find(({ name }) => name === 'Engineering')?.members ?? [];
    const members = await github.pages('identity_get_group_members', { limit: 3 }, path);
    expect(names(members.flat())).toEqual(
      people.filter(({ key }) => engineering.includes(key)).map((one) => one.display_name),
    );
    await github.refuse('identity_get_group', 404, { path: { groupId: 'nobody' } });
  });
});

describe('the audit log', () => {
  const list = 'identity_query_audit_log';
  const codes = (records: Json[]): string[] =>
    records.map(({ metadata }) => metadata.event_code as string);

  it('has who became a member, oldest first, each once over pages', async () => {
    const pages = await github.pages(list, { limit: 20 });
    const all = pages.flat();
    expect(pages.length).toBeGreaterThan(3);
    expect(lint(all)).toEqual([]);
    expect(new Set(all.map(({ metadata }) => metadata.uid as string)).size).toBe(all.length);
    const times = all.map(({ time }) => time as number);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(codes(all).filter((one) => one === 'org.add_member')).toHaveLength(people.length);
    const classesOf = Object.fromEntries(
      all.map(({ metadata, class_name: name }) => [metadata.event_code, name as string]),
    );
    expect(classesOf).toEqual({
      'org.add_member': 'Account Change',
      'team.add_member': 'Group Management',
      'repo.create': 'Entity Management',
      'repository_vulnerability_alerts.enable': 'API Activity',
    });
  });

  it.each([
    ['metadata.event_code[eq]repo.create', 'action:repo.create'],
    ['actor.user.uid[eq]sofia-marques', 'actor:sofia-marques'],
    ['time[gte]2025-01-01T00:00:00Z', 'created:>=2025-01-01T00:00:00Z'],
    ['time[lt]2025-01-01T00:00:00Z', 'created:<=2025-01-01T00:00:00Z'],
    ['message[like]telemetry', undefined],
  ])('is filtered by %s, as here', async (filter, phrase) => {
    const all = await github.all(list);
    const [, field = '', operator = '', text = ''] = /^(.+)\[(.+)\](.+)$/.exec(filter) ?? [];
    const passes = (one: Json): boolean => {
      const own = field
        .split('.')
        .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], one);
      if (operator === 'gte') return Number(own) >= Date.parse(text);
      if (operator === 'lt') return Number(own) < Date.parse(text);
      return operator === 'like' ? String(own).includes(text) : own === text;
    };
    github.requests();
    const found = await github.all(list, { filter: [filter] });
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(all.filter((one) => passes(one)));
    expect(github.requests()[0]?.query['phrase']).toBe(phrase);
  });

  it('is ordered by GitHub, newest first too', async () => {
    const found = await github.all(list, { order: ['time[desc]'] });
    const times = found.map(({ time }) => time as number);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    expect(github.requests()[0]?.query['order']).toBe('desc');
  });

  it('is a 501 outside of Enterprise Cloud', async () => {
    const member = connect('member');
    const problem = await member.refuse(list, 501);
    expect(problem['message']).toContain('Enterprise Cloud');
  });
});

it('has a reason for what GitHub lacks', async () => {
  const path = { userId: 'pieter-jansen' };
  for (const id of ['identity_disable_user', 'identity_force_user_password_reset'] as const)
    await github.refuse(id, 501, { path });
  await github.refuse('identity_query_risk_events', 501);
});

it('names the permission that is missing, and so does the verification', async () => {
  const developer = connect('developer');
  const problem = await developer.refuse('identity_query_users', 502);
  expect(problem['remediation']).toContain('Members: read');
  expect(JSON.stringify((await developer.verify()).body)).toContain('Members: read');
  expect((await github.verify()).status).toBe(200);
});
