import { describe, expect, it } from '@jest/globals';
import { graphql } from './graphql.js';
import { faultOf, idsOf, idsWhere, now, type TestRow } from './rows.fixture.js';

const day = 86_400_000;
const at = (ago: number) => new Date(now - ago).toISOString();
const queries: [object, (row: TestRow) => boolean][] = [
  [{}, () => true],
  [{ name: { eq: 'Alpha' } }, (row) => row.name === 'Alpha'],
  [{ name: { neq: 'Alpha' } }, (row) => row.name !== 'Alpha'],
  [{ name: { eqIgnoreCase: 'ALPHA' } }, (row) => row.name === 'Alpha'],
  [{ name: { in: ['Alpha', 'beta'] } }, (row) => ['Alpha', 'beta'].includes(row.name ?? '')],
  [{ name: { nin: ['Alpha', 'beta'] } }, (row) => !['Alpha', 'beta'].includes(row.name ?? '')],
  [{ name: { contains: 'ray' } }, (row) => row.name?.includes('ray') ?? false],
  [{ name: { containsIgnoreCase: 'RAY' } }, (row) => row.name?.includes('ray') ?? false],
  [{ name: { notContains: 'ray' } }, (row) => !row.name?.includes('ray')],
  [{ name: { startsWith: 'WS' } }, (row) => row.name?.startsWith('WS') ?? false],
  [{ name: { endsWith: '%' } }, (row) => row.name?.endsWith('%') ?? false],
  [{ name: { null: true } }, (row) => row.name === null],
  [{ name: { null: false } }, (row) => row.name !== null],
  [{ size: { gte: 5, lt: 9 } }, (row) => row.size !== null && row.size >= 5 && row.size < 9],
  [{ at: { gt: at(2 * day) } }, (row) => Date.parse(row.at) > now - 2 * day],
  [{ owner: { city: { eq: 'Bern' } } }, (row) => row.owner.city === 'Bern'],
  [{ tags: { some: { eq: 'beta' } } }, (row) => row.tags.includes('beta')],
  [
    { mails: { some: { address: { startsWith: 'u12' } } } },
    (row) => row.mails.some(({ address }) => address.startsWith('u12')),
  ],
  [
    { and: [{ on: { eq: true } }, { size: { gt: 10 } }] },
    (row) => row.on && row.size !== null && row.size > 10,
  ],
  [
    { or: [{ name: { eq: 'beta' } }, { size: { eq: 3 } }], on: { eq: true } },
    (row) => row.on && (row.name === 'beta' || row.size === 3),
  ],
];

describe('filters of GraphQL APIs', () => {
  it.each(queries.map(([query, condition]) => [JSON.stringify(query), query, condition] as const))(
    '%s leaves what filtering by hand leaves',
    (_title, query, condition) => {
      const ids = idsWhere(condition);
      expect(ids.length).toBeGreaterThan(0);
      expect(idsOf(graphql, query)).toEqual(ids);
    },
  );

  it.each([
    ['all', 'Argument Validation Error: the filter of the list must be an object at 0'],
    [{ name: 'Alpha' }, 'Argument Validation Error: the filter of name must be an object at 0'],
    [{ name: { eq: null } }, 'Argument Validation Error: name.eq is null at 0'],
  ])('%j is refused', (query, fault) => {
    expect(faultOf(graphql, query)).toBe(fault);
  });

  it('takes the fields and operators that a route allows', () => {
    const options = { fields: new Set(['name']), operators: new Set(['eq']) };
    expect(idsOf(graphql, { name: { eq: 'Alpha' } }, options)).toEqual(
      idsWhere(({ name }) => name === 'Alpha'),
    );
    expect(faultOf(graphql, { size: { eq: 1 } }, options)).toBe('cannot filter by "size" at 0');
    expect(faultOf(graphql, { name: { in: [] } }, options)).toBe(
      'the operator "in" is not supported at 0',
    );
  });
});
