import { describe, expect, it } from '@jest/globals';
import { kql } from './kql.js';
import { faultOf, idsOf, idsWhere, now, type TestRow } from './rows.fixture.js';

const day = 86_400_000;
const lower = (row: TestRow) => row.name?.toLowerCase() ?? '';

const queries: [string, (row: TestRow) => boolean][] = [
  ['Devices | where name == "Alpha"', (row) => row.name === 'Alpha'],
  ['Devices | where name != "Alpha"', (row) => row.name !== 'Alpha'],
  ['Devices | where name =~ "ALPHA"', (row) => row.name === 'Alpha'],
  ['Devices | where name !~ "ALPHA"', (row) => row.name !== 'Alpha'],
  ["name in ('Alpha', 'beta')", (row) => ['Alpha', 'beta'].includes(row.name ?? '')],
  ["name !in ('Alpha', 'beta')", (row) => !['Alpha', 'beta'].includes(row.name ?? '')],
  ["name in~ ('ALPHA', 'BETA')", (row) => ['alpha', 'beta'].includes(lower(row))],
  ['name contains "AMM"', (row) => lower(row).includes('amm')],
  ['name !contains "AMM"', (row) => !lower(row).includes('amm')],
  ['name contains_cs "amm"', (row) => row.name?.includes('amm') ?? false],
  ['name startswith "ws"', (row) => lower(row).startsWith('ws')],
  ['name endswith "A"', (row) => lower(row).endsWith('a')],
  ['name has "RAY"', (row) => row.name === 'Gamma ray'],
  ["name == 'O\\'Neil'", (row) => row.name === "O'Neil"],
  ['isempty(name)', (row) => (row.name ?? '') === ''],
  ['isnotempty(name)', (row) => (row.name ?? '') !== ''],
  ['isnull(size)', (row) => row.size === null],
  ['size > 10', (row) => row.size !== null && row.size > 10],
  ['size between (5 .. 7)', (row) => row.size !== null && row.size >= 5 && row.size <= 7],
  ['size !between (5 .. 7)', (row) => !(row.size !== null && row.size >= 5 && row.size <= 7)],
  ['on == true', (row) => row.on],
  ['Devices | where on', (row) => row.on],
  ['not(on)', (row) => !row.on],
  ['at > ago(2d)', (row) => Date.parse(row.at) > now - 2 * day],
  ['at <= now() and at >= ago(3h)', (row) => Date.parse(row.at) >= now - 3 * 3_600_000],
  ['at > datetime(2026-11-20T00:00:00Z)', (row) => row.at > '2026-11-20T00:00:00.000Z'],
  ['at > datetime(2026-11-20)', (row) => row.at > '2026-11-20T00:00:00.000Z'],
  ['tags == "beta"', (row) => row.tags.includes('beta')],
  ['owner.city == "Bern"', (row) => row.owner.city === 'Bern'],
  [
    'on and size > 10 or name == "beta"',
    (row) => (row.on && (row.size ?? 0) > 10) || row.name === 'beta',
  ],
  [
    'on and (size > 10 or name == "beta")',
    (row) => row.on && ((row.size ?? 0) > 10 || row.name === 'beta'),
  ],
  ['Devices | where on | filter size > 10', (row) => row.on && (row.size ?? 0) > 10],
  ['Devices', () => true],
];

describe('KQL', () => {
  it.each(queries)('%s leaves what filtering by hand leaves', (query, condition) => {
    const ids = idsWhere(condition);
    expect(ids.length).toBeGreaterThan(0);
    expect(idsOf(kql, query)).toEqual(ids);
  });

  it('distinguishes upper and lower case where the operator does', () => {
    expect(idsOf(kql, 'name == "ALPHA"')).toEqual([]);
    expect(idsOf(kql, 'name contains_cs "AMM"')).toEqual([]);
    expect(idsOf(kql, 'name has_cs "RAY"')).toEqual([]);
    expect(idsOf(kql, 'name has "amm"')).toEqual([]);
  });

  it.each([
    ['T | take 10', 'the stage "take" is not supported at 4'],
    ['T | where name ==', 'expected a value at 17'],
    ['T | where name == alpha', 'the value alpha must be in quotes at 18'],
    ['T | where (on', 'expected ) at 13'],
    ['T | where tolower(name) == "a"', 'the function "tolower" is not supported at 10'],
    ['T | where at > datetime(soon)', 'datetime(soon) is not a time at 15'],
    ['T | where at > ago(soon)', 'expected a time span such as 7d at 19'],
    ['T | where on size', 'unexpected "size" at 13'],
    ['T | where name == "a', 'unexpected character """ at 18'],
    [7, 'the query must be a text at 0'],
  ])('%s is refused with its place', (query, fault) => {
    expect(faultOf(kql, query)).toBe(fault);
  });

  it('filters by the fields and with the operators that a route allows', () => {
    const options = { fields: new Set(['name']), operators: new Set(['==']) };
    expect(idsOf(kql, 'name == "beta"', options)).toEqual(idsWhere(({ name }) => name === 'beta'));
    expect(faultOf(kql, 'size == 1', options)).toBe('cannot filter by "size" at 0');
    expect(faultOf(kql, 'name has "a"', options)).toBe('the operator "has" is not supported at 5');
  });
});
