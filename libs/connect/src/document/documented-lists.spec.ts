import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readAllRows } from '../lists/whole-list.js';
import { pagesOf, served, serveDuringTests } from './run-document.fixture.js';

serveDuringTests();

const text = readFileSync(
  new URL('../../../../../docs/providers/lists.md', import.meta.url),
  'utf8',
);
const [byKeys = '', byWindows = '', within = ''] = [
  ...text.matchAll(/^```yaml\nticketing_query_tickets:\n([^]*?)\n```$/gm),
].map(([, operation = '']) => operation.replace(/^ {2}/gm, ''));

const [, leftOut = ''] = /^```yaml\nappsec_query_findings:\n([^]*?)\n```$/m.exec(text) ?? [];

const read = async (operation: string) => await readAllRows(await pagesOf(operation), '');
const tickets = Array.from({ length: 45 }, (_, at) => ({
  id: at + 1,
  created: new Date(Date.UTC(2026, 0, 1, at)).toISOString(),
}));

describe('the examples of the page on lists', () => {
  it('read a list whose parts the provider may refuse', async () => {
    served.handle = (at, _request, response) => {
      if (at.pathname === '/users/gone') response.statusCode = 404;
      if (at.pathname.startsWith('/users/')) return { name: 'Ada' };
      return {
        found: [
          { id: 1, user: 'ada' },
          { id: 2, user: 'gone' },
        ],
      };
    };
    expect(await read(leftOut.replace(/^ {2}/gm, ''))).toEqual([
      { id: 1, user: 'Ada' },
      { id: 2, user: null },
    ]);
  });

  it('read a list by keys', async () => {
    served.handle = (at) => {
      const after = Number(at.searchParams.get('after_id'));
      return { tickets: tickets.filter(({ id }) => id > after).slice(0, 20) };
    };
    expect(await read(byKeys)).toEqual(tickets);
    expect(served.asked).toHaveLength(4);
  });

  it('read a list that the provider ends by windows', async () => {
    const operation = byWindows
      .replace('max_rows: 10000', 'max_rows: 20')
      .replace('size: 100', 'size: 10');
    served.handle = (at) => {
      const since = at.searchParams.get('since') ?? '';
      const [offset, limit] = ['offset', 'limit'].map((name) => Number(at.searchParams.get(name)));
      const end = (offset ?? 0) + (limit ?? 0);
      const found = tickets.filter(({ created }) => created >= since);
      return { tickets: found.slice(offset, Math.min(end, 20)), more: end < found.length };
    };
    expect(await read(operation)).toEqual(tickets);
  });

  it('read lists within a list', async () => {
    const watchers = Array.from({ length: 45 }, (_, at) => `user ${at}`);
    served.handle = (at) => {
      if (at.pathname === '/tickets') return { tickets: tickets.slice(0, 2), next: null };
      const [size, number] = ['per_page', 'page'].map((name) => Number(at.searchParams.get(name)));
      const start = ((number ?? 1) - 1) * (size ?? 0);
      return { watchers: watchers.slice(start, start + (size ?? 0)), total: '45' };
    };
    const rows = tickets.slice(0, 2).map((ticket) => ({ ...ticket, watchers }));
    expect(await read(within)).toEqual(rows);
  });
});
