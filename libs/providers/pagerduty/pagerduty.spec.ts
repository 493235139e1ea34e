import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { makeWorld } from '#fakes';
import { type Json, OverFake } from '#test/harness';
import { description } from './description.fixture.js';

const start = new Date('2026-11-22T00:00:00Z');
const world = makeWorld({ start, dataset: 'BASIC' });
const policies = 'incidentresponse_query_escalation_policies';
const onCall = 'incidentresponse_query_escalation_policy_users_on_call';
const nameOf = (key: string) => world.people.find((one) => one.key === key)?.display_name;

let pagerduty: OverFake;
const connect = (principal = 'admin', type = 'incidentresponse_pagerduty', config = {}) =>
  new OverFake(new URL('./', import.meta.url), type, { principal, config, description });
beforeAll(() => loadValidators());
beforeEach(() => {
  pagerduty = connect();
});

const security = async () => (await pagerduty.all(policies))[1]?.['uid'] as string;

describe('escalation policies', () => {
  it('are those of the company, with their rules, targets and teams', async () => {
    const [operations, security] = await pagerduty.all(policies);
    expect([operations?.['name'], security?.['name']]).toEqual([
      'IT operations',
      'Security incidents',
    ]);
    expect(security).toMatchObject({
      desc: 'Who answers for security incidents',
      src_url: expect.stringMatching(/^https:\/\/alderpoint.pagerduty.com\/escalation_policies\/P/),
      teams: [{ type: 'incident_response_team', name: 'Security' }],
      // Delays are in seconds.
      escalation_rules: [
        {
          escalation_delay: 900,
          targets: [
            {
              type: 'incident_response_schedule',
              name: 'Security incidents: on call',
              users: [{ type: 'incident_response_user_reference', name: 'Priya Raman' }],
            },
          ],
        },
        {
          escalation_delay: 1_800,
          targets: [
            {
              type: 'incident_response_user',
              name: 'Noor El Amrani',
              email_addr: 'noor.elamrani@alderpoint.example',
              timezone: 'Europe/Amsterdam',
              job_title: 'Head of Information Security',
              teams: [{ type: 'incident_response_team_reference', name: 'Security' }],
            },
          ],
        },
      ],
      unmapped: {
        num_loops: 2,
        type: 'escalation_policy',
        services: [{ type: 'service_reference' }],
      },
    });
  });

  it('are paged by offset, and asked for as PagerDuty describes', async () => {
    const pages = await pagerduty.pages(policies, { limit: 1 });
    expect(pages.map((page) => page.length)).toEqual([1, 1]);
    expect(new Set(pages.flat().map(({ uid }) => uid as string)).size).toBe(2);
    const requests = pagerduty.requests();
    expect(requests.map(({ path, query }) => [path, query])).toEqual(
      ['0', '1'].map((offset) => [
        '/escalation_policies',
        { limit: '1', offset, 'include[]': ['teams', 'targets'] },
      ]),
    );
    expect(requests[0]?.headers).toMatchObject({
      accept: 'application/vnd.pagerduty+json;version=2',
      authorization: expect.stringMatching(/^Token token=./),
    });
  });
});

describe('users on call', () => {
  it('are those of the policy, each once, with their entry', async () => {
    const result = (
      await pagerduty.succeed(onCall, { path: { escalationPolicyId: await security() } })
    )['result'];
    const expected = world.on_call.filter(({ policy_name: name }) => name === 'Security incidents');
    expect(result).toMatchObject(
      expected.map(({ person, level }) => ({
        type: 'incident_response_user',
        name: nameOf(person),
        teams: [{ type: 'incident_response_team_reference', name: 'Security' }],
        unmapped: { on_call: { escalation_level: level } },
      })),
    );
    const [first, second] = (result as { unmapped: { on_call: object } }[]).map(
      ({ unmapped }) => unmapped.on_call,
    );
    expect(first).toMatchObject({ start: '2026-11-19T08:00:00Z', end: '2026-11-26T08:00:00Z' });
    expect(second).toMatchObject({ start: null, end: null, schedule: null });
    expect(pagerduty.requests().at(-1)).toMatchObject({
      path: '/oncalls',
      query: {
        'include[]': 'users',
        earliest: 'true',
        'escalation_policy_ids[]': await security(),
      },
    });
  });

  it('of an unknown policy are a 404', async () => {
    const { message } = await pagerduty.refuse(onCall, 404, {
      path: { escalationPolicyId: 'PNONE00' },
    });
    expect(message).toContain('Not Found');
  });
});

describe('tickets', () => {
  const list = 'ticketing_query_tickets';
  const create = 'ticketing_create_ticket';
  const patch = 'ticketing_patch_ticket';
  const url = 'https://api.pagerduty.com';
  const creator = 'priya.raman@alderpoint.example';
  let desk: OverFake;
  const ticketing = (config: object = { default_creator: creator }, principal = 'admin') =>
    connect(principal, 'ticketing_pagerduty', { url, ...config });
  beforeEach(() => {
    desk = ticketing();
  });

  const service = async (name: string) => {
    const services = await desk.all('ticketing_list_projects');
    return services.find((one) => one['name'] === name)?.['id'] as string;
  };
  const make = async (more: object = {}): Promise<Json> => {
    const body = {
      name: 'Disk full',
      summary: 'Disk full',
      project: await service('IT operations'),
      ...more,
    };
    return (await desk.succeed(create, { body }))['result'] as Json;
  };
  const at = ({ id }: Json) => ({ path: { ticketId: id as string } });

  it('are the incidents of the company, each once over pages, oldest first', async () => {
    const pages = await desk.pages(list, { limit: 3 });
    expect(pages.map((page) => page.length)).toEqual([3, 3, 2]);
    expect(pages.flat().map(({ summary }) => summary as string)).toEqual(
      world.incidents.map(({ title }) => title),
    );
    expect(pages.flat().at(-1)).toMatchObject({
      status: 'acknowledged',
      priority: 'CRITICAL',
      project: await service('Security incidents'),
      created_at: '2026-11-21T10:36:00Z',
      unmapped: { incident_number: 1208, urgency: 'high' },
    });
    expect(desk.requests()[1]?.query).toMatchObject({
      limit: '3',
      offset: '3',
      date_range: 'all',
      sort_by: 'created_at:asc,incident_number:asc',
    });
  });

  it('have the description that lists leave out', async () => {
    const [first] = await desk.all(list);
    const { result } = await desk.succeed('ticketing_get_ticket', at(first ?? {}));
    expect(result).toMatchObject({ description: world.incidents[0]?.description });
  });

  it.each([
    ['status[eq]acknowledged', 'statuses[]', 'acknowledged'],
    ['status[eq]resolved', 'statuses[]', 'resolved'],
    ['status[in]resolved,triggered', 'statuses[]', undefined],
    ['status[eq]unheard', 'statuses[]', undefined],
    ['priority[eq]CRITICAL', 'urgencies[]', undefined],
    ['created_at[gt]2026-11-15T00:00:00Z', 'since', '2026-11-15T00:00:00Z'],
    ['summary[like]driver', 'query', undefined],
  ])('are filtered by %s, as here', async (filter, parameter, value) => {
    const all = await desk.all(list);
    const [, field = '', operator = '', text = ''] = /^(.+)\[(.+)\](.+)$/.exec(filter) ?? [];
    const passes = (ticket: Json) => {
      const own = ticket[field] as string;
      if (operator === 'in') return text.split(',').includes(own);
      if (operator === 'gt') return Date.parse(own) > Date.parse(text);
      return operator === 'like' ? own.includes(text) : own === text;
    };
    desk.requests();
    const found = await desk.all(list, { filter: [filter] });
    expect(found).toEqual(all.filter((one) => passes(one)));
    expect(desk.requests()[0]?.query[parameter]).toBe(value);
    const { result, meta } = await desk.succeed(list, {
      query: { filter: [filter] },
      meta: ['stats/count'],
    });
    expect([result, (meta as Json)['stats'].count]).toEqual([found, { '*': found.length }]);
  });

  it('are filtered by who they are assigned to, and ordered newest first', async () => {
    const all = await desk.all(list);
    const assignee = all.at(-1)?.['assignee'] as string;
    const query = { filter: [`assignee[eq]${assignee}`], order: ['created_at[desc]'] };
    const found = await desk.all(list, query);
    expect(found).toEqual(all.filter((one) => one['assignee'] === assignee).reverse());
    expect(found.length).toBeGreaterThan(0);
    expect(desk.requests().at(-1)?.query).toMatchObject({
      'user_ids[]': assignee,
      sort_by: 'created_at:desc,incident_number:desc',
    });
  });

  it('are made, changed and resolved', async () => {
    const assignee = (await desk.all(list)).at(-1)?.['assignee'] as string;
    const made = await make({ description: 'Since noon.', priority: 'MODERATE', assignee });
    expect(made).toMatchObject({
      summary: 'Disk full',
      description: 'Since noon.',
      status: 'triggered',
      assignee,
      priority: 'MEDIUM',
      created_at: '2026-11-22T00:00:00Z',
    });
    const post = desk.requests().find(({ method }) => method === 'POST');
    expect(post?.headers['from']).toBe(creator);
    expect(JSON.parse(post?.body ?? '')).toMatchObject({
      incident: { type: 'incident', urgency: 'low', priority: { type: 'priority_reference' } },
    });
    const body = [
      { op: 'replace', path: '/summary', value: 'Disk is full' },
      { op: 'replace', path: '/priority', value: 'CRITICAL' },
      { op: 'replace', path: '/status', value: 'resolved' },
    ];
    const { result } = await desk.succeed(patch, { ...at(made), body });
    expect(result).toMatchObject({
      id: made['id'] as string,
      summary: 'Disk is full',
      description: 'Since noon.',
      priority: 'CRITICAL',
      status: 'resolved',
      completion_date: '2026-11-22T00:00:00Z',
    });
    expect((await desk.succeed('ticketing_get_ticket', at(made)))['result']).toEqual(result);
  });

  it('are found by who made them, triggered, acknowledged and then resolved', async () => {
    const made = await make();
    expect(made).toMatchObject({ status: 'triggered', creator: expect.any(String) as unknown });
    for (const status of ['acknowledged', 'resolved']) {
      const body = [{ op: 'replace', path: '/status', value: status }];
      const { result } = await desk.succeed(patch, { ...at(made), body });
      expect(result).toMatchObject({ status, creator: made['creator'] as string });
      const filter = [`creator[eq]${made['creator'] as string}`, `status[eq]${status}`];
      const found = await desk.all(list, { filter });
      expect(found.map(({ id }) => id as string)).toEqual([made['id']]);
    }
    // The others were triggered by the events of services.
    const all = await desk.all(list);
    expect(all.filter((one) => one['creator'] !== undefined)).toHaveLength(1);
  });

  it('get the status that they are made with', async () => {
    expect(await make({ status: 'acknowledged' })).toMatchObject({ status: 'acknowledged' });
  });

  it('need a user, a service and a known status', async () => {
    const project = await service('IT operations');
    const withoutCreator = ticketing({});
    const body = { name: 'x', project };
    expect((await withoutCreator.refuse(create, 400, { body }))['message']).toContain(
      'default_creator',
    );
    await withoutCreator.succeed(create, { body: { ...body, creator } });
    const refused = async (more: object) =>
      (await desk.refuse(create, 400, { body: { name: 'x', ...more } }))['message'] as string;
    expect(await refused({})).toContain('default_project');
    expect(await refused({ project, status: 'closed' })).toContain('no status closed');
    expect(await refused({ project: 'PNONE00' })).toContain('Service Not Found');
    const stranger = ticketing({ default_creator: 'nobody@alderpoint.example' });
    expect((await stranger.refuse(create, 400, { body }))['message']).toContain('Requester');
  });

  it('cannot be unassigned, nor described anew', async () => {
    const made = await make({ assignee: (await desk.all(list)).at(-1)?.['assignee'] as string });
    const change = (path: string, op: object) => ({ ...at(made), body: [{ path, ...op }] });
    const unassign = change('/assignee', { op: 'remove' });
    expect((await desk.refuse(patch, 400, unassign))['message']).toContain('cannot unassign');
    await desk.refuse(patch, 400, change('/description', { op: 'add', value: 'New' }));
  });

  it('have notes as comments', async () => {
    const [security] = (await desk.all(list)).slice(-1);
    const of = at(security ?? {});
    const comments = async () =>
      (await desk.succeed('ticketing_list_comments', of))['result'] as Json[];
    const before = await comments();
    expect(before.map(({ content }) => content as string)).toContain(
      'Measures are approved by Noor El Amrani. See the channel incident-1208.',
    );
    const content = 'The laptop is isolated.';
    const body = { content };
    const { result } = await desk.succeed('ticketing_create_comment', { ...of, body });
    expect(result).toMatchObject({ content, ticket_id: of.path.ticketId });
    expect(await comments()).toEqual([...before, result]);
    const commentId = (result as Json)['id'] as string;
    await desk.succeed('ticketing_delete_comment', { path: { ...of.path, commentId } });
    expect(await comments()).toEqual(before);
    await desk.refuse('ticketing_delete_comment', 404, { path: { ...of.path, commentId } });
    await desk.refuse('ticketing_list_comments', 404, { path: { ticketId: 'PNONE00' } });
  });

  it('have policies and people on call, as the older operations tell them', async () => {
    const policies = await desk.all('ticketing_query_escalation_policies');
    expect(policies[1]).toMatchObject({
      name: 'Security incidents',
      rules: [
        { delay_seconds: 900, actors: [{ type: 'schedule_summary' }] },
        { delay_seconds: 1_800, actors: [{ type: 'agent', full_name: 'Noor El Amrani' }] },
      ],
    });
    const path = { escalationPolicyId: policies[1]?.['id'] as string };
    const { result } = await desk.succeed('ticketing_list_on_call', { path });
    expect(result).toMatchObject([{ full_name: 'Priya Raman', email_addr: creator }, {}]);
  });

  it('name the reason of a 501, and the permission that is missing', async () => {
    const note = { path: { ticketId: 'PNONE00' } };
    await desk.refuse('ticketing_list_notes', 501, note);
    const reader = ticketing({ default_creator: creator }, 'reader');
    expect((await reader.verify()).status).toBe(200);
    const project = await service('IT operations');
    const problem = await reader.refuse(create, 502, { body: { name: 'x', project } });
    expect(problem['remediation']).toContain('incidents.write');
    const scheduler = ticketing({}, 'scheduler');
    expect(JSON.stringify((await scheduler.verify()).body)).toContain('incidents.read');
  });
});

describe('failures', () => {
  it.each([
    [{ kind: 'status', status: 500 }, 502, 'Internal Server Error'],
    [{ kind: 'garbage' }, 502, 'JSON'],
    [{ kind: 'limited', seconds: 900 }, 429, 'PagerDuty'],
    [{ kind: 'drift', alter: 'root = this.without("escalation_policies")' }, 502, '.rows'],
  ])('%j is reported', async (rule, status, message) => {
    const problem = await pagerduty.failing(policies, rule);
    expect(problem).toMatchObject({ status, message: expect.stringContaining(message) as unknown });
  });

  it('402 means that the account has not bought the feature', async () => {
    const problem = await pagerduty.failing(policies, { kind: 'status', status: 402 });
    expect(problem['status']).toBe(501);
  });

  it('of permission name the scope, and so does the verification', async () => {
    const policy = await security();
    const scheduler = connect('scheduler');
    const problem = await scheduler.refuse(onCall, 502, { path: { escalationPolicyId: policy } });
    expect(problem['remediation']).toContain('oncalls.read');
    expect(JSON.stringify((await scheduler.verify()).body)).toContain('oncalls.read');
    expect((await pagerduty.verify()).status).toBe(200);
  });
});
