import { describe, expect, it } from '@jest/globals';
import { faultOf, idsOf, idsWhere, type TestRow } from './rows.fixture.js';
import { scim } from './scim.js';

const lower = (row: TestRow) => row.name?.toLowerCase();

const queries: [string, (row: TestRow) => boolean][] = [
  ['name eq "ALPHA"', (row) => lower(row) === 'alpha'],
  ['name ne "alpha"', (row) => lower(row) !== 'alpha'],
  ['name sw "ws"', (row) => lower(row)?.startsWith('ws') ?? false],
  ['name ew "A"', (row) => lower(row)?.endsWith('a') ?? false],
  ['name co "amm"', (row) => lower(row)?.includes('amm') ?? false],
  ['name pr', (row) => row.name !== null && row.name !== ''],
  ['not (name pr)', (row) => row.name === null || row.name === ''],
  ['name eq null', (row) => row.name === null],
  ['size gt 10 and size le 20', (row) => row.size !== null && row.size > 10 && row.size <= 20],
  ['size lt 3 or size ge 20', (row) => row.size !== null && (row.size < 3 || row.size >= 20)],
  ['on eq true', (row) => row.on],
  ['at gt "2026-11-20T00:00:00.000Z"', (row) => row.at > '2026-11-20T00:00:00.000Z'],
  ['tags eq "beta"', (row) => row.tags.includes('beta')],
  ['owner.city eq "bern"', (row) => row.owner.city === 'Bern'],
  [
    'mails[kind eq "work" and address sw "u1"]',
    (row) => row.mails.some((mail) => mail.kind === 'work' && mail.address.startsWith('u1')),
  ],
  ['mails[kind eq "home" and address ew "acme.test"] or id eq 3', (row) => row.id === 3],
  [
    'on eq true or size gt 20 and name eq "beta"',
    (row) => row.on || ((row.size ?? 0) > 20 && row.name === 'beta'),
  ],
  [
    '(on eq true or size gt 20) and name eq "beta"',
    (row) => (row.on || (row.size ?? 0) > 20) && row.name === 'beta',
  ],
];

describe('SCIM filters', () => {
  it.each(queries)('%s leaves what filtering by hand leaves', (query, condition) => {
    const ids = idsWhere(condition);
    expect(ids.length).toBeGreaterThan(0);
    expect(idsOf(scim, query)).toEqual(ids);
  });

  it.each([
    ['name is "a"', 'unknown operator "is" at 5'],
    ['name eq a', 'the value a must be in quotes at 8'],
    ['name eq "a" and', 'expected an attribute at 15'],
    ['(name pr', 'expected ) at 8'],
    ['name eq "\\x"', 'the text has an escape that is not valid at 8'],
  ])('%s is refused with its place', (query, fault) => {
    expect(faultOf(scim, query)).toBe(fault);
  });

  it('filter by the fields that a route allows, also within elements', () => {
    const options = { fields: new Set(['mails.kind']) };
    expect(idsOf(scim, 'mails[kind eq "work"]', options).length).toBeGreaterThan(0);
    expect(faultOf(scim, 'mails[address pr]', options)).toBe('cannot filter by "address" at 6');
    expect(faultOf(scim, 'tags[a pr]', options)).toBe('cannot filter by "tags" at 0');
  });
});
