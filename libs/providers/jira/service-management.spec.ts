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
