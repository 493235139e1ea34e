import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OverSystem, Receiver } from '#test/harness';

type Json = Record<string, unknown>;

const person = (id: string) => ({
  accountId: id,
  displayName: `Person ${id}`,
  emailAddress: `${id}@acme.example`,
});
const text = (words: string) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
});

describe('what Jira says beyond the fields of the contract', () => {
  let receiver: Receiver;
  let jira: OverSystem;
  let answers: Record<string, { body: unknown; status?: number; headers?: Record<string, string> }>;

  beforeAll(async () => {
    receiver = await Receiver.start();
    jira = new OverSystem(new URL('./', import.meta.url), 'ticketing_jira', {
      url: receiver.url.replace(/\/$/, ''),
      credential: { type: 'basic', username: 'agent@example.com', secret: 'agent-token' },
    });
  });
  beforeEach(() => {
    answers = {};
    receiver.answer = ({ path }, response) => {
      const found = Object.entries(answers).find(([part]) =>
        path.startsWith(`/rest/api/3/${part}`),
      );
      const { body, status = 200, headers = {} } = found?.[1] ?? { body: {}, status: 404 };
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
  });
  afterAll(async () => {
    await jira.close();
    await receiver.stop();
  });

  const read = async (fields: Json) => {
    const times = {
      created: '2026-02-03T04:05:06.000+0000',
      updated: '2026-02-03T04:05:06.000+0000',
    };
    answers['issue/'] = {
      body: { id: '10007', key: 'OPS-7', expand: 'names', fields: { ...times, ...fields } },
    };
    const { result } = await jira.succeed('ticketing_get_ticket', { path: { ticketId: 'OPS-7' } });
    return result as Json;
  };

  it('keeps the names of people, the project, the type and the category of the status', async () => {
    const ticket = await read({
      summary: 'Disk full',
      status: { name: 'Waiting', statusCategory: { key: 'indeterminate' } },
      priority: { name: 'Blocker', id: '1' },
      reporter: person('r'),
      assignee: person('a'),
      project: { id: '10000', key: 'OPS', name: 'Operations' },
      issuetype: { name: 'Bug', id: '10004', hierarchyLevel: 0 },
      parent: { key: 'OPS-1', fields: { summary: 'Storage' } },
    });
    expect(ticket).toMatchObject({ creator: 'r', assignee: 'a', priority: 'URGENT' });
    expect(ticket['unmapped']).toEqual({
      id: '10007',
      expand: 'names',
      status: { statusCategory: { key: 'indeterminate' } },
      priority: { id: '1' },
      reporter: { displayName: 'Person r', emailAddress: 'r@acme.example' },
      assignee: { displayName: 'Person a', emailAddress: 'a@acme.example' },
      project: { id: '10000', name: 'Operations' },
      issuetype: { id: '10004', hierarchyLevel: 0 },
      parent: { fields: { summary: 'Storage' } },
    });
  });

  it('calls an issue without a summary by its key', async () => {
    expect(await read({})).toMatchObject({ name: 'OPS-7', summary: 'OPS-7' });
  });

  it('keeps what Jira says of a file, also one whose time is a number', async () => {
    const file = { filename: 'df.txt', author: person('r'), content: 'https://acme.example/f/1' };
    const attachment = [
      { ...file, id: '1', size: 3, created: 1770091506000 },
      { ...file, id: 2, created: '2026-02-03T05:05:06.000+0100', mimeType: 'text/plain' },
    ];
    const kept = {
      content: 'https://acme.example/f/1',
      author: { displayName: 'Person r', emailAddress: 'r@acme.example' },
    };
    const expected = [
      { id: '1', created_date: '2026-02-03T04:05:06.000Z', creator: 'r', unmapped: kept },
      { id: '2', created_date: '2026-02-03T05:05:06.000+01:00', creator: 'r', unmapped: kept },
    ];
    expect((await read({ attachment }))['attachments']).toMatchObject(expected);
    const path = { ticketId: 'OPS-7' };
    const { result } = await jira.succeed('ticketing_list_attachments_metadata', { path });
    expect(result).toMatchObject(expected);
  });

  it('tells the comments that customers of Jira Service Management do not see from the others', async () => {
    const comment = (id: string, jsdPublic: boolean) => ({
      id,
      jsdPublic,
      author: person('r'),
      body: text('Checked.'),
      created: '2026-02-03T04:05:06.000+0000',
    });
    answers['issue/OPS-7/comment'] = {
      body: { comments: [comment('1', true), comment('2', false)], total: 2 },
    };
    const path = { ticketId: 'OPS-7' };
    const { result } = await jira.succeed('ticketing_list_comments', { path });
    expect((result as Json[]).map(({ unmapped }) => unmapped)).toMatchObject([
      { jsdPublic: true },
      { jsdPublic: false },
    ]);
  });

  it('does not take an expired token for a user who sees nothing', async () => {
    answers['project/search'] = {
      body: { values: [], total: 0 },
      headers: { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' },
    };
    const { message } = await jira.refuse('ticketing_list_projects', 502);
    expect(message).toContain('Jira does not know the API token of the user');
  });

  it('lists the fields where their values are refused, and reads all pages of the priorities', async () => {
    answers['field'] = {
      body: [
        { id: 'priority', name: 'Priority', custom: false, schema: { type: 'priority' } },
        {
          id: 'customfield_10050',
          name: 'Shift',
          custom: true,
          schema: { type: 'option' },
          scope: { type: 'PROJECT', project: { id: '10003' } },
        },
      ],
    };
    const names = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `P${at}` }));
    answers['priority/search?startAt=50'] = { body: { values: names(1), total: 51 } };
    answers['priority/search'] = { body: { values: names(50), total: 51 } };
    const { body } = await jira.call('ticketing_list_remote_fields', {});
    const [priority, shift] = body['result'] as { schema: { enum_values: string[] } }[];
    expect(priority?.schema.enum_values).toHaveLength(51);
    expect(shift).toMatchObject({ field_scope: 'project_custom', project_id: '10003' });
    expect(JSON.stringify(body['messages'])).toContain('issuetype');
  });
});
