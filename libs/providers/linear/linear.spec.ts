import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverFake, type OverFakeOptions } from '#test/harness';
import { description, undescribed } from './description.fixture.js';
import { costOf, maxCost } from './query-cost.fixture.js';

interface Sent {
  query: string;
  variables: { filter?: unknown; order?: string; input?: Record<string, unknown> };
}

/** Tests specific to Linear; test/e2e/ticketing-system-walk.ts tests behavior that all ticketing systems share. */
describe('the provider of Linear', () => {
  const connect = (more: OverFakeOptions = {}) =>
    new OverFake(new URL('./', import.meta.url), 'ticketing_linear', {
      description,
      undescribed,
      config: { default_team_id: '49ab520d-4e2e-5a94-b921-27ba3dc4f1b4' },
      ...more,
    });
  const linear = connect();

  beforeAll(() => loadValidators());
  beforeEach(() => linear.reset());

  const create = async (more: Record<string, unknown> = {}) => {
    const body = { name: 'Disk full', summary: 'Disk full', ...more };
    return (await linear.succeed('ticketing_create_ticket', { body }))['result'] as Json;
  };
  const read = async (ticketId: string) =>
    (await linear.succeed('ticketing_get_ticket', { path: { ticketId } }))['result'] as Json;
  const sent = () =>
    linear.fake.log.requests
      .filter(({ path }) => path === '/graphql')
      .map(({ body }) => JSON.parse(body) as Sent);

  it('creates in a status, with labels old and new, and finds the ticket by the name people use', async () => {
    const made = await create({
      status: 'In Progress',
      tags: ['hardware', 'disk'],
      priority: 'CRITICAL',
    });
    expect(made).toMatchObject({ status: 'In Progress', priority: 'URGENT' });
    expect([...(made['tags'] as string[])].sort()).toEqual(['disk', 'hardware']);
    const { identifier } = made['unmapped'] as { identifier: string };
    expect(await read(identifier)).toEqual(made);
    await create({ tags: ['disk'] });
    const labels = sent().filter(({ query }) => query.includes('issueLabelCreate'));
    expect(labels.map(({ variables }) => variables.input?.['name'])).toEqual(['disk']);
  });

  it('changes only the fields that a patch names', async () => {
    const made = await create({ tags: ['vpn'], due_date: '2026-12-01T00:00:00Z' });
    const { result } = await linear.succeed('ticketing_patch_ticket', {
      path: { ticketId: made['id'] as string },
      body: [
        { op: 'replace', path: '/tags', value: ['hardware'] },
        { op: 'replace', path: '/status', value: 'Done' },
        { op: 'remove', path: '/due_date' },
      ],
    });
    const changed = result as Json;
    expect(changed).toMatchObject({ tags: ['hardware'], status: 'Done', summary: 'Disk full' });
    expect(changed['completion_date']).toBeDefined();
    expect(changed).not.toHaveProperty('due_date');
    const update = sent().find(({ query }) => query.includes('issueUpdate'));
    expect(Object.keys(update?.variables.input ?? {}).sort()).toEqual([
      'dueDate',
      'labelIds',
      'stateId',
    ]);
  });

  it('names the available statuses if asked for another', async () => {
    const problem = await linear.refuse('ticketing_create_ticket', 400, {
      body: { name: 'x', summary: 'x', status: 'Shipped' },
    });
    expect(problem['message']).toBe(
      'the team has no status Shipped; there are Backlog, Todo, In Progress, On Hold, Done, Canceled',
    );
    expect(sent().some(({ query }) => query.includes('issueCreate'))).toBe(false);
  });

  it('has the labels of a ticket that has more than a list can afford', async () => {
    const tags = Array.from({ length: 55 }, (_, index) => `label-${index}`);
    const { id } = await create({ tags });
    expect([...((await read(id as string))['tags'] as string[])].sort()).toEqual([...tags].sort());
    const { result } = await linear.succeed('ticketing_query_tickets', {
      query: { filter: ['name[eq]"Disk full"'] },
    });
    expect((result as Json[]).map(({ tags: of }) => (of as string[]).length)).toEqual([55]);
  });

  it('lets Linear filter and order what it can', async () => {
    const made = await create({ tags: ['vpn'] });
    linear.fake.log.clear();
    const { result } = await linear.succeed('ticketing_query_tickets', {
      query: {
        filter: ['tags[eq]vpn', 'name[eq]"Disk full"', 'updated_at[gt]2026-01-01T00:00:00Z'],
        order: ['updated_at[desc]'],
        limit: 5,
      },
    });
    expect((result as Json[]).map(({ id }) => id as string)).toEqual([made['id']]);
    const asked = sent().filter(({ query }) => query.includes('newest: issues(first:'));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.variables).toMatchObject({
      order: 'updatedAt',
      filter: {
        and: expect.arrayContaining([
          { labels: { some: { name: { in: ['vpn'] } } } },
          { title: { in: ['Disk full'] } },
          { updatedAt: { gte: '2026-01-01T00:00:00Z' } },
        ]),
      },
    });
  });

  it('downloads what is in the storage of Linear, and no link', async () => {
    const path = { ticketId: 'SEC-4136' };
    const { result } = await linear.succeed('ticketing_list_attachments_metadata', { path });
    const link = (result as Json[]).find(({ file_type }) => file_type === 'text/uri-list');
    expect(link).toMatchObject({ file_name: 'Runbook of incidents' });
    const problem = await linear.refuse('ticketing_download_attachment', 501, {
      path: { ...path, attachmentId: link?.['id'] as string },
    });
    expect(problem['message']).toContain('a link to https://wiki.alderpoint.example/incident-1208');
  });

  it('does not delete what belongs to another ticket', async () => {
    const [one, other] = [await create(), await create()].map(({ id }) => id as string);
    const { result } = await linear.succeed('ticketing_create_comment', {
      path: { ticketId: one ?? '' },
      body: { content: 'hello' },
    });
    const commentId = (result as Json)['id'] as string;
    await linear.refuse('ticketing_delete_comment', 404, {
      path: { ticketId: other ?? '', commentId },
    });
    const path = { ticketId: one ?? '' };
    expect((await linear.succeed('ticketing_list_comments', { path }))['result']).toHaveLength(1);
  });

  it('sends a token that somebody granted as one of OAuth, and API keys as they are', async () => {
    const secret = 'lin_oauth_agent-token';
    const granted = connect({ credential: () => ({ type: 'token', secret }) });
    await granted.refuse('ticketing_list_projects', 502); // The fake has not issued this one.
    await linear.succeed('ticketing_list_projects');
    const sentBy = ({ fake }: OverFake) =>
      fake.log.requests.map(({ headers }) => headers['authorization']);
    expect(sentBy(granted)).toEqual([`Bearer ${secret}`]);
    expect(sentBy(linear)).toEqual([linear.fake.credentials()[0]?.secret]);
  });

  it('names the missing permission, though Linear answers 200', async () => {
    const problem = await connect({ principal: 'reader' }).refuse('ticketing_create_comment', 502, {
      path: { ticketId: 'SEC-4136' },
      body: { content: 'hello' },
    });
    expect(problem['message']).toMatch(/Linear does not permit this with the credential crd_/);
    expect(problem['remediation']).toBe('Grant the permission "Write" at the provider.');
  });

  it('waits for a rate limit, which Linear reports with 400', async () => {
    const start = linear.now;
    linear.fake.faults.add({ kind: 'limited', seconds: 1 });
    await linear.succeed('ticketing_list_projects');
    expect(linear.now - start).toBeGreaterThanOrEqual(1_000);
    linear.fake.faults.add({ kind: 'limited', seconds: 900 });
    const answer = await linear.answerTo('ticketing_list_projects', {});
    expect(answer.status).toBe(429);
    expect(Number(answer.headers?.['retry-after'])).toBeGreaterThan(850);
  });

  it('stays below the maximum cost of a query, with the largest page', async () => {
    await linear.succeed('ticketing_query_tickets', { query: { limit: 100 } });
    await linear.succeed('ticketing_list_remote_fields');
    await linear.succeed('ticketing_list_comments', { path: { ticketId: 'SEC-4136' } });
    const costs = linear.fake.log.requests.map(({ body }) => costOf(body));
    expect(Math.max(...costs)).toBeGreaterThan(1_000);
    expect(Math.max(...costs)).toBeLessThanOrEqual(maxCost);
  });
});
