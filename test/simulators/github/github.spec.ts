import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningSimulator, startSimulator } from '#test/harness';

interface Issue {
  number: number;
  title: string;
  pull_request?: object;
}

describe('the simulator of GitHub', () => {
  let github: RunningSimulator;
  beforeAll(async () => {
    github = await startSimulator('github');
  });
  beforeEach(() => github.reset());
  afterAll(() => github.stop());

  const as = (token: string) => async (method: string, path: string, body?: unknown) => {
    const response = await fetch(path.startsWith('http') ? path : `${github.url}/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, body: parsed as never, headers: response.headers };
  };
  const ask = as('agent-token');
  const issues = 'repos/octo-org/desk/issues';

  it('creates, reads, changes and closes issues within its own description', async () => {
    const made = await ask('POST', issues, {
      title: 'Disk full',
      body: 'It is full',
      labels: ['disk'],
      assignees: ['mia-member'],
    });
    expect(made.status).toBe(201);
    const { number } = made.body as Issue;
    expect(made.headers.get('location')).toMatch(new RegExp(`/issues/${number}$`));
    expect(made.body).toMatchObject({
      state: 'open',
      labels: [{ name: 'disk' }],
      assignee: { login: 'mia-member' },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    const closed = await ask('PATCH', `${issues}/${number}`, { state: 'closed', labels: [] });
    expect(closed.body).toMatchObject({ state: 'closed', state_reason: 'completed', labels: [] });
    const opened = await ask('PATCH', `${issues}/${number}`, { state: 'open', assignees: [] });
    expect(opened.body).toMatchObject({
      state_reason: 'reopened',
      closed_at: null,
      assignee: null,
    });
    expect((await ask('GET', `${issues}/${number}`)).body).toEqual(opened.body);
    expect(await github.violations()).toEqual([]);
  });

  it('lists in pages that its Link header leads through, pull requests among the issues', async () => {
    await github.seed(100);
    const seen: Issue[] = [];
    let next: string | undefined = `${issues}?state=all&per_page=50&sort=created&direction=asc`;
    while (next !== undefined) {
      const { body, headers }: Awaited<ReturnType<typeof ask>> = await ask('GET', next);
      seen.push(...(body as Issue[]));
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(new Set(seen.map(({ number }) => number)).size).toBe(seen.length);
    expect(seen.filter((issue) => issue.pull_request === undefined)).toHaveLength(112);
    expect(seen.filter((issue) => issue.pull_request !== undefined)).toHaveLength(28);
    const huge = await ask('GET', `${issues}?state=all&per_page=1000`);
    expect(huge.body).toHaveLength(100);
    expect(await github.violations()).toEqual([]);
  });

  it('filters by state, labels, assignee and time', async () => {
    const { body } = await ask('POST', issues, { title: 'Mine', labels: ['a', 'b'] });
    const { number } = body as Issue;
    const found = async (query: string) =>
      ((await ask('GET', `${issues}?${query}`)).body as Issue[]).map((issue) => issue.number);
    expect(await found('labels=a,b')).toEqual([number]);
    expect(await found('labels=a&assignee=*')).toEqual([]);
    expect(await found('since=2099-01-01T00:00:00Z')).toEqual([]);
    await ask('PATCH', `${issues}/${number}`, { state: 'closed' });
    expect(await found('labels=a')).toEqual([]);
    expect(await found('labels=a&state=closed')).toEqual([number]);
  });

  it('searches with qualifiers', async () => {
    await ask('POST', issues, { title: 'Printer on fire', labels: ['hot'] });
    const search = async (q: string) => ask('GET', `search/issues?q=${encodeURIComponent(q)}`);
    const { body } = await search('repo:octo-org/desk is:issue is:open label:hot printer');
    expect(body).toMatchObject({ total_count: 1, items: [{ title: 'Printer on fire' }] });
    expect((await search('repo:octo-org/desk is:issue -label:hot printer')).body).toMatchObject({
      total_count: 0,
    });
    expect((await search('printer')).status).toBe(422);
    expect(await github.violations()).toEqual([]);
  });

  it('has comments', async () => {
    const { body } = await ask('POST', `${issues}/1/comments`, { body: 'hello' });
    const { id } = body as { id: number };
    await ask('PATCH', `${issues}/comments/${id}`, { body: 'hello again' });
    expect((await ask('GET', `${issues}/1/comments`)).body).toMatchObject([
      { id, body: 'hello again', user: { login: 'ana-agent' } },
    ]);
    expect((await ask('DELETE', `${issues}/comments/${id}`)).status).toBe(204);
    expect((await ask('GET', `${issues}/comments/${id}`)).status).toBe(404);
    expect((await ask('POST', `${issues}/1/comments`, { body: ' ' })).status).toBe(422);
    expect(await github.violations()).toEqual([]);
  });

  it('refuses in the shapes of GitHub', async () => {
    const { status, body } = await ask('POST', issues, { title: '', assignees: ['nobody'] });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      message: 'Validation Failed',
      errors: [
        { resource: 'Issue', field: 'title', code: 'missing_field' },
        { resource: 'Issue', field: 'assignees', code: 'invalid', value: 'nobody' },
      ],
    });
    const numbers = ((await ask('GET', `${issues}?state=all&per_page=100`)).body as Issue[]).map(
      ({ number }) => number,
    );
    const last = Math.max(...numbers);
    expect((await ask('GET', `${issues}/${last + 1}`)).status).toBe(410);
    const moved = await ask('GET', `${issues}/${last + 2}`);
    expect(moved.status).toBe(301);
    expect((await ask('GET', moved.headers.get('location') ?? '')).status).toBe(200);
    expect((await ask('GET', `${issues}/${last + 3}`)).status).toBe(404);
    expect((await ask('POST', 'repos/octo-org/wiki/issues', { title: 'x' })).status).toBe(410);
    expect(await github.violations()).toEqual([]);
  });

  it('records a request that the description does not allow', async () => {
    expect((await ask('POST', issues, { body: 'no title' })).status).toBe(400);
    expect(await github.violations()).toMatchObject([
      { side: 'request', faults: ["body must have required property 'title'"] },
    ]);
  });

  it('lets in by token: none, one that reads, one that sees nothing', async () => {
    expect((await as('wrong')('GET', issues)).body).toMatchObject({ message: 'Bad credentials' });
    const reader = as('reader-token');
    const { body } = await reader('GET', 'repos/octo-org/desk');
    expect(body).toMatchObject({ permissions: { pull: true, push: false } });
    const refused = await reader('POST', issues, { title: 'x' });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('x-accepted-github-permissions')).toBe('issues=write');
    expect((await as('outsider-token')('GET', 'repos/octo-org/desk')).status).toBe(404);
    expect((await ask('GET', 'users/mia-member')).status).toBe(200);
    expect((await ask('GET', 'rate_limit')).status).toBe(200);
    expect((await ask('GET', 'user')).body).toMatchObject({ login: 'ana-agent' });
    expect((await ask('GET', 'repos/octo-org/desk/labels')).body).toMatchObject([
      { name: 'bug' },
      { name: 'question' },
    ]);
    expect((await ask('GET', 'repos/octo-org/desk/assignees?per_page=100')).body).toHaveLength(3);
    expect(await github.violations()).toEqual([]);
  });

  it('limits in both of its ways', async () => {
    await github.fault({ kind: 'rate_limit', seconds: 2 });
    const primary = await ask('GET', issues);
    expect([primary.status, primary.headers.get('x-ratelimit-remaining')]).toEqual([403, '0']);
    const resetsIn = Number(primary.headers.get('x-ratelimit-reset')) * 1_000 - Date.now();
    expect(resetsIn).toBeGreaterThan(0);
    expect(resetsIn).toBeLessThanOrEqual(3_000);
    await github.fault({ kind: 'rate_limit', seconds: 2, form: 'secondary' });
    const secondary = await ask('GET', issues);
    expect([secondary.status, secondary.headers.get('retry-after')]).toEqual([403, '2']);
  });
});
