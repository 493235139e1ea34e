import { describe, expect, it } from '@jest/globals';
import { odata } from './odata.js';
import { faultOf, idsOf, idsWhere, type TestRow } from './rows.fixture.js';

const lower = (row: TestRow) => row.name?.toLowerCase();

const queries: [string, (row: TestRow) => boolean][] = [
  ["name eq 'alpha'", (row) => lower(row) === 'alpha'],
  ["name ne 'alpha'", (row) => lower(row) !== 'alpha'],
  ["name eq 'O''Neil'", (row) => row.name === "O'Neil"],
  ['name eq null', (row) => row.name === null],
  ['name ne null', (row) => row.name !== null],
  ["name in ('Alpha','beta')", (row) => ['Alpha', 'beta'].includes(row.name ?? '')],
  ["startswith(name,'ws')", (row) => lower(row)?.startsWith('ws') ?? false],
  ["not endswith(name,'a')", (row) => !(lower(row)?.endsWith('a') ?? false)],
  ["contains(tolower(name),'amm') eq true", (row) => lower(row)?.includes('amm') ?? false],
  ["contains(name,'amm') eq false", (row) => !(lower(row)?.includes('amm') ?? false)],
  ['length(name) gt 5', (row) => (row.name?.length ?? 0) > 5],
  ['on', (row) => row.on],
  ['on eq false and size ge 20', (row) => !row.on && (row.size ?? 0) >= 20],
  ['at ge 2026-11-20T00:00:00Z', (row) => row.at >= '2026-11-20'],
  ['at lt 2026-11-20', (row) => row.at < '2026-11-20'],
  ["owner/city eq 'Bern'", (row) => row.owner.city === 'Bern'],
  ["tags/any(t:t eq 'beta')", (row) => row.tags.includes('beta')],
  ['tags/any()', (row) => row.tags.length > 0],
  ["tags/all(t:startswith(t,'a'))", (row) => row.tags.every((tag) => /^a/i.test(tag))],
  [
    "mails/any(m:m/kind eq 'work' and startswith(m/address,'u1'))",
    (row) => row.mails.some((mail) => mail.kind === 'work' && mail.address.startsWith('u1')),
  ],
  ['on or size gt 20 and id lt 50', (row) => row.on || ((row.size ?? 0) > 20 && row.id < 50)],
  ['(on or size gt 20) and id lt 50', (row) => (row.on || (row.size ?? 0) > 20) && row.id < 50],
];

describe("OData's $filter", () => {
  it.each(queries)('%s leaves what filtering by hand leaves', (query, condition) => {
    const ids = idsWhere(condition);
    expect(ids.length).toBeGreaterThan(0);
    expect(idsOf(odata, query)).toEqual(ids);
  });

  it.each([
    ["name is 'a'", 'unknown operator "is" at 5'],
    ['name eq a', 'expected a value at 8'],
    ["name eq 'a' and", 'expected a property at 15'],
    ["contains(name 'a')", 'expected "," at 14'],
    ["name eq 'a') ", 'unexpected ")" at 11'],
  ])('%s is refused with its place', (query, fault) => {
    expect(faultOf(odata, query)).toBe(fault);
  });

  it('takes the fields and operators that a route allows', () => {
    const options = { fields: new Set(['owner.city']), operators: new Set(['eq']) };
    expect(idsOf(odata, "owner/city eq 'Oslo'", options).length).toBeGreaterThan(0);
    expect(faultOf(odata, "name eq 'a'", options)).toBe('cannot filter by "name" at 0');
    expect(faultOf(odata, "contains(owner/city,'a')", options)).toBe(
      'the operator "contains" is not supported at 0',
    );
  });
});
