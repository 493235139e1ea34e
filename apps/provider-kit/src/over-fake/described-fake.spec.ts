import { expect, it } from '@jest/globals';
import { FakeEngine, type FakeRequest, MemoryStorage, readFake } from '#fakes';
import { DescribedFake, type VendorDescription } from './described-fake.js';

const names = 'unauthenticated expired_token forbidden no_route no_method bad_parameter bad_body';
const more = 'bad_query bad_cursor conflict limited failure';
const fake = () =>
  new FakeEngine(
    readFake(`
fake: acme
errors:
  body: root.message = this.error.message
${`${names} ${more}`
  .split(' ')
  .map((name) => `  ${name}: { status: 400, message: no }\n`)
  .join('')}
collections: { things: { id: this.id } }
routes:
  POST /things: { input: json, body: root = this.body }
`),
    {
      storage: new MemoryStorage(),
      clock: () => 0,
      key: 'specs',
      start: new Date(0),
      dataset: 'EMPTY',
    },
  );

/** Describes one operation, whose bodies have a name. */
const description: VendorDescription = {
  match: (_method, path) => (path === '/things' ? { operation: path, params: {} } : undefined),
  readParameters: () => ({ faults: [] }),
  checkBody: (_operation, type, body) =>
    type === 'application/json' && !Object.hasOwn(body as object, 'name') ? ['no name'] : [],
  checkAnswer: (_operation, _status, _type, body) =>
    (body as { name?: unknown } | undefined)?.name === 7 ? ['the name is a number'] : [],
  unknownFields: () => [],
};

const send = (path: string, body: object): FakeRequest => ({
  method: 'POST',
  url: `https://acme.test${path}`,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: Buffer.from(JSON.stringify(body)),
});

it('holds requests with their bodies, and responses, against the description', async () => {
  const described = new DescribedFake(fake(), description);
  await described.handle(send('/things', { name: 'lamp' }));
  expect(described.faults).toEqual([]);
  await described.handle(send('/things', { colour: 'red' }));
  await described.handle(send('/things', { name: 7 }));
  await described.handle(send('/other', {}));
  expect(described.faults).toEqual([
    'POST /things 200: no name',
    'POST /things 200: the name is a number',
    'POST /other is not in the description',
  ]);
});

it('looks neither at what a fault of a test does nor at what is excused', async () => {
  const engine = fake();
  const described = new DescribedFake(engine, description, /\/other/);
  engine.faults.add({ kind: 'garbage' });
  const { body } = await described.handle(send('/things', { colour: 'red' }));
  expect(Buffer.from(body).toString()).toContain('<html>');
  await described.handle(send('/other', {}));
  expect(described.faults).toEqual([]);
});
