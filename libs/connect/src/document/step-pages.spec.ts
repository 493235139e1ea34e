import { describe, expect, it } from '@jest/globals';
import { Problems } from '../problems.js';
import { readAllRows } from '../lists/whole-list.js';
import { pagesOf, served, serveDuringTests } from './run-document.fixture.js';

serveDuringTests();

const threads = ['a', 'b', 'c'];
const replies = (thread: string) =>
  Array.from({ length: thread === 'b' ? 0 : 7 }, (_, at) => `${thread}${at}`);

/** Serves threads, and the replies of each in pages of two. */
function serveThreads(): void {
  served.handle = (at) => {
    if (at.pathname === '/threads') return { threads };
    const all = replies(at.pathname.split('/').at(-1) ?? '');
    const from = Number(at.searchParams.get('cursor') ?? 0);
    const next = from + 2 < all.length ? String(from + 2) : '';
    return { replies: all.slice(from, from + 2), next, total: String(all.length) };
  };
}

const document = (page: string) => `
steps:
  - { name: threads, path: /threads }
  - name: replies
    each: this.steps.threads.threads
    path: /replies/{this.item}
    query: |
      root.limit = this.page.limit
      root.cursor = this.page.token
    page: { kind: token, size: 2, next: this.body.next, rows: this.body.replies${page} }
rows: 'this.steps.replies.flatten().map_each(text -> {"text": text})'`;

const textsOf = async (operation: string) =>
  (await readAllRows(await pagesOf(operation), '')).map(({ text }) => text);

describe('a step with pages of its own', () => {
  it('is read to its end for each item', async () => {
    serveThreads();
    expect(await textsOf(document(''))).toEqual(threads.flatMap(replies));
    expect(served.asked).toHaveLength(1 + 4 + 1 + 4);
  });

  it('has the list of its rows as its result, without each', async () => {
    serveThreads();
    const operation = `
steps:
  - path: /replies/a
    query: root.cursor = this.page.offset
    page: { kind: offset, size: 5, total: this.body.total, rows: this.body.replies }
rows: 'this.steps.call.map_each(text -> {"text": text})'`;
    expect(await textsOf(operation)).toEqual(replies('a'));
  });

  it('pages by itself in a list that is paged by another step', async () => {
    serveThreads();
    const operation = `
page: { kind: token, size: 1, step: threads, next: this.body.next }
steps:
  - { name: threads, path: /pages, query: root.after = this.page.token }
  - name: replies
    path: /replies/{this.steps.threads.thread}
    query: root.cursor = this.page.token
    page: { kind: token, size: 2, next: this.body.next, rows: this.body.replies }
rows: 'this.steps.replies.map_each(text -> {"text": text})'`;
    const { handle } = served;
    served.handle = (at, request, response) => {
      if (at.pathname !== '/pages') return handle(at, request, response);
      const number = Number(at.searchParams.get('after') ?? 0);
      return { thread: threads[number], next: number < 2 ? String(number + 1) : null };
    };
    expect(await textsOf(operation)).toEqual(threads.flatMap(replies));
  });

  it('is cut behind max_pages, and the response says so', async () => {
    serveThreads();
    const problems = new Problems();
    const pages = await pagesOf(document(', max_pages: 2'), undefined, { problems });
    expect((await readAllRows(pages, '')).map(({ text }) => text)).toEqual([
      ...replies('a').slice(0, 4),
      ...replies('c').slice(0, 4),
    ]);
    expect(problems.render(0)?.problems).toEqual([
      expect.objectContaining({
        message: 'the list replies was cut: one request reads 2 pages of it',
        detail: 'operations.custom_query.steps.1 of the provider document reads it.',
        instance: 'list-cut',
      }),
      expect.objectContaining({ instance: 'list-cut' }),
    ]);
  });

  it('that does not end is a 502 that names the step', async () => {
    serveThreads();
    const { handle } = served;
    served.handle = (at, request, response) => ({
      ...(handle(at, request, response) as object),
      ...(at.pathname === '/threads' ? {} : { next: '2' }),
    });
    await expect(textsOf(document(''))).rejects.toMatchObject({
      status: 502,
      options: { remediation: expect.stringContaining('operations.custom_query.steps.1.page') },
    });
  });

  it('is a 502 where an answer has no rows', async () => {
    served.handle = (at) => (at.pathname === '/threads' ? { threads } : { next: null });
    await expect(textsOf(document(''))).rejects.toThrow(
      'failed at operations.custom_query.steps.1.page.rows: the value is not a list',
    );
  });

  it('that is read by one call says by cut that it is not all', async () => {
    serveThreads();
    const problems = new Problems();
    const operation = `
steps:
  - path: /replies/a
    cut: this.body.replies.length() < this.body.total.number()
rows: 'this.steps.call.replies.map_each(text -> {"text": text})'`;
    const pages = await pagesOf(operation, undefined, { problems });
    expect(await readAllRows(pages, '')).toHaveLength(2);
    expect(problems.render(0)?.problems[0]?.message).toBe(
      'the list call was cut: the provider gives no more of it',
    );
  });

  it.each([
    [document('').replace(', rows: this.body.replies', ''), 'a page of a step needs rows'],
    [document(', again: this.body.next'), 'a page of a step has no again'],
    [
      document('').replace('this.page.token', 'this.page.offset'),
      'this.page.offset does not exist here',
    ],
    [
      `page: { kind: token, size: 2, step: replies, next: this.body.next }\n${document('').replace('each: this.steps.threads.threads', 'when: "true"').replace('this.item', '"a"')}`,
      'the step reads all of its pages by itself',
    ],
    [
      'page: { kind: link, size: 2, rows: this.body.rows }\nsteps: [{ path: /list }]\nrows: this.steps.call',
      'rows of page are for steps',
    ],
  ])('is checked: %#', async (operation, message) => {
    await expect(pagesOf(operation)).rejects.toThrow(message);
  });
});
