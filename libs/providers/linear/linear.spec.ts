import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningSimulator, startSimulator } from '#test/harness';
import type { Client } from '../../../test/e2e/client.js';
import { type Onefold, sharedOnefold } from '../../../test/e2e/onefold.js';

interface Sent {
  query: string;
  variables: { filter?: unknown; order?: string; input?: Record<string, unknown> };
}

/** Tests specific to Linear; test/e2e/ticketing-system-walk.ts tests behavior that all ticketing systems share. */
describe('the provider of Linear', () => {
  let onefold: Pick<Onefold, 'api'>;
  let linear: RunningSimulator;
  let tickets: Client;
  let reader: Client;
  let granted: Client;

  beforeAll(async () => {
    [onefold, linear] = await Promise.all([sharedOnefold(), startSimulator('linear')]);
    const { api } = onefold;
    const { account } = (await api.call('accounts_create', { body: { name: 'linear' } })).result;
    const integrate = async (secret: string) => {
      const { token } = (
        await api.call('integrations_create', {
          path: { accountId: account.id },
          body: {
            name: secret.replaceAll('_', '-'),
            provider_config: {
              type: 'ticketing_linear',
              url: linear.url,
              default_team_id: '00000000-0000-4000-8000-000000000004',
              credential: { type: 'token', secret },
            } as never,
          },
        })
      ).result;
      return api.as(token.access.secret);
    };
    tickets = await integrate('agent-token');
    reader = await integrate('reader-token');
    granted = await integrate('lin_oauth_agent-token');
  }, 300_000);
  beforeEach(() => linear.reset());
  afterAll(async () => {
    await linear.stop();
  });

  const create = async (more: Record<string, unknown> = {}) =>
    (
      await tickets.call('ticketing_create_ticket', {
        body: { name: 'Disk full', summary: 'Disk full', ...more },
      })
    ).result;
  const sent = async () => (await linear.requests()).map(({ body }) => body as Sent);

  it('creates in a status, with labels old and new, and finds the ticket by the name people use', async () => {
    const made = await create({
      status: 'In Progress',
      tags: ['bug', 'disk'],
      priority: 'CRITICAL',
    });
    expect(made).toMatchObject({ status: 'In Progress', priority: 'URGENT' });
    expect([...(made.tags ?? [])].sort()).toEqual(['bug', 'disk']);
    const { identifier } = made.unmapped as { identifier: string };
    const { result } = await tickets.call('ticketing_get_ticket', {
      path: { ticketId: identifier },
    });
    expect(result).toEqual(made);
    await create({ tags: ['disk'] });
    const labels = (await sent()).filter(({ query }) => query.includes('issueLabelCreate'));
    expect(labels.map(({ variables }) => variables.input?.['name'])).toEqual(['disk']);
  });

  it('changes only the fields that a patch names', async () => {
    const made = await create({ tags: ['bug'], due_date: '2026-12-01T00:00:00Z' });
    const { result } = await tickets.call('ticketing_patch_ticket', {
      path: { ticketId: made.id },
      body: [
        { op: 'replace', path: '/tags', value: ['feature'] },
        { op: 'replace', path: '/status', value: 'Done' },
        { op: 'remove', path: '/due_date' },
      ],
    });
    expect(result).toMatchObject({ tags: ['feature'], status: 'Done', summary: 'Disk full' });
    expect(result.completion_date).toBeDefined();
    expect(result).not.toHaveProperty('due_date');
    const update = (await sent()).find(({ query }) => query.includes('issueUpdate'));
    expect(Object.keys(update?.variables.input ?? {}).sort()).toEqual([
      'dueDate',
      'labelIds',
      'stateId',
    ]);
  });

  it('names the available statuses if asked for another', async () => {
    const problem = await tickets.refuse('ticketing_create_ticket', 400, {
      body: { name: 'x', summary: 'x', status: 'Shipped' },
    });
    expect(problem.message).toBe(
      'the team has no status Shipped; there are Canceled, Done, In Progress, Todo, Backlog',
    );
    expect((await sent()).some(({ query }) => query.includes('issueCreate'))).toBe(false);
  });

  it('lets Linear filter and order what it can', async () => {
    await linear.seed(60);
    const made = await create({ tags: ['bug'] });
    const { result } = await tickets.call('ticketing_query_tickets', {
      query: {
        filter: ['tags[eq]bug', 'name[eq]"Disk full"', 'updated_at[gt]2026-01-01T00:00:00Z'],
        order: ['updated_at[desc]'],
        limit: 5,
      },
    });
    expect(result.map(({ id }) => id)).toEqual([made.id]);
    const asked = (await sent()).filter(({ query }) => query.includes('newest: issues(first:'));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.variables).toMatchObject({
      order: 'updatedAt',
      filter: {
        and: expect.arrayContaining([
          { labels: { some: { name: { in: ['bug'] } } } },
          { title: { in: ['Disk full'] } },
          { updatedAt: { gte: '2026-01-01T00:00:00Z' } },
        ]),
      },
    });
  });

  it('downloads what is in the storage of Linear, and no link', async () => {
    const path = { ticketId: (await create()).id };
    const response = await fetch(`${linear.url}/graphql`, {
      method: 'POST',
      headers: { authorization: 'agent-token', 'content-type': 'application/json' },
      body: JSON.stringify({
        query:
          'mutation($input: AttachmentCreateInput!) { attachmentCreate(input: $input) { attachment { id } } }',
        variables: {
          input: { issueId: path.ticketId, title: 'Runbook', url: 'https://example.com/runbook' },
        },
      }),
    });
    expect(response.status).toBe(200);
    const [link] = (await tickets.call('ticketing_list_attachments_metadata', { path })).result;
    expect(link).toMatchObject({ file_name: 'Runbook', file_type: 'text/uri-list' });
    const problem = await tickets.refuse('ticketing_download_attachment', 501, {
      path: { ...path, attachmentId: link?.id ?? '' },
    });
    expect(problem.message).toContain('a link to https://example.com/runbook');
  });

  it('does not delete what belongs to another ticket', async () => {
    const [one, other] = [await create(), await create()];
    const { result: comment } = await tickets.call('ticketing_create_comment', {
      path: { ticketId: one.id },
      body: { content: 'hello' },
    });
    await tickets.refuse('ticketing_delete_comment', 404, {
      path: { ticketId: other.id, commentId: comment.id },
    });
    const { result } = await tickets.call('ticketing_list_comments', {
      path: { ticketId: one.id },
    });
    expect(result).toHaveLength(1);
  });

  it('sends a token that somebody granted as one of OAuth, and API keys as they are', async () => {
    await granted.call('ticketing_list_projects');
    await tickets.call('ticketing_list_projects');
    const headers = (await linear.requests()).map((one) => one.headers['authorization']);
    expect([...new Set(headers)]).toEqual(['Bearer lin_oauth_agent-token', 'agent-token']);
  });

  it('names the missing permission, though Linear answers 200', async () => {
    const path = { ticketId: (await create()).id };
    const problem = await reader.refuse('ticketing_create_comment', 502, {
      path,
      body: { content: 'hello' },
    });
    expect(problem.message).toMatch(/Linear does not permit this with the credential crd_/);
    expect(problem.remediation).toBe('Grant the permission "Write" at the provider.');
  });

  it('waits for a rate limit, which Linear reports with 400', async () => {
    await linear.fault({ kind: 'rate_limit', seconds: 1 });
    const start = Date.now();
    await tickets.call('ticketing_list_projects');
    expect(Date.now() - start).toBeGreaterThan(500);
    await linear.fault({ kind: 'rate_limit', seconds: 900 });
    const answer = await tickets.send('ticketing_list_projects');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(850);
  });

  it('stays below the maximum cost of a query, with the largest page', async () => {
    await linear.seed(120);
    await tickets.call('ticketing_query_tickets', { query: { limit: 100 } });
    await tickets.call('ticketing_list_remote_fields');
    const all = await linear.requests();
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(await linear.violations()).toEqual([]);
  });
});
