import { describe, expect, it } from '@jest/globals';
import { readAllRows } from '../lists/whole-list.js';
import { pagesOf, readByCursor, served, serveDuringTests } from './run-document.fixture.js';

serveDuringTests();

const visible = (count: number, isHidden: (id: number) => boolean) =>
  Array.from({ length: count }, (_, at) => at + 1).filter((id) => !isHidden(id));

/** Serves numbered rows. It gives at most `cap` rows, and leaves the hidden ones out behind the cut, as a check of permissions does. */
function serveRows({ count = 95, cap = Infinity, isHidden = (_id: number) => false }): number[] {
  const all = visible(count, () => false);
  served.handle = (at) => {
    const parameter = (name: string) => Number(at.searchParams.get(name));
    const size = Math.min(parameter('limit'), cap);
    const from = at.searchParams.has('page') ? (parameter('page') - 1) * size : parameter('offset');
    const rows = all.slice(from, from + size).filter((id) => !isHidden(id));
    return { rows: rows.map((id) => ({ id })), total: count, text: String(count), size };
  };
  return visible(count, isHidden);
}

const document = (page: string) => `
page: { size: 50, ${page} }
steps:
  - path: /list
    query: |
      root.limit = this.page.limit
      ${page.includes('offset') ? 'root.offset = this.page.offset' : 'root.page = this.page.number'}
rows: this.steps.call.rows`;

const counted = 'count: this.body.rows.length()';
const kinds = {
  'an offset': `kind: offset, ${counted}`,
  'an offset and a total': `kind: offset, ${counted}, total: this.body.total`,
  'an offset and a total that is a text': `kind: offset, ${counted}, total: this.body.text`,
  'the number of a page': `kind: page, ${counted}`,
  'the number of a page and a total': `kind: page, ${counted}, total: this.body.total`,
  'the number of a page and a total that is a text': `kind: page, ${counted}, total: this.body.text`,
};
const isTenth = (id: number) => id % 10 === 0;

describe.each(Object.entries(kinds))('a list paged by %s has each row once', (_name, page) => {
  it.each([
    ['as they are asked for', {}],
    ['of 20 rows at most', { cap: 20 }],
    ['without rows that the user may not see', { isHidden: isTenth }],
    ['of 20 rows at most, some of them left out', { cap: 20, isHidden: isTenth }],
    ['whose last one is full', { count: 100 }],
    ['whose last one is full, at 20 rows', { count: 80, cap: 20 }],
    ['of which there are none', { count: 0 }],
  ])('where the provider gives pages %s', async (_case, provider) => {
    const expected = serveRows(provider);
    const operation = document(page);
    const whole = await readAllRows(await pagesOf(operation), '');
    expect(whole.map(({ id }) => id)).toEqual(expected);
    expect(await readByCursor(operation, 50)).toEqual(expected);
    expect(await readByCursor(operation, 7)).toEqual(expected);
  });
});

describe('a page without rows', () => {
  it.each(['offset', 'page'])('is not the last one of a list by %s with a total', async (kind) => {
    const expected = serveRows({ count: 40, isHidden: (id) => id <= 30 });
    const operation = document(`kind: ${kind}, ${counted}, total: this.body.total`);
    expect(await readByCursor(operation.replace('size: 50', 'size: 10'), 10)).toEqual(expected);
  });

  it.each(['true', '"true"'])(
    'goes on where the provider says by %s that there is more',
    async (yes) => {
      serveRows({ count: 3 });
      const { handle } = served;
      served.handle = (at, request, response) => {
        const page = Number(at.searchParams.get('page'));
        const empty = { rows: [], more: JSON.parse(yes) as unknown };
        if (page <= 2) return empty;
        at.searchParams.set('page', String(page - 2));
        return { ...(handle(at, request, response) as object), more: false };
      };
      const operation = document(`kind: page, ${counted}, more: this.body.more`);
      expect(await readByCursor(operation, 50)).toEqual([1, 2, 3]);
    },
  );
});

describe('a page that is not full', () => {
  it('is the last one where the document says so, which saves a call', async () => {
    const expected = serveRows({ count: 60 });
    const operation = document(`kind: offset, ${counted}, short_page_is_last: true`);
    expect(await readByCursor(operation, 50)).toEqual(expected);
    expect(served.asked).toEqual(['/list?limit=50&offset=0', '/list?limit=50&offset=50']);
  });

  it('is followed by the one that advance says', async () => {
    const expected = serveRows({ count: 400, isHidden: (id) => id % 40 !== 0 });
    const operation = document(
      `kind: offset, ${counted}, total: this.body.total, advance: this.body.size`,
    );
    const whole = await readAllRows(await pagesOf(operation), '');
    expect(whole.map(({ id }) => id)).toEqual(expected);
    expect(served.asked).toHaveLength(9);
  });
});

describe('a provider whose pages have a fixed size', () => {
  it('is asked for this one, whatever the caller wants', async () => {
    const expected = serveRows({ count: 60 });
    const operation = document(
      `kind: page, fixed_size: true, ${counted}, more: this.body.rows.length() == this.page.limit`,
    );
    expect(await readByCursor(operation, 7)).toEqual(expected);
    expect(served.asked.every((at) => at.includes('limit=50'))).toBe(true);
  });
});
