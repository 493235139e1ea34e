import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { comparer, type Fields, matcher, parseFilter, parseOrder, QueryError } from './index.js';

const fields: Fields = {
  name: { type: 'string' },
  'user.age': { type: 'number' },
  open: { type: 'boolean' },
  created_at: { type: 'datetime' },
  priority: { type: 'enum', values: ['HIGH', 'LOW'] },
  labels: { type: 'list', orders: false },
};
const read = (record: Record<string, unknown>, field: string) => record[field];
const passes = (filter: string, record: Record<string, unknown>) =>
  matcher([parseFilter(filter, fields)], fields, read)(record);

describe('filters', () => {
  it.each([
    ['name[eq]a', { name: 'a' }, { name: 'b' }],
    ['name[eq]"a b"', { name: 'a b' }, { name: '"a b"' }],
    ['name[ne]a', { name: 'b' }, { name: 'a' }],
    ['name[neq]a', {}, { name: 'a' }],
    ['name[in]a,"b,c"', { name: 'b,c' }, { name: 'b' }],
    ['name[in]a, "b,c" , d', { name: 'b,c' }, { name: 'b' }],
    ['name[not in]a,b', { name: 'c' }, { name: 'a' }],
    ['name[like]demo-%', { name: 'Demo-1' }, { name: 'a demo-1' }],
    ['name[like]splunk*', { name: 'splunk_search' }, { name: 'my splunk' }],
    ['name[like]mid', { name: 'a mid b' }, { name: 'm i d' }],
    ['name[not like]mid', { name: 'x' }, { name: 'amidb' }],
    ['user.age[gt]3', { 'user.age': 4 }, { 'user.age': 3 }],
    ['user.age[lte]3', { 'user.age': 3 }, {}],
    ['open[eq]true', { open: true }, { open: false }],
    [
      'created_at[gte]2026-01-01T00:00:00Z',
      { created_at: '2026-01-01T00:00:00Z' },
      { created_at: '2025-12-31T00:00:00Z' },
    ],
    [
      'created_at[lt]2026-01-01T01:00:00+01:00',
      { created_at: Date.UTC(2025, 11, 31) },
      { created_at: Date.UTC(2026, 0, 1) },
    ],
    ['created_at[eq]1767225600000', { created_at: '2026-01-01T00:00:00Z' }, { created_at: 1 }],
    [
      'created_at[eq]2026-01-01T02:00:00.000+0200',
      { created_at: '2026-01-01 00:00:00' },
      { created_at: '2026-01-01T02:00:00Z' },
    ],
    ['created_at[lt]2026-01-01T02:00:00 02:00', { created_at: 0 }, { created_at: '' }],
    ['created_at[in]1767225600000,2026-02-01', { created_at: '2026-02-01' }, { created_at: 'x' }],
    ['created_at[neq]2026-01-01', { created_at: 'never' }, { created_at: '2026-01-01' }],
    ['priority[eq]HIGH', { priority: 'HIGH' }, { priority: 'LOW' }],
    ['labels[eq]a', { labels: ['b', 'a'] }, { labels: ['b'] }],
    ['labels[neq]a', { labels: ['b'] }, { labels: ['a', 'b'] }],
  ])('%s', (filter, yes, no) => {
    expect(passes(filter, yes)).toBe(true);
    expect(passes(filter, no)).toBe(false);
  });

  it.each([
    ['nonsense', 0, 'Write field[operator]value, such as name[eq]acme.'],
    ['nam[eq]a', 0, 'Did you mean "name"?'],
    ['__proto__[eq]a', 0, 'The fields are name'],
    ['name[is]a', 5, 'Use one of eq'],
    ['user.age[eq]x', 12, 'Write a number'],
    ['open[eq]1', 8, 'Write true or false.'],
    ['created_at[gt]yesterday', 14, 'Write RFC 3339'],
    ['created_at[gt]1767225600', 14, 'or milliseconds since 1970'],
    ['priority[eq]MID', 12, 'Use one of HIGH, LOW.'],
    ['user.age[like]4', 9, 'Use eq, gt or lt.'],
  ])('%s is refused at character %d with a remedy', (filter, position, remedy) => {
    let error: unknown;
    try {
      parseFilter(filter, fields);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(QueryError);
    expect((error as QueryError).position).toBe(position);
    expect((error as QueryError).remediation).toContain(remedy);
  });

  it('throws nothing but QueryError for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `name[${text}]x`),
        ),
        (text) => {
          try {
            parseFilter(text, fields);
          } catch (error) {
            expect(error).toBeInstanceOf(QueryError);
          }
        },
      ),
    );
  });

  it('matches a hostile pattern without backtracking', () => {
    const test = matcher([parseFilter(`name[like]${'a%'.repeat(2000)}b`, fields)], fields, read);
    // With backtracking the test would not end.
    expect(test({ name: 'a'.repeat(100_000) })).toBe(false);
  });
});

describe('orders', () => {
  it('sort by the first order first, missing values last', () => {
    const orders = ['priority[desc]', 'name'].map((text) => parseOrder(text, fields));
    const records = [
      { name: 'b', priority: 'HIGH' },
      { name: 'c' },
      { name: 'a', priority: 'HIGH' },
      { name: 'd', priority: 'LOW' },
    ];
    expect(records.sort(comparer(orders, read)).map(({ name }) => name)).toEqual([
      'd',
      'a',
      'b',
      'c',
    ]);
  });

  it('refuse fields that cannot be ordered by', () => {
    expect(() => parseOrder('labels', fields)).toThrow('cannot be ordered by "labels"');
    expect(() => parseOrder('name[up]', fields)).toThrow('is not an order');
  });
});
