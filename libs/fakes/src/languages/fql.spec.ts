import { describe, expect, it } from '@jest/globals';
import { fql } from './fql.js';
import { faultOf, idsOf, idsWhere, now, type TestRow } from './rows.fixture.js';

const lower = (row: TestRow) => row.name?.toLowerCase();

const queries: [string, (row: TestRow) => boolean][] = [
  ["name:'alpha'", (row) => lower(row) === 'alpha'],
  ["name:!'Alpha'", (row) => row.name !== 'Alpha'],
  ["name:['Alpha','BETA']", (row) => ['alpha', 'beta'].includes(lower(row) ?? '')],
  ["name:!['Alpha','BETA']", (row) => !['alpha', 'beta'].includes(lower(row) ?? '')],
  ['name:null', (row) => row.name === null],
  ['name:!null', (row) => row.name !== null],
  ["name:'*a*'", (row) => lower(row)?.includes('a') ?? false],
  ["name:*'ws*'", (row) => lower(row)?.startsWith('ws') ?? false],
  ["name:!*'ws*'", (row) => !(lower(row)?.startsWith('ws') ?? false)],
  ["name:~'AMM'", (row) => lower(row)?.includes('amm') ?? false],
  ["name:!~'AMM'", (row) => !(lower(row)?.includes('amm') ?? false)],
  ["name:'O\\'Neil'", (row) => row.name === "O'Neil"],
  ['size:>10', (row) => row.size !== null && row.size > 10],
  ['size:>=10+size:<20', (row) => row.size !== null && row.size >= 10 && row.size < 20],
  ["size:'7'", (row) => row.size === 7],
  ['on:true', (row) => row.on],
  ['on:!true', (row) => !row.on],
  ["at:>'2026-11-20T00:00:00Z'", (row) => row.at > '2026-11-20T00:00:00.000Z'],
  ["at:<='now-2d'", (row) => Date.parse(row.at) <= now - 2 * 86_400_000],
  ["tags:'beta'", (row) => row.tags.includes('beta')],
  ["tags:!'beta'", (row) => !row.tags.includes('beta')],
  ["owner.city:'Bern'", (row) => row.owner.city === 'Bern'],
  ["mails.kind:'work'", (row) => row.mails.length > 0],
  [
    "on:true+size:>10,name:'beta'",
    (row) => (row.on && (row.size ?? 0) > 10) || row.name === 'beta',
  ],
  [
    "on:true+(size:>10,name:'beta')",
    (row) => row.on && ((row.size ?? 0) > 10 || row.name === 'beta'),
  ],
];

describe('FQL', () => {
  it.each(queries)('%s leaves what filtering by hand leaves', (query, condition) => {
    const ids = idsWhere(condition);
    expect(ids.length).toBeGreaterThan(0);
    expect(idsOf(fql, query)).toEqual(ids);
  });

  it.each([
    ['name', 'expected ":" at 4'],
    ["name:'a", 'unexpected character "\'" at 5'],
    ['name:alpha', 'the value alpha must be in quotes at 5'],
    ["(name:'a'", 'expected ) at 9'],
    ["name:'a' size:1", 'unexpected "size" at 9'],
    ["name:'a'+", 'expected a property at 9'],
    [7, 'the query must be a text at 0'],
  ])('%s is refused with its place', (query, fault) => {
    expect(faultOf(fql, query)).toBe(fault);
  });

  it('filters by the fields and with the operators that a route allows', () => {
    const options = { fields: new Set(['name']), operators: new Set(['=', '!']) };
    expect(idsOf(fql, "name:'beta'", options)).toEqual(idsWhere(({ name }) => name === 'beta'));
    expect(faultOf(fql, 'size:1', options)).toBe('cannot filter by "size" at 0');
    expect(faultOf(fql, "name:>'a'", options)).toBe('the operator ">" is not supported at 4');
  });
});
