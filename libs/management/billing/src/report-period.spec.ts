import { describe, expect, it } from '@jest/globals';
import { periods, yearAndMonth } from './report-period.js';

const now = new Date('2026-03-31T23:30:00Z');
const long = new Date('2020-01-01T00:00:00Z');

describe('the periods of reports', () => {
  it('are the last twelve months and the current one, each name once', () => {
    const all = periods(now, long);
    expect(all.map((one) => `${one.month} ${yearAndMonth(one)}`)).toEqual([
      'march 2025-03',
      'april 2025-04',
      'may 2025-05',
      'june 2025-06',
      'july 2025-07',
      'august 2025-08',
      'september 2025-09',
      'october 2025-10',
      'november 2025-11',
      'december 2025-12',
      'january 2026-01',
      'february 2026-02',
      'partial 2026-03',
    ]);
    for (const [index, { end }] of all.slice(0, -1).entries())
      expect(end).toEqual(all[index + 1]?.start);
  });

  it('begin with the month in which the organization was created', () => {
    const since = new Date('2026-02-28T12:00:00Z');
    expect(periods(now, since).map(({ month }) => month)).toEqual(['february', 'partial']);
    expect(periods(now, new Date('2026-03-01T00:00:00Z'))).toHaveLength(1);
  });
});
