import { beforeEach, describe, expect, it } from '@jest/globals';
import { scan, type ScanPosition } from '../lists/stream-list.js';
import { readAllRows } from '../lists/whole-list.js';
import {
  all,
  type Handler,
  ids,
  pagesOf,
  served,
  serveDuringTests,
} from './run-document.fixture.js';

serveDuringTests();

const part = (url: URL, from: number) => {
  const size = Number(url.searchParams.get('limit'));
  return { rows: all.slice(from, from + size), from, size, total: all.length };
};

/** The styles of paging there are: what the document says, and how the provider answers. */
const styles: Record<string, [operation: string, answer: Handler]> = {
  'an offset, with a total': [
    `page: { kind: offset, size: 3, count: this.body.rows.length(), total: this.body.total }
steps: [{ path: /list, query: "root.limit = this.page.limit\\nroot.offset = this.page.offset" }]
rows: this.steps.call.rows`,
    (at) => part(at, Number(at.searchParams.get('offset'))),
  ],
  'an offset, until a page is not full, which the vendor documents': [
    `page: { kind: offset, size: 3, count: this.body.rows.length(), short_page_is_last: true }
steps: [{ path: /list, query: "root.limit = this.page.limit\\nroot.offset = this.page.offset" }]
rows: this.steps.call.rows`,
    (at) => part(at, Number(at.searchParams.get('offset'))),
  ],
  'the number of a page, told that there is more': [
    `page: { kind: page, size: 3, count: this.body.rows.length(), more: this.body.more }
steps: [{ path: /list, query: "root.limit = this.page.limit\\nroot.page = this.page.number" }]
rows: this.steps.call.rows`,
    (at) => {
      const size = Number(at.searchParams.get('limit'));
      const from = (Number(at.searchParams.get('page')) - 1) * size;
      return { ...part(at, from), more: from + size < all.length };
    },
  ],
  'a token in a parameter': [
    `page: { kind: token, size: 3, next: this.body.next }
steps: [{ path: /list, query: "root.limit = this.page.limit\\nroot.after = this.page.token | null" }]
rows: this.steps.call.rows`,
    (at) => {
      const page = part(at, Number(at.searchParams.get('after') ?? 0));
      const next = page.from + page.size;
      return { ...page, next: next < all.length ? String(next) : null };
    },
  ],
  'a token that an earlier step has a part of': [
    `page: { kind: token, step: rows, size: 3, next: 'if this.body.next != null { this.steps.place.name + this.body.next }' }
steps:
  - { name: place, path: /place }
  - name: rows
    path: /list
    query: |
      root.limit = this.page.limit
      root.after = (this.page.token | null).not_null().trim_prefix(this.steps.place.name) | null
rows: this.steps.rows.rows`,
    (at) => {
      if (at.pathname.endsWith('/place')) return { name: 'place-' };
      const page = part(at, Number(at.searchParams.get('after') ?? 0));
      const next = page.from + page.size;
      return { ...page, next: next < all.length ? String(next) : null };
    },
  ],
  'a cursor in the body, both ways': [
    `page: { kind: token, size: 3, next: this.body.page.cursor, more: this.body.page.more }
steps:
  - path: /list
    method: POST
    repeatable: true
    body: "root.limit = this.page.limit\\nroot.cursor = this.page.token | null"
rows: this.steps.call.rows`,
    async (_at, request) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const { limit, cursor } = JSON.parse(Buffer.concat(chunks).toString()) as {
        limit: number;
        cursor: string | null;
      };
      const from = Number(cursor?.slice('row '.length) ?? 0);
      // A cursor comes with the last page too.
      const page = { cursor: `row ${from + limit}`, more: from + limit < all.length };
      return { rows: all.slice(from, from + limit), page };
    },
  ],
  'the header Link': [
    `page: { kind: link, size: 3 }
steps: [{ path: /list, query: root.limit = this.page.limit }]
rows: this.steps.call.rows`,
    (at, _request, response) => {
      const page = part(at, Number(at.searchParams.get('from')));
      const next = page.from + page.size;
      if (next < all.length)
        response.setHeader(
          'link',
          `<${served.url}/first>; rel="first", </list?limit=${page.size}&from=${next}>; rel="next"`,
        );
      return page;
    },
  ],
  'an address in the body': [
    `page: { kind: link, size: 3, next: this.body."@odata.nextLink" }
steps: [{ path: /list, query: root.limit = this.page.limit }]
rows: this.steps.call.rows`,
    (at) => {
      const page = part(at, Number(at.searchParams.get('from')));
      const next = page.from + page.size;
      const link = `${served.url}/list?limit=${page.size}&from=${next}`;
      return { ...page, ...(next < all.length ? { '@odata.nextLink': link } : {}) };
    },
  ],
};

describe.each(Object.entries(styles))('a list paged by %s', (_name, [operation, answer]) => {
  beforeEach(() => {
    served.handle = answer;
  });

  it('is read whole, every row once', async () => {
    expect(ids(await readAllRows(await pagesOf(operation), ''))).toBe('abcdefg');
    expect(served.asked.filter((at) => !at.endsWith('/place'))).toHaveLength(3);
  });

  it.each([1, 2, 3, 5, 7])('goes on after a restart, %i rows at a time', async (limit) => {
    const given: string[] = [];
    let from: ScanPosition | undefined;
    do {
      const { rows, next } = await scan(await pagesOf(operation), (row) => row, {
        limit,
        from,
        pageSize: limit,
        isOver: () => false,
      });
      expect(rows.length).toBeLessThanOrEqual(limit);
      given.push(ids(rows));
      from = next && (JSON.parse(JSON.stringify(next)) as ScanPosition); // all that a cursor holds
    } while (from !== undefined);
    expect(given.join('')).toBe('abcdefg');
  });
});

describe('a list that does not end', () => {
  it.each([
    ['token', 'next: this.body.next', { rows: [], next: 'again' }],
    ['link', 'next: this.body.next', { rows: [], next: '/list?again' }],
  ])('by its %s is a 502, and not read until the deadline', async (kind, next, body) => {
    served.handle = () => body;
    const pages = await pagesOf(
      `page: { kind: ${kind}, size: 3, ${next} }\nsteps: [{ path: /list }]\nrows: this.steps.call.rows`,
    );
    await expect(readAllRows(pages, '')).rejects.toThrow('returned the same page as the next page');
    expect(served.asked).toHaveLength(2);
  });

  it('may not lead to another host with our credential', async () => {
    served.handle = () => ({ rows: [], next: 'http://169.254.169.254/list' });
    const pages = await pagesOf(
      `page: { kind: link, size: 3, next: this.body.next }\nsteps: [{ path: /list }]\nrows: this.steps.call.rows`,
    );
    await expect(readAllRows(pages, '')).rejects.toThrow(
      'the next page is at http://169.254.169.254',
    );
  });
});
