import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverSystem, Receiver } from '#test/harness';

const times = { createdAt: '2026-02-03T04:05:06.789Z', updatedAt: '2026-02-03T04:05:06.789Z' };
const person = { id: 'user-1', name: 'Ana', email: 'ana@acme.example' };
const issue = (id: string, more: Json = {}): Json => ({
  id,
  identifier: `OPS-${id}`,
  title: 'Disk full',
  priority: 0,
  ...times,
  state: { id: 's', name: 'Done', type: 'completed' },
  team: { id: 't', key: 'OPS', name: 'Ops' },
  labels: { nodes: [] },
  attachments: { nodes: [] },
  ...more,
});

describe('what Linear says of records beyond the fields of the contract', () => {
  let receiver: Receiver;
  let linear: OverSystem;
  let data: Json;
  let queries: string[];

  beforeAll(async () => {
    await loadValidators();
    receiver = await Receiver.start();
    linear = new OverSystem(new URL('./', import.meta.url), 'ticketing_linear', {
      url: receiver.url.replace(/\/$/, ''),
      credential: { type: 'token', secret: 'key' },
    });
  });
  beforeEach(() => {
    queries = [];
    receiver.answer = ({ body }, response) => {
      queries.push((JSON.parse(body) as { query: string }).query);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data }));
    };
  });
  afterAll(async () => {
    await linear.close();
    await receiver.stop();
  });

  it('lists the issues that Linear has archived, and none from its trash', async () => {
    const archivedAt = '2026-06-01T00:00:00.000Z';
    const nodes = [
      issue('3'),
      issue('2', { archivedAt, trashed: true }),
      issue('1', { archivedAt, trashed: null, priority: 1 }),
    ];
    data = { oldest: { nodes, pageInfo: { hasPreviousPage: false } } };
    expect(await linear.all('ticketing_query_tickets')).toMatchObject([
      { id: '1', priority: 'URGENT', unmapped: { archivedAt, priority: 1 } },
      { id: '3', unmapped: { priority: 0 } },
    ]);
    expect(queries[0]).toContain('includeArchived: true');
  });

  it('has the address of an attachment', async () => {
    const creator = { id: 'user-1' };
    const url = 'https://wiki.acme.example/42';
    const file = { id: 'a', title: 'Runbook', subtitle: 'Storage', url, metadata: {}, creator };
    data = {
      issue: issue('1', { attachments: { nodes: [{ ...file, createdAt: times.createdAt }] } }),
    };
    const path = { ticketId: '1' };
    const { result } = await linear.succeed('ticketing_get_ticket', { path });
    expect((result as Json)['attachments']).toMatchObject([
      { id: 'a', creator: 'user-1', unmapped: { url, subtitle: 'Storage' } },
    ]);
    expect(queries[0]).toMatch(/attachments\(first: 10\) \{ nodes \{[^}]* url /);
  });

  it('has who wrote a comment by name, and which one it answers', async () => {
    const comment = { id: 'c', body: 'Checked.', url: 'https://linear.example/c', parentId: 'b' };
    const nodes = [{ ...comment, ...times, resolvedAt: null, user: person }];
    data = { issue: { comments: { nodes, pageInfo: { hasPreviousPage: false } } } };
    const path = { ticketId: '1' };
    const { result } = await linear.succeed('ticketing_list_comments', { path });
    expect((result as Json[])[0]).toMatchObject({
      creator: 'user-1',
      content: 'Checked.',
      unmapped: { url: comment.url, parentId: 'b', user: { name: 'Ana', email: person.email } },
    });
  });
});
