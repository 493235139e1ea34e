import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverFake, type OverFakeOptions } from '#test/harness';
import { description, undescribed } from './description.fixture.js';

const folder = new URL('./', import.meta.url);

function open(type: string, before?: OverFakeOptions['before']): OverFake {
  return new OverFake(folder, type, {
    ...(before === undefined ? {} : { before }),
    description,
    undescribed,
    config: { url: 'https://alderpoint.atlassian.net', default_project: 'ITS' },
    credential: ({ basic }) => ({
      type: 'basic',
      username: basic?.username,
      secret: basic?.password,
    }),
  });
}

describe('the providers of one site', () => {
  const requests = open('ticketing_jira_service_management');
  const issues = open('ticketing_jira');

  beforeAll(() => loadValidators());
  beforeEach(() => {
    requests.reset();
    issues.reset();
  });

  it('see the service projects, or all of them', async () => {
    const projectsOf = async (over: OverFake) => {
      const rows = await over.all('ticketing_query_tickets');
      return [...new Set(rows.map(({ project }: Json) => project as string))].sort();
    };
    expect(await projectsOf(requests)).toEqual(['ITS']);
    expect(await projectsOf(issues)).toEqual(['ITS', 'OPS', 'SEC']);
  });

  it('have notes where internal comments exist, and say why not elsewhere', async () => {
    const path = { ticketId: 'ITS-4100' };
    const { status, body } = await issues.answerTo('ticketing_list_notes', { path });
    expect([status, body['message']]).toEqual([
      501,
      expect.stringContaining('are notes of ticketing_jira_service_management'),
    ]);
  });

  it('keep internal comments from those that customers see', async () => {
    const [ticket] = await requests.all('ticketing_query_tickets');
    const path = { ticketId: ticket?.['id'] as string };
    const textsOf = async (id: 'ticketing_list_comments' | 'ticketing_list_notes') =>
      ((await requests.succeed(id, { path }))['result'] as Json[]).map(
        (one) => one['content'] as string,
      );
    const note = { title: 'Cause', content: 'A log of its own.' };
    const made = await requests.succeed('ticketing_create_note', { path, body: note });
    expect(made['result']).toMatchObject(note);
    expect(await textsOf('ticketing_list_notes')).toContain(note.content);
    expect((await textsOf('ticketing_list_comments')).join()).not.toContain(note.content);
  });

  it('read the escalations of teams, and who is on call', async () => {
    const policies = await requests.all('ticketing_query_escalation_policies');
    expect(policies.map(({ name }: Json) => name as string).sort()).toEqual([
      'IT operations',
      'Security incidents',
    ]);
    const security = policies.find(({ name }: Json) => name === 'Security incidents');
    expect(security?.['rules']).toMatchObject([
      { delay_seconds: 0, actors: [{ type: 'schedule_summary' }] },
      { delay_seconds: 900, actors: [{ type: 'agent_summary', name: 'Noor El Amrani' }] },
    ]);
    const path = { escalationPolicyId: security?.['id'] as string };
    const { result } = await requests.succeed('ticketing_list_on_call', { path });
    expect((result as Json[]).map((one) => one['full_name'] as string)).toEqual([
      'Noor El Amrani',
      'Priya Raman',
    ]);
  });

  it('read nested participants, a list of teams with a name, and teams that an escalation names', async () => {
    const id = 'a1';
    const answers: Record<string, unknown> = {
      '/v1/teams': { platformTeams: [{ teamId: 't1', teamName: 'Ops' }] },
      '/escalations': { values: [{ id: 'e1', name: 'x', rules: [] }], links: {} },
      '/escalations/e1': {
        id: 'e1',
        rules: [
          { delay: 0, recipient: { id: 's1', type: 'schedule' } },
          { delay: 5, recipient: { id: 't1', type: 'team' } },
        ],
      },
      '/on-calls': {
        onCallParticipants: [
          { id: 'e2', type: 'escalation', onCallParticipants: [{ id, type: 'user' }] },
        ],
      },
    };
    const nested = open('ticketing_jira_service_management', ({ url }) => {
      const end = Object.keys(answers).find((one) => new URL(url).pathname.endsWith(one));
      if (end === undefined) return undefined;
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(answers[end])),
      };
    });
    expect(await nested.all('ticketing_query_escalation_policies')).toMatchObject([
      { id: 't1:e1', unmapped: { team: { teamName: 'Ops' } } },
    ]);
    const path = { escalationPolicyId: 't1:e1' };
    const body = await nested.succeed('ticketing_list_on_call', { path });
    expect(body['result']).toMatchObject([{ uid: id, full_name: id }]);
    expect(JSON.stringify(body['messages'])).toContain('the members of the team t1');
  });

  it('say that a site without a cloud id has no operations', async () => {
    const site = open('ticketing_jira_service_management', ({ url }) =>
      url.endsWith('/_edge/tenant_info')
        ? {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from('{}'),
          }
        : undefined,
    );
    for (const [operation, path] of [
      ['ticketing_query_escalation_policies', {}],
      ['ticketing_list_on_call', { escalationPolicyId: 'a:b' }],
    ] as const) {
      const { status, body } = await site.answerTo(operation, { path });
      expect([status, JSON.stringify(body)]).toEqual([
        502,
        expect.stringContaining('does not say its cloud id'),
      ]);
    }
  });

  it('say which project is missing where an agent sees no service project', async () => {
    expect(await requests.verify()).toMatchObject({ status: 200 });
    const json = { values: [], total: 0, startAt: 0, maxResults: 1, isLast: true };
    const agent = open('ticketing_jira_service_management', ({ url }) =>
      url.includes('typeKey=service_desk')
        ? {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from(JSON.stringify(json)),
          }
        : undefined,
    );
    const { status, body } = await agent.verify();
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining('Browse projects of a service project'),
    ]);
  });
});
