import { describe, expect, it } from '@jest/globals';
import { jql } from './jql.js';
import { faultOf, idsOf, idsWhere, now, type TestRow } from './rows.fixture.js';

const lower = (row: TestRow) => row.name?.toLowerCase() ?? '';
const daysAgo = (days: number) => now - days * 86_400_000;

const queries: [string, (row: TestRow) => boolean][] = [
  ['name = alpha', (row) => lower(row) === 'alpha'],
  ['name != alpha', (row) => lower(row) !== '' && lower(row) !== 'alpha'],
  ['name = "Gamma ray" or name = \'WS-01\'', (row) => ['gamma ray', 'ws-01'].includes(lower(row))],
  ['name in (alpha, "beta")', (row) => ['alpha', 'beta'].includes(lower(row))],
  ['name not in (alpha, beta)', (row) => !['', 'alpha', 'beta'].includes(lower(row))],
  ['name is EMPTY', (row) => lower(row) === ''],
  ['name = null', (row) => lower(row) === ''],
  ['name is not empty', (row) => lower(row) !== ''],
  ['name ~ ray', (row) => /\bray\b/.test(lower(row))],
  ['name ~ "ga*"', (row) => lower(row).startsWith('ga')],
  ['name !~ ray', (row) => lower(row) !== '' && !/\bray\b/.test(lower(row))],
  ['size > 10', (row) => (row.size ?? 0) > 10],
  ['size >= 5 AND size <= 9', (row) => row.size !== null && row.size >= 5 && row.size <= 9],
  ['NOT size < 5', (row) => !(row.size !== null && row.size < 5)],
  [
    'name = beta or on = true and size > 10',
    (row) => lower(row) === 'beta' || (row.on && (row.size ?? 0) > 10),
  ],
  [
    '(name = beta or on = true) and size > 10',
    (row) => (lower(row) === 'beta' || row.on) && (row.size ?? 0) > 10,
  ],
  ['tags = beta', (row) => row.tags.includes('beta')],
  ['tags != beta', (row) => row.tags.length > 0 && !row.tags.includes('beta')],
  ['owner.city = bern order by name desc, size', (row) => row.owner.city === 'Bern'],
  ['at >= -2d', (row) => Date.parse(row.at) >= daysAgo(2)],
  ['at < "-1d 12h"', (row) => Date.parse(row.at) < daysAgo(1.5)],
  ['at > "2026/11/20 06:30"', (row) => row.at > '2026-11-20T06:30:00.000Z'],
  ['at <= now()', () => true],
  ['order by name', () => true],
];

describe('JQL', () => {
  it.each(queries)('%s leaves what filtering by hand leaves', (query, condition) => {
    const ids = idsWhere(condition);
    expect(ids.length).toBeGreaterThan(0);
    expect(idsOf(jql, query)).toEqual(ids);
  });

  it.each([
    [7, 'the query must be a text at 0'],
    [
      'name = a and',
      'Error in the JQL Query: Expecting another token but got the end of the query. (line 1, character 13) at 12',
    ],
    [
      'name a',
      "Error in the JQL Query: Expecting another token but got 'a'. (line 1, character 6) at 5",
    ],
    ['name in alpha', "The operator 'in' does not support the operand of the field 'name'. at 0"],
    ['name = (a, b)', "The operator '=' does not support the operand of the field 'name'. at 0"],
    ['name is alpha', "The operator 'is' does not support the operand of the field 'name'. at 0"],
    ['name > EMPTY', "The operator '>' does not support the operand of the field 'name'. at 0"],
    ['name = currentUser()', 'the function currentuser() is not supported at 0'],
  ])('%s is refused', (query, fault) => {
    expect(faultOf(jql, query)).toBe(fault);
  });

  it('takes the fields and operators that a route allows, in any case', () => {
    const options = { fields: new Set(['name']), operators: new Set(['=']) };
    expect(idsOf(jql, 'NAME = alpha', options)).toEqual(idsWhere((row) => lower(row) === 'alpha'));
    expect(faultOf(jql, 'size = 1', options)).toBe('cannot filter by "size" at 0');
    expect(faultOf(jql, 'name ~ a', options)).toBe('the operator "~" is not supported at 0');
  });
});
