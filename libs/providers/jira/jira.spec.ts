import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverFake } from '#test/harness';
import { description, undescribed } from './description.fixture.js';

type Node = Record<string, unknown>;
type Fields = Record<string, unknown>;

const text = (words: string, ...marks: string[]): Node => ({
  type: 'text',
  text: words,
  ...(marks.length === 0 ? {} : { marks: marks.map((type) => ({ type })) }),
});
const block = (type: string, content: Node[], attrs?: Node): Node => ({
  type,
  ...(attrs === undefined ? {} : { attrs }),
  content,
});
const paragraph = (...content: Node[]) => block('paragraph', content);
const items = (...words: string[]) =>
  words.map((word) => block('listItem', [paragraph(text(word))]));

/** One of each kind of block and mark. */
const rich = {
  type: 'doc',
  version: 1,
  content: [
    block('heading', [text('What happened')], { level: 2 }),
    paragraph(text('The disk '), text('is full', 'strong'), { type: 'hardBreak' }, text('again')),
    paragraph(
      { type: 'mention', attrs: { id: '5b10', text: '@Ana' } },
      text(' knows '),
      { type: 'emoji', attrs: { shortName: ':fire:', text: '🔥' } },
      { type: 'inlineCard', attrs: { url: 'https://acme.example/page' } },
    ),
    block('bulletList', items('one', 'two')),
    block('orderedList', items('first', 'second')),
    block('codeBlock', [text('rm -rf /var/log')], { language: 'sh' }),
    block('blockquote', [paragraph(text('said')), paragraph(text('twice'))]),
    block('panel', [paragraph(text('mind this'))], { panelType: 'info' }),
    block('table', [
      block('tableRow', [
        block('tableHeader', [paragraph(text('host'))]),
        block('tableCell', [paragraph(text('db-1'))]),
      ]),
    ]),
    { type: 'rule' },
  ],
};
const richText = `## What happened

The disk **is full**
again

@Ana knows 🔥https://acme.example/page

- one
- two

1. first
2. second

\`\`\`sh
rm -rf /var/log
\`\`\`

> said
>
> twice

mind this

| host | db-1 |
| --- | --- |

---`;

/** Tests specific to Jira; test/e2e/ticketing-system-walk.ts tests behavior that all ticketing systems share. */
describe('the provider of Jira Cloud', () => {
  const everywhere = (name: string, provider_field_path: string) => ({
    name,
    provider_field_path,
    project_id: '*',
  });
  const jira = new OverFake(new URL('./', import.meta.url), 'ticketing_jira', {
    description,
    undescribed,
    config: {
      url: 'https://alderpoint.atlassian.net',
      default_project: 'ITS',
      custom_field_mappings: [
        everywhere('severity', 'customfield_10010.value'),
        everywhere('host', 'fields.customfield_10011'),
        { name: 'effort', project_id: 'OPS', provider_field_path: 'customfield_10012' },
      ],
    },
    credential: ({ basic }) => ({
      type: 'basic',
      username: basic?.username,
      secret: basic?.password,
    }),
  });

  beforeAll(() => loadValidators());
  beforeEach(() => jira.reset());

  const read = async (ticketId: string) =>
    (await jira.succeed('ticketing_get_ticket', { path: { ticketId } }))['result'] as Json;
  const create = async (more: Record<string, unknown> = {}) => {
    const body = { name: 'Disk full', summary: 'Disk full', ...more };
    return (await jira.succeed('ticketing_create_ticket', { body }))['result'] as Json;
  };
  const patch = async (ticketId: string, ...body: object[]) =>
    (await jira.succeed('ticketing_patch_ticket', { path: { ticketId }, body }))['result'] as Json;
  /** Calls Jira as a user would. */
  const ask = async (method: string, path: string, body?: object) => {
    const [admin] = jira.fake.credentials();
    const { username, password } = admin?.basic ?? {};
    const response = await jira.fake.handle({
      method,
      url: `https://alderpoint.atlassian.net/rest/api/3/${path}`,
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    });
    expect(response.status).toBeLessThan(300);
    const answer = Buffer.from(response.body).toString();
    return (answer === '' ? {} : JSON.parse(answer)) as { fields: Fields };
  };

  it('writes texts as documents of Atlassian', async () => {
    const made = await create({ description: 'First line\nsecond line\n\nAnother paragraph.' });
    const { fields } = await ask('GET', `issue/${String(made['id'])}`);
    expect(fields['description']).toEqual({
      type: 'doc',
      version: 1,
      content: [
        paragraph(text('First line'), { type: 'hardBreak' }, text('second line')),
        paragraph(text('Another paragraph.')),
      ],
    });
    const { result: comment } = await jira.succeed('ticketing_create_comment', {
      path: { ticketId: made['id'] as string },
      body: { content: 'a\nb' },
    });
    expect((comment as Json)['content']).toBe('a\nb');
  });

  it('reads documents of Atlassian as Markdown, and keeps them if another field is patched', async () => {
    const id = (await create())['id'] as string;
    await ask('PUT', `issue/${id}`, { fields: { description: rich } });
    expect((await read(id))['description']).toBe(richText);
    await patch(id, { op: 'replace', path: '/summary', value: 'Another' });
    const { fields } = await ask('GET', `issue/${id}`);
    expect(fields).toMatchObject({ summary: 'Another', description: rich });
  });

  it('writes Markdown as nodes of Atlassian, and reads the same text back', async () => {
    const description = `# Plan

See [the runbook](https://wiki.example/42), and \`ls\` **twice**, *slowly*, ~~not today~~.

- one
  - two
- three

3. first
4. second

> Someone said
>
> - a
> - b

\`\`\`sh
df -h
\`\`\`

| host | full |
| --- | --- |
| db-1 | 95 % |

---

The address is https://db-1.example`;
    const made = await create({ description });
    expect(made['description']).toBe(description);
    const { fields } = await ask('GET', `issue/${String(made['id'])}`);
    const { content } = fields['description'] as { content: Node[] };
    expect(content.map(({ type }) => type)).toEqual([
      'heading',
      'paragraph',
      'bulletList',
      'orderedList',
      'blockquote',
      'codeBlock',
      'table',
      'rule',
      'paragraph',
    ]);
    expect(content[1]).toEqual(
      paragraph(
        text('See '),
        {
          ...text('the runbook'),
          marks: [{ type: 'link', attrs: { href: 'https://wiki.example/42' } }],
        },
        text(', and '),
        text('ls', 'code'),
        text(' '),
        text('twice', 'strong'),
        text(', '),
        text('slowly', 'em'),
        text(', '),
        text('not today', 'strike'),
        text('.'),
      ),
    );
  });

  it('writes as paragraphs what Jira does not take in lists and quotes', async () => {
    const made = await create({
      description:
        '- # Title\n- > quoted\n-\n\n> ## Title\n>\n> | a | b |\n> |---|---|\n\n![plan](https://x.example/p.png)',
    });
    expect(made['description']).toBe(
      '- Title\n- quoted\n- \n\n> Title\n>\n> a\n>\n> b\n\n[plan](https://x.example/p.png)',
    );
  });

  it('reads what people see of statuses, dates, files, cards and nodes that are not known', async () => {
    const id = (await create())['id'] as string;
    const content = [
      paragraph({ type: 'status', attrs: { text: 'BLOCKED', color: 'red' } }, text(' until '), {
        type: 'date',
        attrs: { timestamp: '1767225600000' },
      }),
      block(
        'mediaSingle',
        [{ type: 'media', attrs: { type: 'file', id: 'f', collection: '', alt: 'trace.png' } }],
        { layout: 'center' },
      ),
      { type: 'embedCard', attrs: { url: 'https://docs.example/7', layout: 'wide' } },
      block('expand', [paragraph(text('oom'))], { title: 'Logs' }),
      block(
        'decisionList',
        [block('decisionItem', [text('roll back')], { localId: 'd', state: 'DECIDED' })],
        { localId: 'd' },
      ),
      block('taskList', [block('taskItem', [text('call')], { localId: 't', state: 'DONE' })], {
        localId: 't',
      }),
    ];
    await ask('PUT', `issue/${id}`, {
      fields: { description: { type: 'doc', version: 1, content } },
    });
    expect((await read(id))['description']).toBe(`BLOCKED until 2026-01-01

[trace.png]

https://docs.example/7

**Logs**

oom

- roll back

- [x] call`);
  });

  it('reaches a status by a transition, and names the available ones if none leads to it', async () => {
    const done = await create({ status: 'Done' });
    const ticketId = done['id'] as string;
    expect(done['status']).toBe('Done');
    expect(done['completion_date']).toBeDefined();
    const problem = await jira.refuse('ticketing_patch_ticket', 400, {
      path: { ticketId },
      body: [{ op: 'replace', path: '/status', value: 'In Progress' }],
    });
    expect(problem['message']).toContain(
      'no transition leads from Done to the status In Progress; there are To Do',
    );
    const reopened = await patch(ticketId, { op: 'replace', path: '/status', value: 'To Do' });
    expect(reopened['status']).toBe('To Do');
    const moved = jira.fake.log.requests.filter(({ body }) => body.includes('"transition"'));
    expect(moved.map(({ body }) => JSON.parse(body) as object)).toEqual([
      { transition: { id: '31' } },
      { transition: { id: '11' } },
    ]);
  });

  it('has custom fields under names of ours, in the projects they are for', async () => {
    const custom_fields = { severity: 'Major', host: 'db-1', effort: 3 };
    const made = await create({ custom_fields });
    expect(made['custom_fields']).toEqual({ severity: 'Major', host: 'db-1' });
    const { fields } = await ask('GET', `issue/${String(made['id'])}`);
    expect(fields).toMatchObject({
      customfield_10010: { value: 'Major' },
      customfield_10011: 'db-1',
      customfield_10012: null,
    });
    const elsewhere = await create({ project: 'OPS', custom_fields });
    expect(elsewhere['custom_fields']).toEqual(custom_fields);
    const changed = await patch(
      made['id'] as string,
      { op: 'replace', path: '/custom_fields/severity', value: 'Minor' },
      { op: 'remove', path: '/custom_fields/host' },
    );
    const { severity, host = null } = changed['custom_fields'] as Json;
    expect([severity, host]).toEqual(['Minor', null]);
  });

  it('lets Jira filter and order what it can, and asks for a minute more', async () => {
    await jira.succeed('ticketing_query_tickets', {
      query: {
        filter: [
          'status[in]Done,"To Do"',
          'tags[eq]a "quoted" one',
          'updated_at[gt]2026-01-02T03:04:05Z',
        ],
        order: ['updated_at[desc]'],
      },
    });
    const [search] = jira.fake.log.requests.filter(({ path }) => path.includes('search/jql'));
    expect((JSON.parse(search?.body ?? '') as { jql: string }).jql).toBe(
      'status in ("Done", "To Do") AND labels in ("a \\"quoted\\" one") AND updated >= 1767322985000 ORDER BY updated DESC, key ASC',
    );
  });
});
