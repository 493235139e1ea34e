import { describe, expect, it } from '@jest/globals';
import type { CompiledWindow } from '#provider-document';
import { readAllRows } from '../lists/whole-list.js';
import type { PagePosition } from './page-position.js';
import { firstWindow, nextWindow } from './page-windows.js';
import { pagesOf, readByCursor, served, serveDuringTests } from './run-document.fixture.js';

serveDuringTests();

const start = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

interface Vendor {
  count?: number;
  /** Milliseconds between two rows. */
  stepMs?: number;
  maxRows?: number;
  maxSpanMs?: number;
  untilIsInclusive?: boolean;
}

/** Serves rows by time. It refuses offsets beyond `maxRows`, and windows that are too long, as vendors do. */
function serveByTime({ count = 45, stepMs = dayMs, ...limits }: Vendor): number[] {
  const { maxRows = 10, maxSpanMs = Infinity, untilIsInclusive = false } = limits;
  served.handle = (at, _request, response) => {
    const text = (name: string) => at.searchParams.get(name);
    const [since, until] = ['since', 'until'].map(
      (name) => text(name) && Date.parse(text(name) as string),
    );
    const [offset, limit] = [Number(text('offset')), Number(text('limit'))];
    const span = (until || Infinity) - (since || -Infinity);
    if (offset + limit > maxRows || (since && span > maxSpanMs)) {
      response.statusCode = 400;
      return { error: 'beyond the end of the list' };
    }
    let rows = Array.from({ length: count }, (_, id) => ({ id, at: start + id * stepMs }));
    if (since) rows = rows.filter((row) => row.at >= since);
    if (until)
      rows = rows.filter((row) => row.at < until || (untilIsInclusive && row.at === until));
    if (text('order') === 'desc') rows.reverse();
    const page = rows.slice(offset, offset + limit);
    const shown = page.map(({ id, at: time }) => ({ id, created: new Date(time).toISOString() }));
    return { rows: shown, more: offset + limit < rows.length };
  };
  return Array.from({ length: count }, (_, id) => id);
}

const document = (window: string, direction: 'asc' | 'desc') => `
page:
  kind: offset
  size: 4
  count: this.body.rows.length()
  more: this.body.more
  window: { time: this.row.created, descending: ${direction === 'desc'}, ${window} }
steps:
  - path: /list
    query: |
      root.offset = this.page.offset
      root.limit = this.page.limit
      root.order = "${direction}"
      root.since = if this.page.from != null { (this.page.from / 1000).ts_format("2006-01-02T15:04:05Z", "UTC") }
      root.until = if this.page.until != null { (this.page.until / 1000).ts_format("2006-01-02T15:04:05Z", "UTC") }
rows: this.steps.call.rows`;

describe.each(['asc', 'desc'] as const)('a list that the provider ends early, %s', (direction) => {
  const ordered = (ids: number[]) => (direction === 'desc' ? [...ids].reverse() : ids);

  it.each([
    ['at ten rows', {}, 'max_rows: 10'],
    ['at ten rows, some of them in one second', { stepMs: 400 }, 'max_rows: 10'],
    ['where the end of a window counts', { stepMs: 1000, untilIsInclusive: true }, 'max_rows: 10'],
    [
      'at ten rows, in windows of a week',
      { maxSpanMs: 7 * dayMs },
      'max_rows: 10, span_days: 7, earliest: 2023-06-01',
    ],
    [
      'in windows of a month, most of which are empty',
      { count: 12, stepMs: 70 * dayMs, maxSpanMs: 30 * dayMs },
      'max_rows: 10, span_days: 30, earliest: 2023-12-01, until: \'"2026-03-01T00:00:00Z"\'',
    ],
  ])('%s, is read to its end with each row once', async (_name, vendor, window) => {
    const expected = ordered(serveByTime(vendor));
    const operation = document(window, direction);
    expect(await readByCursor(operation, 4)).toEqual(expected);
    expect(await readByCursor(operation, 3)).toEqual(expected);
    const whole = await readAllRows(await pagesOf(operation), '');
    expect(whole.map(({ id }) => id)).toEqual(expected);
  });

  it('is a 502 where more rows have one time than the provider gives', async () => {
    serveByTime({ count: 45, stepMs: 10 });
    await expect(readByCursor(document('max_rows: 10', direction), 4)).rejects.toThrow(
      'and has more of one time than it gives',
    );
  });
});

describe('a list with bounds', () => {
  it.each(['asc', 'desc'] as const)('is read within them alone, %s', async (direction) => {
    serveByTime({ maxSpanMs: 7 * dayMs });
    const bounds = 'from: \'"2024-01-11T00:00:00Z"\', until: \'"2024-01-31T00:00:00Z"\'';
    const operation = document(
      `max_rows: 10, span_days: 7, earliest: 2020-01-01, ${bounds}`,
      direction,
    );
    const read = (await readByCursor(operation, 4)) as number[];
    expect(read.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 10));
    expect(served.asked.length).toBeLessThan(12);
  });
});

describe('the window of a document', () => {
  it.each([
    ['earliest: 2020-01-01', 'a window needs max_rows or span_days'],
    ['span_days: 7', 'a window with span_days needs earliest'],
    ['max_rows: 10, from: this.body.begin', 'this.body does not exist here'],
  ])('is checked: %s', async (window, message) => {
    await expect(pagesOf(document(window, 'asc'))).rejects.toThrow(message);
  });
});

it('the last window of a list without an end stays the last one while the time goes on', () => {
  const now = Date.UTC(2026, 0, 1);
  const window = { source: { span_days: 7 } } as unknown as CompiledWindow;
  const ask = (key: string) => (key === 'from' ? '2025-12-30T00:00:00Z' : null);
  const first = firstWindow(window, ask, now);
  const next = (later: number) => {
    const position = { ...first, progress: { rows: 0 } } as unknown as PagePosition;
    const end = { position, edge: undefined, isCut: false, now: now + later };
    return nextWindow({ window, place: 'page' }, ask, end);
  };
  expect(next(20_000)).toBeUndefined();
  // A list that took longer goes on with what has come since.
  expect(next(3_600_000)).toMatchObject({ from: first.until, until: now + 3_660_000 });
});
