import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningSimulator, startSimulator } from '#test/harness';
import type { Client } from '../../../test/e2e/client.js';
import { type Onefold, sharedOnefold } from '../../../test/e2e/onefold.js';

interface Issue {
  number: number;
  state: string;
  pull_request?: object;
}

/** Tests specific to GitHub; test/e2e/ticketing-system-walk.ts tests behavior that all ticketing systems share. */
describe('the provider of GitHub Issues', () => {
  let onefold: Pick<Onefold, 'api'>;
  let github: RunningSimulator;
  let tickets: Client;
  let integrate: (repository: string, secret?: string) => Promise<Client>;

  beforeAll(async () => {
    [onefold, github] = await Promise.all([sharedOnefold(), startSimulator('github')]);
    const { api } = onefold;
    const { account } = (await api.call('accounts_create', { body: { name: 'github' } })).result;
    integrate = async (repository, secret = 'agent-token') => {
      const { token } = (
        await api.call('integrations_create', {
          path: { accountId: account.id },
          body: {
            name: `${repository}-${secret}`.replace(/[^a-z]+/g, '-'),
            provider_config: {
              ...{ type: 'ticketing_github', repository, url: github.url },
              credential: { type: 'token', secret },
            } as never,
          },
        })
      ).result;
      return api.as(token.access.secret);
    };
    tickets = await integrate('octo-org/desk');
  }, 300_000);
  beforeEach(() => github.reset());
  afterAll(async () => {
    expect(await github.violations()).toEqual([]);
    await github.stop();
  });

  /** Calls GitHub as a user would. */
  const issues = async (): Promise<Issue[]> => {
    const response = await fetch(
      `${github.url}/repos/octo-org/desk/issues?state=all&per_page=100`,
      { headers: { authorization: 'Bearer agent-token', 'user-agent': 'spec' } },
    );
    return (await response.json()) as Issue[];
  };
  const lists = async () =>
    (await github.requests()).filter(({ path }) => path.endsWith('/desk/issues'));

  it('skips pull requests, which GitHub lists among the issues, over pages of any size', async () => {
    const all = await issues();
    const wanted = all.filter(({ pull_request: pull }) => pull === undefined);
    expect(wanted.length).toBeLessThan(all.length);
    for (const limit of [1, 3, 100]) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await tickets.call('ticketing_query_tickets', {
          query: { limit, ...(cursor === '' ? {} : { cursor }) },
        });
        seen.push(...page.result.map(({ id }) => id));
        cursor = page.cursor;
      } while (cursor !== '');
      expect(seen.map(Number).sort((a, b) => a - b)).toEqual(
        wanted.map(({ number }) => number).sort((a, b) => a - b),
      );
    }
    const pull = all.find((one) => one.pull_request !== undefined);
    const problem = await tickets.refuse('ticketing_get_ticket', 404, {
      path: { ticketId: String(pull?.number) },
    });
    expect(problem.message).toContain('is a pull request of GitHub, no issue');
  });

  it('follows the header Link, and asks for no page that nobody needs', async () => {
    await github.seed(250);
    const { result } = await tickets.call('ticketing_query_tickets', {
      query: { limit: 100, filter: ['summary[like]seeded'] },
    });
    expect(result).toHaveLength(100);
    const asked = await lists();
    expect(asked.map(({ query }) => query['page']?.[0] ?? '1')).toEqual(['1', '2']);
  });

  it('lets GitHub filter and order what it can', async () => {
    await tickets.call('ticketing_query_tickets', {
      query: {
        filter: ['status[eq]open', 'tags[eq]bug', 'updated_at[gte]2026-01-02T03:04:05Z'],
        order: ['updated_at[desc]'],
      },
    });
    const [list] = await lists();
    expect(list?.query).toMatchObject({
      state: ['open'],
      labels: ['bug'],
      since: ['2026-01-02T03:04:05Z'],
      sort: ['updated'],
      direction: ['desc'],
    });
  });

  it('closes what is created closed, and what is patched', async () => {
    const make = async (status?: string) =>
      (
        await tickets.call('ticketing_create_ticket', {
          body: { name: 'Over', summary: 'Over', ...(status === undefined ? {} : { status }) },
        })
      ).result;
    expect((await make('closed')).status).toBe('closed');
    const { id, status } = await make();
    expect(status).toBe('open');
    await tickets.call('ticketing_patch_ticket', {
      path: { ticketId: id },
      body: [{ op: 'replace', path: '/status', value: 'closed' }] as never,
    });
    expect((await issues()).find(({ number }) => String(number) === id)?.state).toBe('closed');
  });

  it('answers 404 for a deleted issue, and follows one that has moved', async () => {
    const newest = Math.max(...(await issues()).map(({ number }) => number));
    const read = (number: number) =>
      tickets.send('ticketing_get_ticket', { path: { ticketId: String(number) } });
    const answers = [await read(newest + 1), await read(newest + 2)];
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  });

  it('reports disabled issues of a repository and missing permissions', async () => {
    const wiki = await integrate('octo-org/wiki');
    const disabled = await wiki.refuse('ticketing_create_ticket', 501, {
      body: { name: 'x', summary: 'x' },
    });
    expect(disabled.message).toContain('Issues');
    const reader = await integrate('octo-org/desk', 'reader-token');
    const problem = await reader.refuse('ticketing_create_ticket', 502, {
      body: { name: 'x', summary: 'x' },
    });
    expect(problem.remediation).toBe('Grant the permission "Issues: write" at the provider.');
  });
});
