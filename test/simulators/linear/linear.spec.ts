import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningSimulator, startSimulator } from '#test/harness';

interface Reply {
  status: number;
  headers: Headers;
  body: {
    data?: Record<string, never>;
    errors?: { message: string; extensions: { code: string; userPresentableMessage: string } }[];
    simulator_violation?: { faults: string[] };
  };
}

interface Issues {
  nodes: { id: string; identifier: string; title: string }[];
  pageInfo: {
    hasNextPage: boolean;
    endCursor: string;
    hasPreviousPage: boolean;
    startCursor: string;
  };
}

describe('the simulator of Linear', () => {
  let linear: RunningSimulator;
  beforeAll(async () => {
    linear = await startSimulator('linear');
  });
  beforeEach(() => linear.reset());
  afterAll(() => linear.stop());

  const as =
    (authorization: string) =>
    async (query: string, variables: object = {}) => {
      const response = await fetch(`${linear.url}/graphql`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      const body = (await response.json()) as Reply['body'];
      return { status: response.status, headers: response.headers, body } satisfies Reply;
    };
  const ask = as('agent-token');
  const data = async <T>(query: string, variables: object = {}): Promise<T> => {
    const { status, body } = await ask(query, variables);
    expect([status, body.errors, body.simulator_violation]).toEqual([200, undefined, undefined]);
    return body.data as T;
  };
  const create = async (input: object) => {
    const teams = await data<{ teams: { nodes: { id: string }[] } }>(
      '{ teams(filter: {key: {eq: "ENG"}}) { nodes { id } } }',
    );
    const made = await data<{ issueCreate: { issue: { id: string; identifier: string } } }>(
      'mutation($input: IssueCreateInput!) { issueCreate(input: $input) { issue { id identifier } } }',
      { input: { teamId: teams.teams.nodes[0]?.id, title: 'Disk full', ...input } },
    );
    return made.issueCreate.issue;
  };
  const find = async (filter: object) => {
    const { issues } = await data<{ issues: Issues }>(
      'query($filter: IssueFilter) { issues(filter: $filter, first: 100) { nodes { identifier } } }',
      { filter },
    );
    return issues.nodes.map(({ identifier }) => identifier);
  };

  it('creates, changes and reads issues', async () => {
    const { id, identifier } = await create({
      description: '# Full',
      priority: 2,
      dueDate: '2026-12-01',
    });
    const { workflowStates } = await data<{ workflowStates: { nodes: { id: string }[] } }>(
      '{ workflowStates(filter: {name: {eqIgnoreCase: "done"}, team: {key: {eq: "OPS"}}}) { nodes { id } } }',
    );
    const move =
      'mutation($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success } }';
    const wrong = await ask(move, { id, input: { stateId: workflowStates.nodes[0]?.id } });
    expect(wrong.body.errors?.[0]?.message).toContain('team');
    await data(move, { id, input: { title: 'Disk fuller', priority: 1 } });
    const { issue } = await data<{ issue: unknown }>(
      'query($id: String!) { issue(id: $id) { title description priorityLabel dueDate state { name type } completedAt creator { email } } }',
      { id: identifier },
    );
    expect(issue).toEqual({
      title: 'Disk fuller',
      description: '# Full',
      priorityLabel: 'Urgent',
      dueDate: '2026-12-01',
      state: { name: 'Backlog', type: 'backlog' },
      completedAt: null,
      creator: { email: 'ana@example.com' },
    });
    expect(await linear.violations()).toEqual([]);
  });

  it('pages forwards from the newest and backwards from the oldest, each issue once', async () => {
    await linear.seed(30);
    const query = `query($first: Int, $after: String, $last: Int, $before: String) {
      issues(first: $first, after: $after, last: $last, before: $before) {
        nodes { id identifier title }
        pageInfo { hasNextPage endCursor hasPreviousPage startCursor }
      }
    }`;
    const forwards: string[] = [];
    for (let after: string | undefined; ;) {
      const { issues } = await data<{ issues: Issues }>(query, { first: 10, after });
      forwards.push(...issues.nodes.map(({ id }) => id));
      if (!issues.pageInfo.hasNextPage) break;
      after = issues.pageInfo.endCursor;
    }
    const backwards: string[] = [];
    for (let before: string | undefined; ;) {
      const { issues } = await data<{ issues: Issues }>(query, { last: 10, before });
      backwards.push(...issues.nodes.map(({ id }) => id).reverse());
      if (!issues.pageInfo.hasPreviousPage) break;
      before = issues.pageInfo.startCursor;
    }
    expect(forwards).toHaveLength(42);
    expect(new Set(forwards).size).toBe(42);
    expect(backwards).toEqual([...forwards].reverse());
    expect((await ask(query, { first: 251 })).body.errors?.[0]?.extensions.code).toBe(
      'INPUT_ERROR',
    );
  });

  it('filters by comparators, nested ones and lists', async () => {
    const { issueLabels, users } = await data<
      Record<string, { nodes: { id: string; name: string }[] }>
    >('{ issueLabels { nodes { id name } } users { nodes { id name } } }');
    const bug = issueLabels?.nodes.find(({ name }) => name === 'bug')?.id;
    const mia = users?.nodes.find(({ name }) => name === 'Mia Member')?.id;
    const one = await create({ title: 'Printer on fire', labelIds: [bug], priority: 1 });
    const two = await create({ title: 'Printer jammed', assigneeId: mia, dueDate: '2026-12-01' });
    const printers = { title: { startsWith: 'Printer' } };
    expect(await find(printers)).toEqual([two.identifier, one.identifier]);
    expect(await find({ ...printers, labels: { name: { eq: 'bug' } } })).toEqual([one.identifier]);
    expect(await find({ ...printers, labels: { length: { eq: 0 } } })).toEqual([two.identifier]);
    expect(await find({ ...printers, assignee: { null: true } })).toEqual([one.identifier]);
    expect(await find({ ...printers, assignee: { email: { eq: 'mia@example.com' } } })).toEqual([
      two.identifier,
    ]);
    expect(await find({ ...printers, dueDate: { gt: '2026-11-30' } })).toEqual([two.identifier]);
    expect(await find({ or: [{ id: { eq: one.id } }, { id: { in: [two.id] } }] })).toHaveLength(2);
    expect(await find({ ...printers, createdAt: { lt: '-P1D' } })).toEqual([]);
    expect(await find({ state: { type: { nin: ['backlog'] } } })).toEqual([]);
    expect(await linear.violations()).toEqual([]);
  });

  it('has comments, labels and attachments that are addresses', async () => {
    const { id } = await create({});
    const { commentCreate } = await data<{ commentCreate: { comment: { id: string } } }>(
      'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { comment { id user { name } } } }',
      { input: { issueId: id, body: 'hello' } },
    );
    await data(
      'mutation($id: String!) { commentDelete(id: $id) { success entityId } }',
      commentCreate.comment,
    );
    await data('mutation { issueLabelCreate(input: {name: "new"}) { issueLabel { id name } } }');
    const { fileUpload } = await data<{
      fileUpload: { uploadFile: { uploadUrl: string; assetUrl: string } };
    }>(
      'mutation { fileUpload(contentType: "text/plain", filename: "a.txt", size: 5) { uploadFile { uploadUrl assetUrl headers { key value } } } }',
    );
    const { uploadUrl, assetUrl } = fileUpload.uploadFile;
    const put = (authorization: Record<string, string>) =>
      fetch(uploadUrl, {
        method: 'PUT',
        body: 'bytes',
        headers: { 'content-type': 'text/plain', ...authorization },
      });
    expect((await put({ authorization: 'agent-token' })).status).toBe(403);
    expect((await put({})).status).toBe(200);
    expect((await fetch(assetUrl)).status).toBe(401);
    expect(
      await (await fetch(assetUrl, { headers: { authorization: 'agent-token' } })).text(),
    ).toBe('bytes');
    await data(
      'mutation($input: AttachmentCreateInput!) { attachmentCreate(input: $input) { attachment { id } } }',
      { input: { issueId: id, title: 'a.txt', url: assetUrl } },
    );
    const { issue } = await data<{ issue: unknown }>(
      'query($id: String!) { issue(id: $id) { comments { nodes { id } } attachments { nodes { title url creator { name } } } } }',
      { id },
    );
    expect(issue).toMatchObject({
      comments: { nodes: [] },
      attachments: { nodes: [{ title: 'a.txt', url: assetUrl, creator: { name: 'Ana Agent' } }] },
    });
    expect(await linear.violations()).toEqual([]);
  });

  it.each([
    ['{ issues { nodes { colour } } }', {}, /Cannot query field "colour"/],
    ['{ issues { nodes', {}, /Syntax Error/],
    ['query($n: Int!) { issues(first: $n) { nodes { id } } }', { n: 'many' }, /Variable "\$n"/],
    ['mutation { issueCreate(input: {title: "no team"}) { success } }', {}, /teamId/],
    ['{ issues(sort: []) { nodes { id } } }', {}, /Unknown argument "sort"/],
  ])('records what the schema does not have: %s', async (query, variables, message) => {
    const { status, body } = await ask(query, variables);
    expect(status).toBe(400);
    expect(body.simulator_violation?.faults.join()).toMatch(message);
    expect(await linear.violations()).toHaveLength(1);
  });

  it('refuses queries that are too expensive', async () => {
    const query = '{ issues(first: 250) { nodes { id comments { nodes { id body } } } } }';
    const { status, body } = await ask(query);
    expect([status, body.errors?.[0]?.message]).toEqual([400, 'Query too complex']);
    const cheap =
      '{ issues(first: 100) { nodes { id comments(first: 5) { nodes { id body } } } } }';
    expect((await ask(cheap)).status).toBe(200);
  });

  it('says what is wrong in the shapes of Linear', async () => {
    const missing = await ask('{ issue(id: "ENG-999") { id } }');
    expect(missing.body).toMatchObject({
      data: null,
      errors: [
        {
          message: 'Entity not found: Issue',
          extensions: { code: 'INPUT_ERROR', type: 'invalid input', statusCode: 400 },
        },
      ],
    });
    const nobody = await as('wrong')('{ viewer { id } }');
    expect([nobody.status, nobody.body.errors?.[0]?.extensions.code]).toEqual([
      401,
      'AUTHENTICATION_ERROR',
    ]);
    expect((await as('Bearer agent-token')('{ viewer { id } }')).body.errors?.[0]?.message).toMatch(
      /Bearer prefix/,
    );
    const reader = await as('reader-token')('mutation { commentDelete(id: "x") { success } }');
    expect(reader.body.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    await linear.fault({ kind: 'rate_limit', seconds: 5, match: 'viewer' });
    const limited = await ask('{ viewer { id } }');
    expect([limited.status, limited.body.errors?.[0]?.extensions.code]).toEqual([
      400,
      'RATELIMITED',
    ]);
    const reset = Number(limited.headers.get('x-ratelimit-requests-reset')) - Date.now();
    expect(reset).toBeGreaterThan(3_000);
    expect(reset).toBeLessThanOrEqual(5_000);
  });
});
