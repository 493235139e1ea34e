import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { OverSystem, type ReceivedRequest, Receiver } from '#test/harness';

type Fields = Record<string, unknown>;

const times = { created: '2026-01-01T00:00:00.000+0000', updated: '2026-01-01T00:00:00.000+0000' };

/** A site whose names are its own, as far as one ticket and the search of tickets need it. */
class OwnSite {
  priorities = ['Hoch', 'Niedrig'];
  rows: Fields[] = [];
  fields: Fields = {};
  writes: Fields[] = [];
  searches: string[] = [];

  answer({ path, body }: ReceivedRequest, method = ''): [status: number, body?: unknown] {
    const json = body === '' ? {} : (JSON.parse(body) as Fields);
    const write = (json['fields'] ?? {}) as Fields;
    if (path.endsWith('/search/jql')) return this.search(String(json['jql']));
    if (path.includes('/priority/search'))
      return [
        200,
        { values: this.priorities.map((name) => ({ name })), total: this.priorities.length },
      ];
    if (method === 'GET') return [200, this.issue('OPS-1', this.fields)];
    this.writes.push(write);
    const { name } = (write['priority'] ?? {}) as { name?: string };
    if (name !== undefined && !this.priorities.includes(name))
      return [400, { errors: { priority: `Priority name '${name}' is not valid` } }];
    if (write['summary'] === '')
      return [400, { errors: { summary: 'You must specify a summary' } }];
    Object.assign(this.fields, write);
    return method === 'PUT' ? [204] : [201, { id: '1', key: 'OPS-1' }];
  }

  private search(jql: string): [status: number, body?: unknown] {
    this.searches.push(jql);
    if (jql.includes('"Gone"'))
      return [400, { errorMessages: ["Der Wert 'Gone' ist für das Feld 'status' unbekannt."] }];
    return [200, { issues: this.rows, isLast: true }];
  }

  issue(key: string, fields: Fields): Fields {
    return { id: '1', key, fields: { summary: 'Disk full', ...times, ...fields } };
  }
}

describe('a site of Jira with names of its own', () => {
  let receiver: Receiver;
  let jira: OverSystem;
  let site: OwnSite;

  beforeAll(async () => {
    await loadValidators();
    receiver = await Receiver.start();
    jira = new OverSystem(new URL('./', import.meta.url), 'ticketing_jira', {
      url: receiver.url.replace(/\/$/, ''),
      default_project: 'OPS',
      credential: { type: 'basic', username: 'agent@example.com', secret: 'agent-token' },
    });
  });
  beforeEach(() => {
    site = new OwnSite();
    receiver.answer = (request, response) => {
      const [status, body] = site.answer(request, response.req.method);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    };
  });
  afterAll(async () => {
    await jira.close();
    await receiver.stop();
  });

  const read = async () =>
    (await jira.succeed('ticketing_get_ticket', { path: { ticketId: 'OPS-1' } }))[
      'result'
    ] as Fields;
  const create = (more: Fields) =>
    jira.call('ticketing_create_ticket', { body: { name: 'Disk full', ...more } });
  const patch = (...body: object[]) =>
    jira.call('ticketing_patch_ticket', { path: { ticketId: 'OPS-1' }, body });

  it('keeps a priority that has none of the names that are known', async () => {
    site.fields = { priority: { id: '10001', name: 'Hoch' } };
    expect(await read()).toMatchObject({ unmapped: { priority: { id: '10001', name: 'Hoch' } } });
    site.fields = { priority: { id: '3', name: 'Major' } };
    expect(await read()).toMatchObject({ priority: 'HIGH', unmapped: { priority: { id: '3' } } });
    expect((await read())['unmapped']).not.toHaveProperty('priority.name');
  });

  it('creates a ticket by the name that the site has for the priority', async () => {
    site.priorities = ['Blocker', 'Major', 'Trivial'];
    const { body } = await create({ priority: 'HIGH' });
    expect(body['result']).toMatchObject({ priority: 'HIGH' });
    expect(site.writes.map(({ priority }) => priority)).toEqual([
      { name: 'High' },
      { name: 'Major' },
    ]);
  });

  it('creates it without the priority where the site has no name for it, and says so', async () => {
    const { status, body } = await create({ priority: 'HIGH' });
    expect(status).toBe(200);
    expect(site.writes.at(-1)).not.toHaveProperty('priority');
    expect(JSON.stringify(body['messages'])).toContain(
      'priority was sent as HIGH, the provider has no value for it',
    );
  });

  it('says what else Jira refuses of a new ticket, once', async () => {
    site.answer = () => [400, { errors: { issuetype: 'Specify a valid issue type' } }];
    const { status, body } = await create({ priority: 'HIGH' });
    expect([status, body['message']]).toEqual([
      400,
      'Jira Cloud refuses the request: issuetype: Specify a valid issue type',
    ]);
  });

  it('names the priorities that there are where a patch asks for another', async () => {
    const refused = await patch({ op: 'add', path: '/priority', value: 'LOW' });
    expect([refused.status, refused.body['message']]).toEqual([
      400,
      'the site has no priority Low or Minor; there are Hoch, Niedrig',
    ]);
    site.priorities = ['Minor'];
    const { body } = await patch({ op: 'add', path: '/priority', value: 'LOW' });
    expect(body['result']).toMatchObject({ priority: 'LOW' });
  });

  it('compares texts here where Jira refuses the query for one of them', async () => {
    site.rows = ['Open', 'Done'].map((name, at) =>
      site.issue(`OPS-${at + 1}`, { status: { name } }),
    );
    const filter = ['status[in]Open,Gone', 'created_at[gte]2026-01-01T00:00:00Z'];
    const found = await jira.all('ticketing_query_tickets', { filter });
    expect(found.map(({ id }) => id as string)).toEqual(['OPS-1']);
    expect(site.searches).toEqual([
      'status in ("Open", "Gone") AND created >= 1767225540000 ORDER BY created ASC, key ASC',
      'created >= 1767225540000 ORDER BY created ASC, key ASC',
    ]);
  });

  it('fails where Jira refuses the query without them, too', async () => {
    site.answer = () => [400, { errorMessages: ['No.'] }];
    const query = { filter: ['status[eq]Open'] };
    const { message } = await jira.refuse('ticketing_query_tickets', 502, { query });
    expect(message).toBe('Jira refuses the search: No.');
  });
});
