import { describe, expect, it } from '@jest/globals';
import { faultOf, idsOf, idsWhere, type TestRow } from './rows.fixture.js';
import { spl } from './spl.js';

const lower = (row: TestRow) => row.name?.toLowerCase() ?? '';

const queries: [string, (row: TestRow) => boolean][] = [
  ['search name=ALPHA', (row) => row.name === 'Alpha'],
  ['| search name="Gamma ray"', (row) => row.name === 'Gamma ray'],
  ['name=ws*', (row) => lower(row).startsWith('ws')],
  ['name="*A*"', (row) => lower(row).includes('a')],
  ['name=*', (row) => row.name !== null],
  ['name!=alpha', (row) => row.name !== null && row.name !== 'Alpha'],
  ['NOT name=alpha', (row) => row.name !== 'Alpha'],
  ['NOT name=*', (row) => row.name === null],
  ['size>10', (row) => row.size !== null && row.size > 10],
  ['size>=10 size<20', (row) => row.size !== null && row.size >= 10 && row.size < 20],
  ['size=7', (row) => row.size === 7],
  ['on=true', (row) => row.on],
  ['name IN (alpha, "gamma ray", w*)', (row) => /^(?:alpha|gamma ray|w.*)$/i.test(row.name ?? '')],
  ['tags=beta', (row) => row.tags.includes('beta')],
  ['owner.city=Bern', (row) => row.owner.city === 'Bern'],
  ['on=true AND name=beta', (row) => row.on && row.name === 'beta'],
  // "OR clauses" are evaluated before "AND clauses".
  [
    'on=true size>10 OR name=beta',
    (row) => row.on && ((row.size ?? 0) > 10 || row.name === 'beta'),
  ],
  [
    '(on=true size>10) OR name=beta',
    (row) => (row.on && (row.size ?? 0) > 10) || row.name === 'beta',
  ],
  ['NOT (on=true OR size>10)', (row) => !(row.on || (row.size ?? 0) > 10)],
  ['Oslo', (row) => row.owner.city === 'Oslo'],
  ['"owner 3" ber*', (row) => row.owner.name === 'Owner 3' && row.owner.city === 'Bern'],
  ['name="O\'Neil"', (row) => row.name === "O'Neil"],
  ['', () => true],
];

describe('SPL', () => {
  it.each(queries)('%s leaves what filtering by hand leaves', (query, condition) => {
    const ids = idsWhere(condition);
    expect(ids.length).toBeGreaterThan(0);
    expect(idsOf(spl, query)).toEqual(ids);
  });

  it('finds words, not parts of them, and takes operators in capitals alone', () => {
    expect(idsOf(spl, 'osl')).toEqual([]);
    expect(idsOf(spl, 'name=alpha or name=beta')).toEqual([]);
  });

  it.each([
    ['name=', 'expected a value at 5'],
    ['(name=a', 'expected ) at 7'],
    ['name IN (a', 'expected ) at 10'],
    ['name=a | stats count', 'the command "stats" is not supported at 9'],
    ['earliest=-7d name=a', 'earliest is not supported within the search at 0'],
    ['name=a)', 'unexpected ")" at 6'],
    ['name="a', 'unexpected character """ at 5'],
    [7, 'the query must be a text at 0'],
  ])('%s is refused with its place', (query, fault) => {
    expect(faultOf(spl, query)).toBe(fault);
  });

  it('filters by the fields and with the operators that a route allows', () => {
    const options = { fields: new Set(['name']), operators: new Set(['=']) };
    expect(idsOf(spl, 'name=beta', options)).toEqual(idsWhere(({ name }) => name === 'beta'));
    expect(faultOf(spl, 'size=1', options)).toBe('cannot filter by "size" at 0');
    expect(faultOf(spl, 'name!=a', options)).toBe('the operator "!=" is not supported at 4');
  });
});
