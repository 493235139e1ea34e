import { describe, expect, it } from '@jest/globals';
import { faultOf, idsOf, idsWhere, now, type TestRow } from './rows.fixture.js';
import { sysparm } from './sysparm.js';

const lower = (row: TestRow) => row.name?.toLowerCase() ?? '';

const queries: [string, (row: TestRow) => boolean][] = [
  ['name=alpha', (row) => lower(row) === 'alpha'],
  ['name!=alpha', (row) => lower(row) !== 'alpha'],
  ['on=true^size>10', (row) => row.on && (row.size ?? 0) > 10],
  ['on=true^size>10^ORname=beta', (row) => row.on && ((row.size ?? 0) > 10 || row.name === 'beta')],
  ['on=true^size>20^NQname=beta', (row) => (row.on && (row.size ?? 0) > 20) || row.name === 'beta'],
  ['nameISEMPTY', (row) => lower(row) === ''],
  ['nameISNOTEMPTY', (row) => lower(row) !== ''],
  ['nameSTARTSWITHws', (row) => lower(row).startsWith('ws')],
  ['nameENDSWITHA', (row) => lower(row).endsWith('a')],
  ['nameLIKEamm', (row) => lower(row).includes('amm')],
  ['nameNOT LIKEamm', (row) => !lower(row).includes('amm')],
  ['nameINAlpha,beta', (row) => ['alpha', 'beta'].includes(lower(row))],
  ['nameNOT INAlpha,beta', (row) => !['alpha', 'beta'].includes(lower(row))],
  ['sizeBETWEEN5@9', (row) => row.size !== null && row.size >= 5 && row.size <= 9],
  ['size<=3^ORDERBYDESCname', (row) => row.size !== null && row.size <= 3],
  ['at>2026-11-20 00:00:00', (row) => row.at > '2026-11-20T00:00:00.000Z'],
  ['at>=javascript:gs.daysAgo(2)', (row) => Date.parse(row.at) >= now - 2 * 86_400_000],
  ['owner.city=bern', (row) => row.owner.city === 'Bern'],
  ['', () => true],
];

describe("ServiceNow's encoded query", () => {
  it.each(queries)('%s leaves what filtering by hand leaves', (query, condition) => {
    const ids = idsWhere(condition);
    expect(ids.length).toBeGreaterThan(0);
    expect(idsOf(sysparm, query)).toEqual(ids);
  });

  it.each([
    ['on=true^name', '"name" is not a condition at 8'],
    ['sizeBETWEEN5', 'BETWEEN needs two values with @ between them at 0'],
  ])('%s is refused with its place', (query, fault) => {
    expect(faultOf(sysparm, query)).toBe(fault);
  });

  it('takes the fields that a route allows', () => {
    const options = { fields: new Set(['name']) };
    expect(faultOf(sysparm, 'name=a^NQsize=1', options)).toBe('cannot filter by "size" at 9');
  });
});
