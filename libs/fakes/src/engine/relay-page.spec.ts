import { describe, expect, it } from '@jest/globals';
import { errorsOfTests, TestFake } from '../test-fake.fixture.js';

const source = `
fake: small
${errorsOfTests}
collections:
  devices:
    from: this.world.devices
    id: this.hostname
    row: root.hostname = this.it.hostname
routes:
  POST /graphql:
    list:
      from: devices
      filter: { language: fql, text: this.body.variables.filter }
      order: '[{"field": "hostname", "direction": this.body.variables.direction | "asc"}]'
      page:
        kind: relay
        size: this.body.variables.first
        token: this.body.variables.after
        last: this.body.variables.last
        before: this.body.variables.before
        default: 10
        maximum: 12
    body: |
      root.data.devices.totalCount = this.page.total
      root.data.devices.edges = this.rows.enumerated().map_each(edge -> {"cursor": this.page.cursors.index(edge.index), "node": edge.value})
      root.data.devices.pageInfo = this.page.info
  POST /devices:
    create: devices
    row: root.hostname = this.body.hostname
    status: 201
  DELETE /devices/{id}: { delete: devices, id: this.path.id, missing: not_found, status: 204 }
`;

interface Connection {
  totalCount: number;
  edges: { cursor: string; node: { hostname: string } }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

const hostnames = Array.from({ length: 25 }, (_, at) => `WS-${String(at + 1).padStart(2, '0')}`);
const namesOf = ({ edges }: Connection) => edges.map(({ node }) => node.hostname);

async function read(fake: TestFake, variables: object): Promise<Connection> {
  const answer = await fake.call('POST /graphql', { body: { query: '{ … }', variables } });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('edges')]);
  return (answer.body as { data: { devices: Connection } }).data.devices;
}

describe('a connection', () => {
  it('is read forwards by first and after, each record once, also those that are made meanwhile', async () => {
    const fake = new TestFake(source);
    const pages: Connection[] = [];
    let after: string | null = null;
    do {
      if (pages.length > 0)
        for (const hostname of [`AA-${pages.length}`, `ZZ-${pages.length}`])
          await fake.call('POST /devices', { body: { hostname } });
      const page: Connection = await read(fake, { first: 12, after });
      pages.push(page);
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(pages.flatMap(namesOf)).toEqual([...hostnames, 'ZZ-1', 'ZZ-2']);
    expect(pages.map(({ edges }) => edges.length)).toEqual([12, 12, 3]);
    expect(pages.map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual([false, true, true]);
  });

  it('is read backwards by last and before, in the same order', async () => {
    const fake = new TestFake(source);
    const pages: Connection[] = [];
    let before: string | null = null;
    do {
      const page: Connection = await read(fake, { last: 10, before });
      pages.unshift(page);
      before = page.pageInfo.hasPreviousPage ? page.pageInfo.startCursor : null;
    } while (before !== null);
    expect(pages.map(({ edges }) => edges.length)).toEqual([5, 10, 10]);
    expect(pages.flatMap(namesOf)).toEqual(hostnames);
    expect(pages.map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, true, false]);
  });

  it('has a cursor for each record, and pages between two of them', async () => {
    const fake = new TestFake(source);
    const { edges } = await read(fake, { first: 9, direction: 'desc' });
    const [after, before] = [edges[1]?.cursor, edges[6]?.cursor];
    const direction = 'desc';
    const between = await read(fake, { first: 10, after, before, direction });
    const all = [...hostnames].reverse();
    expect(namesOf(between)).toEqual(all.slice(2, 6));
    expect(between.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: edges[2]?.cursor,
      endCursor: edges[5]?.cursor,
    });
    expect(namesOf(await read(fake, { first: 3, last: 2, after, before, direction }))).toEqual(
      all.slice(3, 5),
    );
    expect(
      namesOf(await read(fake, { first: 3, after: before, before: after, direction })),
    ).toEqual([]);
  });

  it('goes on behind a record that is gone', async () => {
    const fake = new TestFake(source);
    const { pageInfo } = await read(fake, { first: 5 });
    await fake.call('DELETE /devices/WS-05');
    expect(namesOf(await read(fake, { first: 2, after: pageInfo.endCursor }))).toEqual([
      'WS-06',
      'WS-07',
    ]);
  });

  it('has a default and a maximum, and no cursors where it is empty', async () => {
    const fake = new TestFake(source, { dataset: 'EMPTY' });
    expect(await read(fake, {})).toEqual({
      totalCount: 0,
      edges: [],
      pageInfo: {
        hasNextPage: false,
        hasPreviousPage: false,
        startCursor: null,
        endCursor: null,
      },
    });
    const full = new TestFake(source);
    expect((await read(full, {})).edges).toHaveLength(10);
    expect((await read(full, { first: 100 })).edges).toHaveLength(12);
    expect((await read(full, { last: 100 })).edges).toHaveLength(12);
  });

  it('refuses a cursor of another query, and a text that is none', async () => {
    const fake = new TestFake(source);
    const { pageInfo } = await read(fake, { filter: "hostname:'WS-1*'", first: 2 });
    for (const [name, cursor, message] of [
      ['after', pageInfo.endCursor, 'it belongs to another query'],
      ['before', 'abc', 'it is not a token of this list'],
    ] as const) {
      const answer = await fake.call('POST /graphql', {
        body: { query: '{ … }', variables: { [name]: cursor } },
      });
      expect(answer.body).toEqual({ error: 'bad_cursor', message });
    }
  });
});
