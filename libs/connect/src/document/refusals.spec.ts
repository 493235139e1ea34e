import { describe, expect, it } from '@jest/globals';
import { pagesOf, run, serveDuringTests, served } from './run-document.fixture.js';

serveDuringTests();

/** Answers paths with these statuses, the others with what `answers` says of them. */
function serve(
  answers: Readonly<Record<string, unknown>>,
  statuses: Readonly<Record<string, number>>,
): void {
  served.handle = ({ pathname }, _request, response) => {
    response.statusCode = statuses[pathname] ?? 200;
    return response.statusCode === 200 ? (answers[pathname] ?? {}) : { message: 'no' };
  };
}

const readRows = async (operation: string) =>
  (await (await pagesOf(operation)).read(undefined, 100)).rows;
const problems = () =>
  served.problems
    .render(0)
    ?.problems.map(({ instance, message }) => `${instance}: ${message.replace(served.url, '')}`) ??
  [];

describe('an item of each that the provider refuses', () => {
  const members = `
steps:
  - { name: ids, path: /ids }
  - { name: users, each: this.steps.ids.ids, path: '/users/{this.item}' }
`;
  const answers = {
    '/ids': { ids: ['a', 'b', 'c'] },
    '/users/a': { id: 'a' },
    '/users/b': { id: 'b' },
    '/users/c': { id: 'c' },
  };
  const rows = `${members}rows: this.steps.users`;

  it.each([404, 410, 403])('with %i is left out and named, and the others stay', async (status) => {
    serve(answers, { '/users/b': status });
    expect(await readRows(rows)).toEqual([{ id: 'a' }, { id: 'c' }]);
    expect(problems()).toEqual([
      expect.stringMatching(/^item-left-out: b of users was left out: /),
    ]);
  });

  it('is left out by the errors of a document, and by its checks', async () => {
    serve({ ...answers, '/users/b': { ok: false } }, {});
    expect(await readRows(`errors: [{ when: this.body.ok == false, status: 404 }]${rows}`)).toEqual(
      [{ id: 'a' }, { id: 'c' }],
    );
    const checked = rows.replace(
      "{this.item}' }",
      `{this.item}', checks: [{ that: this.body.ok != false, status: 404, message: '"none"' }] }`,
    );
    expect(await readRows(checked)).toEqual([{ id: 'a' }, { id: 'c' }]);
    expect(problems()).toHaveLength(2);
  });

  it('keeps its place in the results, so that a row can be made of what is known', async () => {
    serve(answers, { '/users/b': 404 });
    const known = `${members}rows: 'this.steps.ids.ids.zip(this.steps.users).map_each(p -> p.index(1) | {"id": p.index(0), "bare": true})'`;
    expect(await readRows(known)).toEqual([{ id: 'a' }, { id: 'b', bare: true }, { id: 'c' }]);
  });

  it('is left out where its address cannot be written, because its record has no id', async () => {
    serve({ ...answers, '/ids': { ids: ['a', null, 'c', ['b'], '..'] } }, {});
    expect(await readRows(rows)).toEqual([{ id: 'a' }, { id: 'c' }]);
    expect(problems()).toEqual(
      ['an item', 'an item', '..'].map((name) =>
        expect.stringContaining(`item-left-out: ${name} of users was left out: `),
      ),
    );
  });

  it('is the error of the list where no item may be read', async () => {
    serve(answers, { '/users/a': 403, '/users/b': 403, '/users/c': 403 });
    await expect(readRows(rows)).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('does not permit this'),
    });
    serve(answers, { '/users/a': 404, '/users/b': 404, '/users/c': 404 });
    expect(await readRows(rows)).toEqual([]);
  });

  it('is the error of the list where rows cannot do without it, and where the provider fails', async () => {
    serve(answers, { '/users/b': 404 });
    await expect(
      readRows(`${members}rows: 'this.steps.users.map_each(u -> u.id.uppercase())'`),
    ).rejects.toMatchObject({ status: 404 });
    serve(answers, { '/users/b': 500 });
    await expect(readRows(rows)).rejects.toMatchObject({ status: 502 });
  });

  it('is an error of what writes', async () => {
    serve(answers, { '/users/b': 404 });
    await expect(run(`action: create${rows}`)).rejects.toMatchObject({ status: 404 });
  });
});

describe('one of several steps that fill a list', () => {
  const answers = { '/a': { rows: [{ id: 'a' }] }, '/b': { rows: [{ id: 'b' }] } };
  const both = (more = '', rows = '(this.steps.a.rows | []).concat(this.steps.b.rows | [])') => `
steps:
  - { name: a, path: /a }
  - { name: b, path: /b${more} }
rows: ${rows}`;

  it.each([401, 402, 403, 501])(
    'is left out and named when it is refused with %i',
    async (status) => {
      serve(answers, { '/b': status });
      expect(await readRows(both())).toEqual([{ id: 'a' }]);
      expect(problems()).toEqual([
        expect.stringMatching(/^part-left-out: what GET \/b returns was left out: /),
      ]);
      serve(answers, { '/a': status });
      expect(await readRows(both())).toEqual([{ id: 'b' }]);
    },
  );

  it('is an error when all are refused, when it is not found, and when rows cannot do without it', async () => {
    serve(answers, { '/a': 403, '/b': 403 });
    await expect(readRows(both())).rejects.toMatchObject({ status: 502 });
    serve(answers, { '/b': 404 });
    await expect(readRows(both())).rejects.toMatchObject({ status: 404 });
    serve(answers, { '/b': 403 });
    await expect(
      readRows(both('', 'this.steps.a.rows.concat(this.steps.b.rows)')),
    ).rejects.toMatchObject({ message: expect.stringContaining('does not permit this') });
  });

  it('is an error where another step or nothing reads its result', async () => {
    serve(answers, { '/a': 403 });
    const reads = both(`, query: 'root.of = this.steps.a.rows.index(0).id | "all"'`);
    await expect(readRows(reads)).rejects.toMatchObject({ status: 502 });
    await expect(readRows(both('', 'this.steps.b.rows'))).rejects.toMatchObject({ status: 502 });
  });
});

describe('an optional step', () => {
  const kinds = `
page: { kind: token, size: 10, step: list, next: 'if (this.page.token | "a") == "a" { "b" } else { "" }' }
steps:
  - { name: list, path: '/{this.page.token | "a"}', optional: true }
rows: this.steps.list.rows | []`;
  const answers = { '/a': { rows: [{ id: 'a' }] }, '/b': { rows: [{ id: 'b' }] } };

  it('is left out of a list that goes on behind it', async () => {
    serve(answers, { '/a': 404 });
    const pages = await pagesOf(kinds);
    const first = await pages.read(undefined, 10);
    expect(first.rows).toEqual([]);
    expect((await pages.read(first.next, 10)).rows).toEqual([{ id: 'b' }]);
    expect(problems()).toHaveLength(1);
  });

  it('is an error when nothing is left of the list', async () => {
    serve(answers, { '/a': 403, '/b': 403 });
    const pages = await pagesOf(kinds);
    const { next } = await pages.read(undefined, 10);
    await expect(pages.read(next, 10)).rejects.toMatchObject({ status: 502 });
  });

  it('may be optional for some refusals alone', async () => {
    const some = kinds.replace('optional: true', 'optional: this.status == 403');
    serve(answers, { '/a': 403 });
    expect((await (await pagesOf(some)).read(undefined, 10)).rows).toEqual([]);
    serve(answers, { '/a': 404 });
    await expect((await pagesOf(some)).read(undefined, 10)).rejects.toMatchObject({ status: 404 });
  });

  it('may be optional in some cases alone', async () => {
    serve(answers, { '/a': 403 });
    const some = kinds.replace('optional: true', `optional: this.page.token == "b"`);
    await expect((await pagesOf(some)).read(undefined, 10)).rejects.toMatchObject({ status: 502 });
  });
});
