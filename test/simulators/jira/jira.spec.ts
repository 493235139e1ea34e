import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningSimulator, startSimulator } from '#test/harness';

interface Issue {
  id: string;
  key: string;
  fields: Record<string, unknown>;
}
interface Page {
  issues: Issue[];
  isLast: boolean;
  nextPageToken?: string;
}

const document = (text: string) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
});

describe('the simulator of Jira Cloud', () => {
  let jira: RunningSimulator;
  beforeAll(async () => {
    jira = await startSimulator('jira');
  });
  beforeEach(() => jira.reset());
  afterAll(() => jira.stop());

  const as = (user: string) => async (method: string, path: string, body?: unknown) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${jira.url}/rest/api/3/${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(user).toString('base64')}`,
        ...(isForm ? { 'x-atlassian-token': 'no-check' } : { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as never, response };
  };
  const ask = as('agent@example.com:agent-token');
  const create = async (fields: object): Promise<Issue> => {
    const required = { project: { key: 'OPS' }, issuetype: { name: 'Task' }, summary: 'Disk full' };
    const made = await ask('POST', 'issue', { fields: { ...required, ...fields } });
    expect(made.status).toBe(201);
    return made.body;
  };
  const find = async (jql: string): Promise<string[]> => {
    const { body } = await ask('POST', 'search/jql', { jql, fields: ['summary'], maxResults: 100 });
    return (body as Page).issues.map(({ key }) => key);
  };

  it('creates, reads, changes and deletes issues within its own description', async () => {
    const { key } = await create({
      description: document('It is full'),
      priority: { name: 'High' },
      labels: ['disk'],
      duedate: '2026-12-01',
      customfield_10010: { value: 'Major' },
      customfield_10012: 2.5,
    });
    const read = await ask('GET', `issue/${key}`);
    expect((read.body as Issue).fields).toMatchObject({
      summary: 'Disk full',
      description: document('It is full'),
      priority: { name: 'High' },
      status: { name: 'To Do' },
      customfield_10010: { value: 'Major' },
      created: expect.stringMatching(/\.\d{3}\+0000$/),
    });
    const change = { fields: { summary: 'Disk fuller' }, update: { labels: [{ add: 'urgent' }] } };
    expect((await ask('PUT', `issue/${key}`, change)).status).toBe(204);
    const changed = await ask('GET', `issue/${key}?fields=summary,labels`);
    expect((changed.body as Issue).fields).toEqual({
      summary: 'Disk fuller',
      labels: ['disk', 'urgent'],
    });
    expect((await ask('DELETE', `issue/${key}`)).status).toBe(204);
    expect((await ask('GET', `issue/${key}`)).status).toBe(404);
    expect(await jira.violations()).toEqual([]);
  });

  it('names every field that is wrong and changes nothing', async () => {
    const { key } = await create({});
    const { status, body } = await ask('PUT', `issue/${key}`, {
      fields: { summary: '', description: 'plain text', status: { name: 'Done' }, labels: ['a b'] },
    });
    expect(status).toBe(400);
    expect(Object.keys((body as { errors: object }).errors).sort()).toEqual([
      'description',
      'labels',
      'status',
      'summary',
    ]);
    expect(await find(`key = ${key} AND summary ~ full`)).toEqual([key]);
  });

  it('changes the status by transitions only, and only by those there are', async () => {
    const { key } = await create({});
    const move = (id: string) => ask('POST', `issue/${key}/transitions`, { transition: { id } });
    expect((await move('31')).status).toBe(204);
    expect((await move('21')).status).toBe(400);
    const { body } = await ask('GET', `issue/${key}/transitions`);
    expect(
      (body as { transitions: { name: string }[] }).transitions.map(({ name }) => name),
    ).toEqual(['Reopen']);
    expect(await find(`statusCategory = Done AND resolution IS NOT EMPTY`)).toEqual([key]);
  });

  it('pages the search by a token that belongs to its query, each issue once', async () => {
    await jira.seed(30);
    const seen: string[] = [];
    let nextPageToken: string | undefined;
    do {
      const { body } = await ask('POST', 'search/jql', {
        jql: 'project in (OPS, WEB) ORDER BY created ASC',
        fields: ['key'],
        maxResults: 10,
        ...(nextPageToken && { nextPageToken }),
      });
      seen.push(...(body as Page).issues.map(({ key }) => key));
      ({ nextPageToken } = body);
      expect((body as Page).isLast).toBe(nextPageToken === undefined);
    } while (nextPageToken !== undefined);
    expect(seen).toHaveLength(42);
    expect(new Set(seen).size).toBe(42);
    const first = await ask('POST', 'search/jql', { jql: 'project = OPS', maxResults: 1 });
    const other = { jql: 'project = WEB', nextPageToken: (first.body as Page).nextPageToken };
    expect((await ask('POST', 'search/jql', other)).status).toBe(400);
    expect((first.body as Page).issues).toEqual([{ id: expect.any(String) }]);
  });

  it('searches as Jira does', async () => {
    const mia = { accountId: '5b10a2844c20165700ede21g' };
    const one = await create({ summary: 'Printer on fire', priority: { name: 'Highest' } });
    const two = await create({
      summary: 'Printer out of paper',
      assignee: mia,
      duedate: '2026-12-01',
    });
    const mine = 'summary ~ printer AND';
    expect(await find('summary ~ "print*" ORDER BY key')).toEqual([one.key, two.key]);
    expect(await find(`${mine} priority > Medium`)).toEqual([one.key]);
    expect(await find(`${mine} assignee IS EMPTY`)).toEqual([one.key]);
    expect(await find(`${mine} assignee != currentUser()`)).toEqual([two.key]);
    expect(await find(`${mine} (due >= "2026-11-30" OR priority = 1) ORDER BY due`)).toEqual([
      two.key,
      one.key,
    ]);
    expect(await find(`${mine} created > -5m AND NOT key = ${one.key}`)).toEqual([two.key]);
    expect(await find(`${mine} created > "2099/01/01 10:00"`)).toEqual([]);
    expect(await find(`created < -1h AND cf[10011] ~ "1" AND project = WEB`)).toEqual([]);
  });

  it.each([
    ['', /Unbounded/],
    ['ORDER BY created', /Unbounded/],
    ['colour = red', /Field 'colour' does not exist/],
    ['project = NOPE', /'NOPE' does not exist for the field 'project'/],
    ['summary = "Disk full"', /'=' is not supported by the 'summary' field/],
    ['status > Done', /'>' is not supported/],
    ['updated > yesterday', /Date value 'yesterday'/],
    ['project = OPS AND', /end of the query/],
    ['project = OPS)', /'\)'/],
  ])('refuses the query %j', async (jql, message) => {
    const { status, body } = await ask('POST', 'search/jql', { jql });
    expect(status).toBe(400);
    expect((body as { errorMessages: string[] }).errorMessages.join()).toMatch(message);
  });

  it('has comments in pages', async () => {
    const { key } = await create({});
    expect((await ask('POST', `issue/${key}/comment`, { body: 'plain' })).status).toBe(400);
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      const { body } = await ask('POST', `issue/${key}/comment`, { body: document(text) });
      ids.push((body as { id: string }).id);
    }
    await ask('PUT', `issue/${key}/comment/${ids[1]}`, { body: document('second') });
    expect((await ask('DELETE', `issue/${key}/comment/${ids[0]}`)).status).toBe(204);
    const { body } = await ask('GET', `issue/${key}/comment?startAt=0&maxResults=1`);
    expect(body).toMatchObject({ total: 2, comments: [{ body: document('second') }] });
  });

  it('keeps attachments and hands them out at another address', async () => {
    const { key } = await create({});
    const form = new FormData();
    form.append('file', new Blob(['some bytes'], { type: 'text/plain' }), 'a.txt');
    const { body } = await ask('POST', `issue/${key}/attachments`, form);
    const [attachment] = body as { id: string; size: number; filename: string }[];
    expect(attachment).toMatchObject({ filename: 'a.txt', size: 10, mimeType: 'text/plain' });
    const { response, body: content } = await ask('GET', `attachment/content/${attachment?.id}`);
    expect(new URL(response.url).pathname).toBe('/file/binary');
    expect(content).toBe('some bytes');
    expect((await ask('GET', `attachment/${attachment?.id}`)).body).toMatchObject({ size: 10 });
    expect((await ask('DELETE', `attachment/${attachment?.id}`)).status).toBe(204);
    expect((await ask('GET', `attachment/content/${attachment?.id}`)).status).toBe(404);
    expect(await jira.violations()).toEqual([]);
  });

  it('describes projects, fields, people and what an issue may have', async () => {
    for (const path of [
      'myself',
      'project/search?query=op',
      'field',
      'issuetype',
      'priority',
      'priority/search',
      'status',
      'user/search?query=mia',
      'issue/createmeta/OPS/issuetypes?maxResults=1',
      'issue/createmeta/OPS/issuetypes/10002',
      'issue/OPS-1?expand=names,schema,transitions',
      'search/jql?jql=project%20%3D%20OPS&fields=*all',
    ])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 200]);
    expect((await ask('POST', 'search/approximate-count', { jql: 'project = OPS' })).body).toEqual({
      count: 8,
    });
    expect(await jira.violations()).toEqual([]);
  });

  it('lets nobody in without a token, and readers only read', async () => {
    const nobody = await as('agent@example.com:wrong')('GET', 'myself');
    expect([nobody.status, nobody.body]).toEqual([401, expect.stringContaining('authenticated')]);
    const reader = as('reader@example.com:reader-token');
    expect((await reader('GET', 'issue/OPS-1')).status).toBe(200);
    expect((await reader('PUT', 'issue/OPS-1', { fields: { summary: 'x' } })).status).toBe(403);
  });

  it('limits with the headers of Jira', async () => {
    await jira.fault({ kind: 'rate_limit', seconds: 2 });
    const { status, response } = await ask('GET', 'myself');
    expect(status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(Date.parse(response.headers.get('x-ratelimit-reset') ?? '')).not.toBeNaN();
  });
});
