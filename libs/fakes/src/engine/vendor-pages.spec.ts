import { expect, it } from '@jest/globals';
import { errorsOfTests, TestFake } from '../test-fake.fixture.js';

const source = `
fake: acme
${errorsOfTests}
collections:
  devices: { from: this.world.devices, id: this.id, row: 'root = {"id": this.it.hostname}' }
auth:
  principals: { admin: ['*'] }
  accepts:
    - { kind: secret, secret: this.query.api_key }
routes:
  GET /odata:
    access: none
    parameters: { $top: { type: integer, default: 10 }, $skiptoken: {} }
    list: { from: devices, page: { kind: cursor, size: 'this.query."$top"', token: 'this.query."$skiptoken"', parameter: $skiptoken } }
    body: |
      root.value = this.rows
      root."@odata.nextLink" = if this.page.next != null { this.page.link } else { deleted() }
  GET /scroll:
    access: none
    parameters: { size: { type: integer, default: 10 }, scroll_id: {} }
    list: { from: devices, page: { kind: cursor, size: this.query.size, token: this.query.scroll_id, parameter: scroll_id, frozen: true, expires: 60 } }
    body: |
      root.scroll_id = this.page.next
      root.hits = this.rows
  GET /own: { body: root.user = this.user.name }
`;

it('a list of OData is paged by @odata.nextLink, which has a $skiptoken', async () => {
  const fake = new TestFake(source);
  const seen: string[] = [];
  const links: string[] = [];
  for (let path = '/odata'; path !== '';) {
    const { body } = await fake.call(`GET ${path}`);
    seen.push(...(body.value as { id: string }[]).map(({ id }) => id));
    path = (body['@odata.nextLink'] as string | undefined) ?? '';
    if (path !== '') links.push(path);
  }
  expect(links.length).toBeGreaterThan(1);
  for (const link of links) expect(new URL(link).searchParams.get('$skiptoken')).not.toBeNull();
  expect(seen).toHaveLength(25);
  expect(new Set(seen).size).toBe(seen.length);
});

it('a scroll goes on by its id, until it expires', async () => {
  const fake = new TestFake(source);
  const { body: first } = await fake.call('GET /scroll');
  const { body: second } = await fake.call(`GET /scroll?scroll_id=${first.scroll_id}`);
  expect(second.hits).toHaveLength(10);
  expect(second.hits).not.toEqual(first.hits);
  fake.advance(61);
  expect((await fake.call(`GET /scroll?scroll_id=${second.scroll_id}`)).status).toBe(400);
});

it('a secret may be in the query', async () => {
  const fake = new TestFake(source);
  const [known] = fake.engine.credentials();
  expect((await fake.call(`GET /own?api_key=${known?.secret}`)).body).toEqual({ user: 'admin' });
  expect((await fake.call('GET /own?api_key=wrong')).status).toBe(401);
});
