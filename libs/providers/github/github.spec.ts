import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverFake } from '#test/harness';
import { description, undescribed } from './description.fixture.js';

interface Issue {
  number: number;
  state: string;
  pull_request?: object;
}

const list = 'ticketing_query_tickets';
const repository = '/repos/alderpoint/desk';

/** Tests specific to GitHub; test/e2e/ticketing-system-walk.ts tests behavior that all ticketing systems share. */
describe('the provider of GitHub Issues', () => {
  const connect = (name = 'desk', principal = 'admin') =>
    new OverFake(new URL('./', import.meta.url), 'ticketing_github', {
      description,
      undescribed,
      principal,
      config: { repository: `alderpoint/${name}`, url: 'https://api.github.com' },
    });
  const github = connect();

  beforeAll(() => loadValidators());
  beforeEach(() => github.reset());

  /** Calls GitHub as a user would. */
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const [admin] = github.fake.credentials();
    const response = await github.fake.handle({
      method,
      url: `https://api.github.com${repository}/${path}`,
      headers: { authorization: `Bearer ${admin?.secret}`, 'content-type': 'application/json' },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    });
    expect(response.status).toBeLessThan(300);
    return JSON.parse(Buffer.from(response.body).toString());
  };
  const issues = async () => (await ask('GET', 'issues?state=all&per_page=100')) as Issue[];
  const lists = () => github.requests().filter(({ path }) => path === `${repository}/issues`);
  const create = async (more: Record<string, unknown> = {}) => {
    const body = { name: 'Over', summary: 'Over', ...more };
    return (await github.succeed('ticketing_create_ticket', { body }))['result'] as Json;
  };

  it('skips pull requests, which GitHub lists among the issues, over pages of any size', async () => {
    const all = await issues();
    const wanted = all.filter(({ pull_request: pull }) => pull === undefined);
    expect(wanted.length).toBeLessThan(all.length);
    const numbers = wanted.map(({ number }) => number).sort((a, b) => a - b);
    for (const limit of [1, 3, 100]) {
      const seen = (await github.pages(list, { limit })).flat();
      expect(seen.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(numbers);
    }
    const pull = all.find((one) => one.pull_request !== undefined);
    const problem = await github.refuse('ticketing_get_ticket', 404, {
      path: { ticketId: String(pull?.number) },
    });
    expect(problem['message']).toContain('is a pull request of GitHub, no issue');
  });

  it('follows the header Link, and asks for no page that nobody needs', async () => {
    for (let made = 0; made < 210; made += 1)
      await ask('POST', 'issues', { title: `Seeded issue ${made}` });
    github.fake.log.clear();
    const query = { limit: 100, filter: ['summary[like]seeded'] };
    const { result } = await github.succeed(list, { query });
    expect(result).toHaveLength(100);
    expect(lists().map((one) => one.query['page'] ?? '1')).toEqual(['1', '2']);
  });

  it('lets GitHub filter and order what it can', async () => {
    await github.succeed(list, {
      query: {
        filter: ['status[eq]open', 'tags[eq]bug', 'updated_at[gte]2026-01-02T03:04:05Z'],
        order: ['updated_at[desc]'],
      },
    });
    expect(lists()[0]?.query).toMatchObject({
      state: 'open',
      labels: 'bug',
      since: '2026-01-02T03:04:05Z',
      sort: 'updated',
      direction: 'desc',
    });
  });

  it('closes what is created closed, and what is patched', async () => {
    expect((await create({ status: 'closed' }))['status']).toBe('closed');
    const { id, status } = await create();
    expect(status).toBe('open');
    await github.succeed('ticketing_patch_ticket', {
      path: { ticketId: id as string },
      body: [{ op: 'replace', path: '/status', value: 'closed' }],
    });
    expect((await issues()).find(({ number }) => String(number) === id)?.state).toBe('closed');
  });

  it('says what GitHub has left out of a new issue without a word', async () => {
    const body = { name: 'x', summary: 'x', issue_type: 'No such type' };
    const { messages } = await github.succeed('ticketing_create_ticket', { body });
    expect(messages).toMatchObject({
      problems: [{ instance: 'value-not-kept', message: expect.stringContaining('issue_type') }],
    });
  });

  it('answers 404 for a deleted issue, and follows one that has moved', async () => {
    const read = (ticketId: string) =>
      github.answerTo('ticketing_get_ticket', { path: { ticketId } });
    const answers = [await read('4151'), await read('4152')];
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  });

  it('reports disabled issues of a repository and missing permissions', async () => {
    const body = { name: 'x', summary: 'x' };
    const disabled = await connect('handbook').refuse('ticketing_create_ticket', 501, { body });
    expect(disabled['message']).toContain('Issues');
    const reader = connect('desk', 'reader');
    const problem = await reader.refuse('ticketing_create_ticket', 502, { body });
    expect(problem['remediation']).toBe('Grant the permission "Issues: write" at the provider.');
  });
});
