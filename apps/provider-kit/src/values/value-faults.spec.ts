import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProviderFolder, providerFolders } from '../folders.js';
import { valueFaults } from './value-faults.js';
import { valuesFile } from './value-tables.js';

/** `check` reads the tables that are there. Vendors that Onefold made up have no values that anybody could look up. */
const without = providerFolders().filter((one) => !one.isMadeUp && !one.has(valuesFile));

it.each(without.map((folder) => [folder.name, folder] as const))(
  'the mappings of %s need no table of values',
  (_name, folder) => {
    expect(valueFaults(folder)).toEqual([]);
  },
);

describe('a table of values', () => {
  let path: string;
  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), 'onefold-values-'));
    mkdirSync(join(path, 'desk/mappings'), { recursive: true });
  });
  afterAll(() => rmSync(path, { recursive: true }));

  const faultsOf = (lines: string, values?: string) => {
    const text = `engine: bloblang_direct\nversion: '1.0'\ntemplates:\n  default: |\n${lines.replace(/^/gm, '    ')}\n`;
    writeFileSync(join(path, 'desk/mappings/alert.yaml'), text);
    rmSync(join(path, 'desk', valuesFile), { force: true });
    if (values !== undefined) writeFileSync(join(path, 'desk', valuesFile), values);
    const folder = new ProviderFolder('desk', pathToFileURL(`${path}/`));
    return valueFaults(folder).map((one) => one.replace(/^.*?values\.yaml: /, ''));
  };
  const status =
    'root.status = match this.state { "open" => "New", "closed" => "Resolved", _ => this }';
  const table = (line: string) => `alert: { record: { id: 1 }, values: { ${line} } }`;

  it('is missing where a mapping translates a value, or says who, which host or when', () => {
    const more =
      'root.severity = this.level.apply("ocsf.severity").severity\nroot.device = this.host';
    expect(faultsOf(`${status}\n${more}`)).toEqual([
      'alert: no table has all of the values of this.state: open, closed',
      'alert: no table says what severity is',
      'alert: no table says what status is',
      'alert: no table says what severity is',
      'alert: no table says what device is',
    ]);
  });

  it('has each value that the mapping knows, and one that it does not', () => {
    expect(faultsOf(status, table('/state -> /status: { open: New }'))).toEqual([
      'alert: no table has all of the values of this.state: open, closed',
      'alert: /state -> /status has no line for unheard of',
    ]);
    const whole = '/state -> /status: { open: New, closed: Resolved, unheard of: unheard of }';
    expect(faultsOf(status, table(whole))).toEqual([]);
  });

  it('is run: each line is what the mapping makes', () => {
    const wrong = '/state -> /status: { open: New, closed: New, unheard of: unheard of }';
    expect(faultsOf(status, table(wrong))).toEqual([
      'alert: /state -> /status of "closed" is "Resolved", and not "New"',
    ]);
    const time = 'root.time = this.at.apply("ocsf.time")';
    const values = (at: string) =>
      `alert: { record: { at: ${at} }, values: { /at -> /time: same instant } }`;
    expect(faultsOf(time, values('1767225600'))).toEqual([]);
    expect(faultsOf(`${time} + 3600000`, values("'2026-01-01T00:00:00Z'"))).toEqual([
      'alert: /at -> /time of "2026-01-01T00:00:00Z" is 1767229200000, and not the same instant',
    ]);
    expect(faultsOf(time, values("''"))).toEqual([
      expect.stringContaining('parsing time "" as RFC 3339 failed'),
    ]);
  });

  it('names a value that the mapping refuses, and an empty text that is the whole of a lookup', () => {
    const lookup = 'root.status = {"open": "New", "closed": "Resolved"}.get(this.state | "none")';
    expect(
      faultsOf(
        lookup,
        table('/state -> /status: { open: New, closed: Resolved, unheard of: null }'),
      ),
    ).toEqual([
      'alert: /state -> /status of "" is {"closed":"Resolved","open":"New"}, and not one value',
    ]);
    expect(
      faultsOf(
        'root.n = this.count > 3',
        table('/count -> /n: { 3: false, 4: true, unheard of: null }'),
      ),
    ).toEqual([
      expect.stringContaining('alert: /count -> /n of "unheard of": line 5, column 14'),
      expect.stringContaining('alert: /count -> /n of "": line 5, column 14'),
    ]);
  });

  it('may say that an expression is not a value of the vendor', () => {
    const internal = (name: string) =>
      `alert: { record: {}, values: { /x -> /status: same text }, internal: { ${name}: made here } }`;
    const made = 'root.status = match this.x { "a" => "a", "b" => "b", _ => this }';
    expect(faultsOf(made, internal('this.x'))).toEqual([
      'alert: /x -> /status of undefined is null, and not the same text',
    ]);
    expect(faultsOf(made, internal('this.y'))).toContain('alert: the mapping compares no this.y');
    expect(faultsOf(made, 'other: { record: {}, values: {} }')).toContain(
      'other: there is no such mapping',
    );
  });
});
