import { describe, expect, it } from '@jest/globals';
import { errorsOfTests, TestFake } from '../test-fake.fixture.js';

describe('a path', () => {
  const source = (suffix: string) => `
fake: acme
${suffix}${errorsOfTests}
routes:
  GET /rows/{id}: { access: none, body: root.id = this.path.id }
`;

  it('may end in the suffix of the document, which is not a part of its parameters', async () => {
    const fake = new TestFake(source('path_suffix: .json\n'));
    const ids = [await fake.call('GET /rows/7'), await fake.call('GET /rows/7.json')];
    expect(ids.map(({ body }): unknown => body)).toEqual([{ id: '7' }, { id: '7' }]);
    expect((await fake.call('GET /rows/7.xml')).body).toEqual({ id: '7.xml' });
  });

  it('is found in any case where the document says so, and keeps the case of its parameters', async () => {
    const fake = new TestFake(source('case_insensitive_paths: true\n'));
    expect((await fake.call('GET /ROWS/Ab')).body).toEqual({ id: 'Ab' });
    expect((await new TestFake(source('')).call('GET /ROWS/Ab')).status).toBe(404);
  });

  it('can be asked about with OPTIONS', async () => {
    const fake = new TestFake(
      `fake: acme\n${errorsOfTests}\nroutes:\n  OPTIONS /rows: { access: none, body: root.a = 1 }\n`,
    );
    expect((await fake.call('OPTIONS /rows')).body).toEqual({ a: 1 });
    expect((await fake.call('GET /rows')).status).toBe(405);
  });

  it('is a parameter up to its end where the document has no suffix', async () => {
    const { body } = await new TestFake(source('')).call('GET /rows/7.json');
    expect(body).toEqual({ id: '7.json' });
  });
});
