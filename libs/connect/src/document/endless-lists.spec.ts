import { describe, expect, it } from '@jest/globals';
import { ApiError } from '#contract';
import type { ListPages } from '../provider.js';
import { scan, type ScanPosition } from '../lists/stream-list.js';
import { readAllRows } from '../lists/whole-list.js';
import { pagesOf, served, serveDuringTests } from './run-document.fixture.js';

serveDuringTests();

const byToken = (more = '') => `
page: { kind: token, size: 3, next: this.body.next${more} }
steps: [{ path: /list, query: root.after = this.page.token }]
rows: this.steps.call.rows`;
const byNumber = (kind: string) => `
page: { kind: ${kind}, size: 3, count: this.body.rows.length() }
steps: [{ path: /list, query: "root.at = this.page" }]
rows: this.steps.call.rows`;

/** Reads a list with a cursor behind each page, at most so many times. */
async function readByCursor(pages: ListPages, limit: number, calls = 50) {
  let read = 0;
  let from: ScanPosition | undefined;
  for (let call = 0; call < calls; call += 1) {
    const { rows, next } = await scan(pages, (row) => row, {
      limit,
      from,
      pageSize: limit,
      isOver: () => false,
    });
    read += rows.length;
    if (next === undefined) return read;
    from = JSON.parse(JSON.stringify(next)) as ScanPosition;
  }
  return read;
}

/** Serves a list whose tokens go around: 1, 2 … length, 1. */
function serveCycle(length: number): void {
  served.handle = (at) => {
    const token = Number(at.searchParams.get('after') ?? 0);
    return { rows: [{ id: token }], next: String((token % length) + 1) };
  };
}

describe('a list whose pages come back', () => {
  it.each([1, 2, 3, 8, 9, 20])('after %i pages is a 502, in one call', async (length) => {
    serveCycle(length);
    await expect(readAllRows(await pagesOf(byToken()), '')).rejects.toMatchObject({
      status: 502,
      message: 'the provider returned the same page as the next page',
      options: { remediation: expect.stringContaining('operations.custom_query.page') },
    });
    expect(served.asked.length).toBeLessThan(4 * length + 2);
  });

  it.each([1, 2, 9])('after %i pages is a 502 across calls, too', async (length) => {
    serveCycle(length);
    await expect(readByCursor(await pagesOf(byToken()), 1)).rejects.toThrow('the same page');
  });

  it.each(['offset', 'page'])(
    'because the provider does not read its %s is a 502',
    async (kind) => {
      served.handle = () => ({ rows: [{ id: 1 }, { id: 2 }, { id: 3 }] });
      await expect(readAllRows(await pagesOf(byNumber(kind)), '')).rejects.toThrow('the same page');
      expect(served.asked).toHaveLength(4);
      await expect(readByCursor(await pagesOf(byNumber(kind)), 2)).rejects.toThrow('the same page');
    },
  );
});

describe('a list that has more behind empty pages', () => {
  const serveEmpty = (count: number) => {
    served.handle = (at) => {
      const token = Number(at.searchParams.get('after') ?? 0);
      if (token < count) return { rows: [], next: String(token + 1) };
      return { rows: [{ id: 'x' }], next: null };
    };
  };

  it('is read on', async () => {
    serveEmpty(60);
    expect(await readAllRows(await pagesOf(byToken()), '')).toEqual([{ id: 'x' }]);
  });

  it('is a 502 when there are a hundred, and across calls', async () => {
    serveEmpty(Infinity);
    const expected = 'the provider returned 100 pages without rows one after the other';
    await expect(readAllRows(await pagesOf(byToken()), '')).rejects.toThrow(expected);
    expect(served.asked).toHaveLength(100);
    const lowered = await pagesOf(byToken(', max_pages: 30'));
    await expect(readByCursor(lowered, 5)).rejects.toThrow(expected);
  });

  it('is read on without an end where the document leaves out all rows of each page', async () => {
    const left = 'rows: this.steps.call.rows.filter(row -> row.id == 150)';
    served.handle = (at) => {
      const token = Number(at.searchParams.get('after') ?? 0);
      return { rows: [{ id: token }], next: token < 150 ? String(token + 1) : null };
    };
    const pages = await pagesOf(byToken().replace('rows: this.steps.call.rows', left));
    expect(await readAllRows(pages, '')).toEqual([{ id: 150 }]);
  });

  it('ends where more or total says so', async () => {
    served.handle = (at) => {
      const token = Number(at.searchParams.get('after') ?? 0);
      return { rows: token < 2 ? [{ id: token }] : [], next: String(token + 1), total: '2' };
    };
    for (const end of [', more: this.body.rows.length() > 0', ', total: this.body.total'])
      expect(await readAllRows(await pagesOf(byToken(end)), '')).toHaveLength(2);
  });
});

describe('a list of very many pages', () => {
  const serveMany = () => {
    served.handle = (at) => {
      const token = Number(at.searchParams.get('after') ?? 0);
      return { rows: [{ id: token }], next: String(token + 1) };
    };
  };

  it('is read on by its cursor, as many pages a request as max_pages says', async () => {
    serveMany();
    expect(await readByCursor(await pagesOf(byToken(', max_pages: 4')), 100, 5)).toBe(20);
    expect(served.asked).toHaveLength(20);
  });

  it('is a 400 where it has to be read whole', async () => {
    serveMany();
    const pages = await pagesOf(byToken(', max_pages: 4'));
    await expect(readAllRows(pages, 'Filter it.')).rejects.toMatchObject({
      status: 400,
      message: 'the provider has more than 4 pages of rows',
    });
  });
});

describe('a provider that takes no more calls for now', () => {
  const pages = (failAt: number, status: number): ListPages => ({
    size: 2,
    path: {},
    read: (at) => {
      const page = (at as number | undefined) ?? 0;
      if (page === failAt) return Promise.reject(new ApiError(status, 'later', {}));
      return Promise.resolve({ rows: [{ id: page }], next: page + 1 });
    },
  });
  const options = { limit: 5, from: undefined, pageSize: 2, isOver: () => false };

  it.each([429, 503, 504])('by a %i does not lose the rows before it', async (status) => {
    const { rows, next } = await scan(pages(3, status), (row) => row, options);
    expect(rows).toEqual([{ id: 0 }, { id: 1 }, { id: 2 }]);
    expect(next).toEqual({ at: 3, skip: 0, limit: 2 });
    await expect(
      scan(pages(3, status), (row) => row, { ...options, from: next }),
    ).rejects.toMatchObject({ status });
  });

  it.each([400, 502])('is told at once by a %i', async (status) => {
    await expect(scan(pages(3, status), (row) => row, options)).rejects.toMatchObject({ status });
  });
});
