import { describe, expect, it } from '@jest/globals';
import { errorsOfTests, TestFake } from '../test-fake.fixture.js';

const source = `
fake: acme
${errorsOfTests}
collections:
  devices:
    from: this.world.devices
    id: this.device_id
    also: [hostname]
    hidden: [secret]
    visible_after: 2
    row: |
      root.device_id = this.it.key.apply("aid")
      root.hostname = this.it.hostname
      root.os = if this.index % 2 == 0 { "Windows" } else { "Linux" }
      root.seen = this.it.seen
      root.secret = this.it.key
      root.owner = if this.it.owner != null { this.it.owner.apply("world.people").name }
  documents:
    from: this.world.devices
    id: this._id
    inside: _source
    row: |
      root._id = this.it.key
      root._source.name = this.it.hostname
templates:
  aid: root = (this + " aid").hash("md5").encode("hex")
  sort: root = this.re_find_object("^(?P<field>[a-z_]+)[.](?P<direction>asc|desc)$")
styles:
  rows:
    parameters:
      limit: { type: integer, default: 10, minimum: 1, maximum: 20 }
    list:
      from: devices
      filter: { language: fql, text: this.query.filter, fields: [hostname, os, seen, owner] }
      order: if this.query.sort != null { this.query.sort.apply("sort") }
      page: { kind: cursor, size: this.query.limit, token: this.query.after, parameter: after }
    body: |
      root.rows = this.rows
      root.page = this.page.without("values")
routes:
  POST /documents:
    list:
      from: documents
      filter: { language: elasticsearch, text: this.body }
    body: root = this.rows.map_each(row -> row._source.name)
  GET /cursor: { like: rows }
  GET /frozen:
    like: rows
    list: { page: { frozen: true, expires: 60 } }
  GET /endless:
    like: rows
    list: { page: { endless: true } }
  GET /offset:
    like: rows
    parameters: { offset: { type: integer, minimum: 0 } }
    list:
      page: { kind: offset, at: this.query.offset, parameter: offset, token: null }
    headers:
      Link: 'if this.page.next != null { "<%s>; rel=\\"next\\"".format(this.page.link) }'
  GET /number:
    like: rows
    parameters: { page: { type: integer, minimum: 1 } }
    list:
      page: { kind: number, at: this.query.page, parameter: page, token: null }
  GET /unseen:
    like: rows
    parameters: { offset: { type: integer, minimum: 0 } }
    list:
      page: { kind: offset, at: this.query.offset, parameter: offset, token: null, unseen: this.row.os == "Linux" }
  GET /ends:
    like: rows
    parameters: { offset: { type: integer, minimum: 0 } }
    list:
      page: { kind: offset, at: this.query.offset, parameter: offset, token: null, ends: 12 }
  POST /values:
    like: rows
    list:
      order: '[{"field": "os"}, {"field": "hostname", "direction": "desc"}]'
      page: { kind: values, after: this.body.search_after, token: null, size: this.body.size }
    body: |
      root.rows = this.rows
      root.next = this.page.next
      root.values = this.page.values
  GET /where:
    list: { from: devices, where: this.row.owner == this.query.owner && this.number <= 20 }
    body: root.names = this.rows.map_each(row -> row.hostname)
  GET /stale:
    list: { from: devices, stale: 'true' }
    body: root.names = this.rows.map_each(row -> row.hostname)
  GET /given:
    list: { rows: this.world.people, filter: { language: scim, text: this.query.q } }
    body: root.names = this.rows.map_each(row -> row.name)
  POST /devices:
    create: devices
    row: |
      root = this.body
      root.device_id = this.body.hostname
    status: 201
    body: root = this.result.row
  DELETE /devices/{id}: { delete: devices, id: this.path.id, missing: not_found, status: 204 }
`;

const hostnames = Array.from({ length: 25 }, (_, at) => `WS-${String(at + 1).padStart(2, '0')}`);
const rowsOf = (answer: { body: { rows: { hostname: string }[] } }) =>
  answer.body.rows.map(({ hostname }) => hostname);

/** Walks all pages by the links of the responses, and inserts a record before each of them but the first. */
async function walk(fake: TestFake, path: string, insert: boolean): Promise<string[][]> {
  const pages: string[][] = [];
  let next: string | null = path;
  while (next !== null) {
    if (insert && pages.length > 0)
      await fake.call('POST /devices', { body: { hostname: `AA-${pages.length}`, os: 'Linux' } });
    const answer = await fake.call(`GET ${next}`);
    expect(answer.status).toBe(200);
    pages.push(rowsOf(answer));
    next = answer.body.page.link as string | null;
    expect(pages.length).toBeLessThan(20);
  }
  return pages;
}

describe('pages of a list', () => {
  it.each(['/cursor', '/frozen', '/offset', '/number'])(
    'reach every record exactly once by %s',
    async (path) => {
      const pages = await walk(new TestFake(source), path, false);
      expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
      expect(pages.flat()).toEqual(hostnames);
    },
  );

  it('of a cursor reach records that are made meanwhile, in order, and skip none', async () => {
    const pages = await walk(new TestFake(source), '/cursor', true);
    expect(pages.flat()).toEqual([...hostnames, 'AA-1', 'AA-2']);
  });

  it('of a frozen cursor leave out what is made after the first page', async () => {
    const pages = await walk(new TestFake(source), '/frozen', true);
    expect(pages.length).toBe(3);
    expect(pages.flat()).toEqual(hostnames);
  });

  it('of offsets skip a record when one before it is deleted, as at the vendor', async () => {
    const fake = new TestFake(source);
    const first = await fake.call('GET /offset?limit=10');
    await fake.call('DELETE /devices/WS-01');
    const second = await fake.call(`GET ${first.body.page.link}`);
    expect(rowsOf(second)[0]).toBe('WS-12');
  });

  it('count records that the caller may not see, and leave them out', async () => {
    const pages = await walk(new TestFake(source), '/unseen', false);
    expect(pages.map(({ length }) => length)).toEqual([5, 5, 3]);
    expect(pages.flat()).toEqual(hostnames.filter((_name, at) => at % 2 === 0));
  });

  it('end without a word after as many records as the vendor gives', async () => {
    const fake = new TestFake(source);
    const pages = await walk(fake, '/ends', false);
    expect(pages.map(({ length }) => length)).toEqual([10, 2]);
    expect((await fake.call('GET /ends')).body.page).toMatchObject({ total: 25, more: true });
    expect((await fake.call('GET /ends?offset=10')).body.page).toMatchObject({ more: false });
  });

  it('of a cursor with an order go on behind the last record, also when it is gone', async () => {
    const fake = new TestFake(source);
    const first = await fake.call('GET /cursor?sort=hostname.desc&limit=5');
    expect(rowsOf(first)).toEqual(hostnames.slice(-5).reverse());
    await fake.call('DELETE /devices/WS-21');
    const second = await fake.call(`GET ${first.body.page.link}`);
    expect(rowsOf(second)[0]).toBe('WS-20');
  });

  it('of sort values go on behind them', async () => {
    const fake = new TestFake(source);
    const seen: string[] = [];
    let search_after: unknown = null;
    do {
      const answer = await fake.call('POST /values', { body: { size: 7, search_after } });
      seen.push(...rowsOf(answer));
      expect(answer.body.values[0]).toHaveLength(2);
      search_after = answer.body.next;
    } while (search_after !== null);
    const even = hostnames.filter((_, at) => at % 2 === 0).reverse();
    const odd = hostnames.filter((_, at) => at % 2 === 1).reverse();
    expect(seen).toEqual([...odd, ...even]); // Linux before Windows
  });

  it('end with no link, and have a Link header before', async () => {
    const fake = new TestFake(source);
    const first = await fake.call('GET /offset?limit=20');
    expect(first.headers['link']).toBe('<https://api.test/offset?limit=20&offset=20>; rel="next"');
    const last = await fake.call('GET /offset?limit=20&offset=20');
    expect(last.headers).not.toHaveProperty('link');
    expect(last.body.page).toMatchObject({ total: 25, count: 5, more: false, next: null });
  });

  it('of an endless cursor have a next token always, which finds what is new', async () => {
    const fake = new TestFake(source);
    let answer = await fake.call('GET /endless?limit=20');
    answer = await fake.call(`GET ${answer.body.page.link}`);
    expect(rowsOf(answer)).toHaveLength(5);
    answer = await fake.call(`GET ${answer.body.page.link}`);
    expect(rowsOf(answer)).toEqual([]);
    await fake.call('POST /devices', { body: { hostname: 'NEW' } });
    answer = await fake.call(`GET ${answer.body.page.link}`);
    expect(rowsOf(answer)).toEqual(['NEW']);
  });

  it.each([
    ['another query', '/cursor?filter=os:%27Linux%27', 0, 'it belongs to another query'],
    ['another time', '/frozen', 61, 'it has expired'],
    ['nobody', '/cursor?after=abc', 0, 'it is not a token of this list'],
  ])('refuse a token of %s', async (_title, path, seconds, message) => {
    const fake = new TestFake(source);
    const own = path.split('?')[0] ?? '';
    const { body } = await fake.call(`GET ${own}`);
    fake.advance(seconds);
    const separator = path.includes('?') ? '&' : '?';
    const token = path.includes('after') ? '' : `${separator}after=${body.page.next}`;
    const answer = await fake.call(`GET ${path}${token}`);
    expect(answer.body).toEqual({ error: 'bad_cursor', message });
  });

  it('obey minimum and maximum of their size', async () => {
    const fake = new TestFake(source);
    const answer = await fake.call('GET /cursor?limit=21');
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('limit must be at most 20');
  });
});

describe('a list', () => {
  it('is filtered and ordered, and hides what is hidden', async () => {
    const fake = new TestFake(source);
    const answer = await fake.call("GET /cursor?filter=os:'Linux'&sort=seen.asc&limit=3");
    expect(rowsOf(answer)).toEqual(['WS-24', 'WS-22', 'WS-20']);
    expect(answer.body.page.total).toBe(12);
    expect(answer.body.rows[0]).not.toHaveProperty('secret');
    expect(answer.body.rows[0].device_id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('says where a filter is wrong', async () => {
    const answer = await new TestFake(source).call("GET /cursor?filter=os:'Linux'%2Bsecret:'d1'");
    expect(answer.body.message).toBe('cannot filter by "secret" at 11');
  });

  it('keeps up with changes although filtered lists are kept', async () => {
    const fake = new TestFake(source);
    const path = "GET /cursor?filter=hostname:'NEW*'";
    expect(rowsOf(await fake.call(path))).toEqual([]);
    await fake.call('POST /devices', { body: { hostname: 'NEW-1' } });
    expect(rowsOf(await fake.call(path))).toEqual(['NEW-1']);
    await fake.call('DELETE /devices/NEW-1');
    expect(rowsOf(await fake.call(path))).toEqual([]);
  });

  it('depends on the time where its filter does', async () => {
    const fake = new TestFake(source);
    const path = "GET /cursor?filter=seen:>'now-90m'";
    expect(rowsOf(await fake.call(path))).toEqual(['WS-01', 'WS-02']);
    fake.advance(3_600);
    expect(rowsOf(await fake.call(path))).toEqual(['WS-01']);
  });

  it('takes a condition over each record, with the number of the record', async () => {
    const answer = await new TestFake(source).call('GET /where?owner=Ada');
    expect(answer.body.names).toEqual(['WS-01', 'WS-11', 'WS-16']);
  });

  it('may be any list, and have another language', async () => {
    const answer = await new TestFake(source).call('GET /given?q=name sw "D" or name eq "ADA"');
    expect(answer.body.names).toEqual(['Ada', 'Dora']);
  });

  it('looks into what is inside of records, and finds them by their own ids', async () => {
    const fake = new TestFake(source);
    const find = async (body: object) =>
      (await fake.call('POST /documents', { body })).body as unknown;
    expect(await find({ term: { name: 'WS-02' } })).toEqual(['WS-02']);
    expect(await find({ ids: { values: ['d3', 'none'] } })).toEqual(['WS-03']);
    expect(await find({ terms: { _id: ['d4'] } })).toEqual(['WS-04']);
  });

  it('that is stale shows changes after a while', async () => {
    const fake = new TestFake(source);
    await fake.call('POST /devices', { body: { hostname: 'NEW' } });
    await fake.call('DELETE /devices/WS-01');
    const before = await fake.call('GET /stale');
    expect(before.body.names).toEqual(hostnames);
    expect(rowsOf(await fake.call('GET /offset?offset=20'))).toContain('NEW');
    fake.advance(2);
    const after = await fake.call('GET /stale');
    expect(after.body.names).toEqual([...hostnames.slice(1), 'NEW']);
  });

  it('is larger in a larger world, and empty in an empty one', async () => {
    const larger = await new TestFake(source, { scale: 4 }).call('GET /offset');
    expect(larger.body.page.total).toBe(100);
    const empty = await new TestFake(source, { dataset: 'EMPTY' }).call('GET /offset');
    expect(empty.body.page.total).toBe(0);
  });
});
