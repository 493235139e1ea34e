import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningSimulator, startSimulator } from '#test/harness';
import type { Client } from '../../../test/e2e/client.js';
import { type Onefold, sharedOnefold } from '../../../test/e2e/onefold.js';

type Node = Record<string, unknown>;

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
  let onefold: Pick<Onefold, 'api'>;
  let jira: RunningSimulator;
  let tickets: Client;

  beforeAll(async () => {
    [onefold, jira] = await Promise.all([sharedOnefold(), startSimulator('jira')]);
    const { api } = onefold;
    const { account } = (await api.call('accounts_create', { body: { name: 'jira' } })).result;
    const everywhere = (name: string, provider_field_path: string) => ({
      ...{ name, provider_field_path },
      project_id: '*',
    });
    const { token } = (
      await api.call('integrations_create', {
        path: { accountId: account.id },
        body: {
          name: 'site',
          provider_config: {
            type: 'ticketing_jira',
            url: jira.url,
            default_project: 'OPS',
            credential: { type: 'basic', username: 'agent@example.com', secret: 'agent-token' },
            custom_field_mappings: [
              everywhere('severity', 'customfield_10010.value'),
              everywhere('customer', 'fields.customfield_10011'),
              { name: 'effort', project_id: 'WEB', provider_field_path: 'customfield_10012' },
            ],
          } as never,
        },
      })
    ).result;
    tickets = api.as(token.access.secret);
  }, 300_000);
  beforeEach(() => jira.reset());
  afterAll(async () => {
    expect(await jira.violations()).toEqual([]);
    await jira.stop();
  });

  const create = async (more: Record<string, unknown> = {}) =>
    (
      await tickets.call('ticketing_create_ticket', {
        body: { name: 'Disk full', summary: 'Disk full', ...more },
      })
    ).result;
  const patch = async (ticketId: string, ...body: object[]) =>
    (await tickets.call('ticketing_patch_ticket', { path: { ticketId }, body: body })).result;
  /** Calls Jira as a user would. */
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${jira.url}/rest/api/3/${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from('agent@example.com:agent-token').toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBeLessThan(300);
    const answer = await response.text();
    return (answer === '' ? {} : JSON.parse(answer)) as { fields: Record<string, unknown> };
  };

  it('writes texts as documents of Atlassian', async () => {
    const made = await create({ description: 'First line\nsecond line\n\nAnother paragraph.' });
    const { fields } = await ask('GET', `issue/${made.id}`);
    expect(fields['description']).toEqual({
      type: 'doc',
      version: 1,
      content: [
        paragraph(text('First line'), { type: 'hardBreak' }, text('second line')),
        paragraph(text('Another paragraph.')),
      ],
    });
    const { result: comment } = await tickets.call('ticketing_create_comment', {
      path: { ticketId: made.id },
      body: { content: 'a\nb' },
    });
    expect(comment.content).toBe('a\nb');
  });

  it('reads documents of Atlassian as Markdown, and keeps them if another field is patched', async () => {
    const { id } = await create();
    await ask('PUT', `issue/${id}`, { fields: { description: rich } });
    const { result } = await tickets.call('ticketing_get_ticket', { path: { ticketId: id } });
    expect(result.description).toBe(richText);
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
    expect(made.description).toBe(description);
    const { fields } = await ask('GET', `issue/${made.id}`);
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
    expect(made.description).toBe(
      '- Title\n- quoted\n- \n\n> Title\n>\n> a\n>\n> b\n\n[plan](https://x.example/p.png)',
    );
  });

  it('reads what people see of statuses, dates, files, cards and nodes that are not known', async () => {
    const { id } = await create();
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
    const { result } = await tickets.call('ticketing_get_ticket', { path: { ticketId: id } });
    expect(result.description).toBe(`BLOCKED until 2026-01-01

[trace.png]

https://docs.example/7

**Logs**

oom

- roll back

- [x] call`);
  });

  it('reaches a status by a transition, and names the available ones if none leads to it', async () => {
    const done = await create({ status: 'Done' });
    expect(done.status).toBe('Done');
    expect(done.completion_date).toBeDefined();
    const problem = await tickets.refuse('ticketing_patch_ticket', 400, {
      path: { ticketId: done.id },
      body: [{ op: 'replace', path: '/status', value: 'In Progress' }] as never,
    });
    expect(problem.message).toContain(
      'no transition leads from Done to the status In Progress; there are To Do',
    );
    const reopened = await patch(done.id, { op: 'replace', path: '/status', value: 'To Do' });
    expect(reopened.status).toBe('To Do');
    const moved = (await jira.requests()).filter(({ body }) =>
      JSON.stringify(body ?? '').includes('"transition"'),
    );
    expect(moved.map(({ body }) => body)).toEqual([
      { transition: { id: '31' } },
      { transition: { id: '11' } },
    ]);
  });

  it('has custom fields under names of ours, in the projects they are for', async () => {
    const custom_fields = { severity: 'Major', customer: 'Acme', effort: 3 };
    const made = await create({ custom_fields });
    expect(made.custom_fields).toEqual({ severity: 'Major', customer: 'Acme' });
    const { fields } = await ask('GET', `issue/${made.id}`);
    expect(fields).toMatchObject({
      customfield_10010: { value: 'Major' },
      customfield_10011: 'Acme',
      customfield_10012: null,
    });
    const elsewhere = await create({ project: 'WEB', custom_fields });
    expect(elsewhere.custom_fields).toEqual(custom_fields);
    const changed = await patch(
      made.id,
      { op: 'replace', path: '/custom_fields/severity', value: 'Minor' },
      { op: 'remove', path: '/custom_fields/customer' },
    );
    expect(changed.custom_fields?.['severity']).toBe('Minor');
    expect(changed.custom_fields?.['customer'] ?? null).toBeNull();
  });

  it('lets Jira filter and order what it can, and asks for a minute more', async () => {
    await tickets.call('ticketing_query_tickets', {
      query: {
        filter: [
          'status[in]Done,"To Do"',
          'tags[eq]a "quoted" one',
          'updated_at[gt]2026-01-02T03:04:05Z',
        ],
        order: ['updated_at[desc]'],
      },
    });
    const [search] = (await jira.requests()).filter(({ path }) => path.includes('search/jql'));
    expect((search?.body as { jql: string }).jql).toBe(
      'status in ("Done", "To Do") AND labels in ("a \\"quoted\\" one") AND updated >= 1767322985000 ORDER BY updated DESC, key ASC',
    );
  });
});
