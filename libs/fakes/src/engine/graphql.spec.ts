import { describe, expect, it } from '@jest/globals';
import { errorsOfTests, TestFake } from '../test-fake.fixture.js';

const source = `
fake: small
${errorsOfTests}
collections:
  devices:
    from: this.world.devices
    id: this.hostname
    row: |
      root.hostname = this.it.hostname
      root.owner = null
      root.tags = ["a", "b", "c", "d"].map_each(name -> {"name": name, "color": "red"})
routes:
  POST /graphql Query.device:
    with: { device: { from: devices, id: this.arguments.hostname, missing: not_found } }
    body: root = this.with.device
  POST /graphql Query.devices:
    list: { from: devices, filter: { language: graphql, text: this.arguments.filter } }
    body: root = this.rows
  POST /graphql Mutation.deviceCreate:
    create: devices
    row: |
      root = this.arguments.input
      root.owner = null
      root.tags = []
    body: 'root = {"success": true, "device": this.result.row}'
`;

async function ask(query: string, variables?: object, fake = new TestFake(source)) {
  const { status, body } = await fake.call('POST /graphql', { body: { query, variables } });
  return { status, body, violations: fake.engine.log.violations };
}

const first = 'WS-01';

describe('a query of GraphQL', () => {
  it('gets the fields that it names, by the names that it gives them', async () => {
    const query =
      'query($id: String!) { one: device(hostname: $id) { name: hostname owner { id } } }';
    const { status, body } = await ask(query, { id: first });
    expect([status, body]).toEqual([200, { data: { one: { name: first, owner: null } } }]);
  });

  it('gets pages of the lists in a record, forwards and backwards', async () => {
    const page = async (given: string) => {
      const query = `{ device(hostname: "${first}") { tags(${given}) { nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
      const { body } = await ask(query);
      const { tags } = (body as { data: { device: { tags: Tags } } }).data.device;
      return { ...tags, names: tags.nodes.map(({ name }) => name).join('') };
    };
    const one = await page('first: 3');
    expect([one.names, one.pageInfo.hasNextPage, one.pageInfo.hasPreviousPage]).toEqual([
      'abc',
      true,
      false,
    ]);
    expect((await page(`first: 3, after: "${one.pageInfo.endCursor}"`)).names).toBe('d');
    const last = await page('last: 3');
    expect([last.names, last.pageInfo.hasPreviousPage]).toEqual(['bcd', true]);
    expect((await page(`last: 3, before: "${last.pageInfo.startCursor}"`)).names).toBe('a');
    expect((await page('first: 3, filter: { name: { in: ["b", "d"] } }')).names).toBe('bd');
  });

  it('gets a list as it is where it asks for no page of it', async () => {
    const query = `query { devices(filter: {hostname: {eq: "${first}"}}) { ...short } } fragment short on Device { hostname tags { color } }`;
    const tags = Array.from({ length: 4 }, () => ({ color: 'red' }));
    expect((await ask(query)).body).toEqual({ data: { devices: [{ hostname: first, tags }] } });
  });

  it('changes records', async () => {
    const fake = new TestFake(source);
    const query =
      'mutation($input: DeviceInput!) { deviceCreate(input: $input) { success device { hostname } } }';
    const { body } = await ask(query, { input: { hostname: 'NEW-1' } }, fake);
    expect(body).toEqual({
      data: { deviceCreate: { success: true, device: { hostname: 'NEW-1' } } },
    });
    const read = await ask('{ device(hostname: "NEW-1") { hostname } }', {}, fake);
    expect(read.body).toEqual({ data: { device: { hostname: 'NEW-1' } } });
  });

  it.each([
    ['{ device(', 'Syntax Error: Expected Name, found <EOF>.'],
    ['{ nothing { id } }', 'Cannot query field "nothing" on type "Query".'],
    ['{ a: device(hostname: "x") { hostname } b: devices { hostname } }', 'one field'],
    ['{ device(hostname: "x") { ...gone } }', 'Unknown fragment "gone".'],
    [7, 'Must provide query string.'],
  ])('%s is refused', async (query, message) => {
    const { status, body } = await ask(query as string);
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining(JSON.stringify(message).slice(1, -1)),
    ]);
  });

  it('for a field that the fake does not have is a fault of the fake', async () => {
    const { status, violations } = await ask(
      `{ device(hostname: "${first}") { hostname serial } }`,
    );
    expect(status).toBe(500);
    expect(violations[0]?.message).toBe('device has no field serial');
  });
});

interface Tags {
  nodes: { name: string }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string;
    endCursor: string;
  };
}
