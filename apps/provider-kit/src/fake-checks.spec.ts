import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checksOf, fakeChecks, setupsOf } from './fake-checks.js';
import { ProviderFolder, providersFolder } from './folders.js';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'onefold-lies-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Returns what a check finds in a vendor's folder in which a text of a file is another. */
async function faultsWith(part: string, file: string, change: [string, string]): Promise<string> {
  const name = 'okta';
  const copy = mkdtempSync(join(root, `${name}-`));
  cpSync(new URL(`${name}/`, providersFolder), copy, { recursive: true });
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(change[0]);
  writeFileSync(path, text.replace(...change));
  const folder = new ProviderFolder(copy.slice(root.length + 1), pathToFileURL(`${root}/`), {
    isBuiltIn: false,
  });
  const faults: string[] = [];
  const checks = fakeChecks(folder, { maxPlaces: 6, maxFields: 1 });
  for (const { run } of checks.filter((one) => one.name.includes(part)))
    faults.push(...(await run()));
  return faults.join('\n');
}

describe('the checks over a fake', () => {
  const reads = 'reads its fake';

  it('find a value of another type', async () => {
    const change: [string, string] = ['root.message = ', 'root.message = 5 #'];
    const found = await faultsWith(reads, 'mappings/group.yaml', change);
    expect(found).toContain('identity_query_groups');
  });

  it('find records that have one identity', async () => {
    const change: [string, string] = ['"uid": this.id', '"uid": "same"'];
    const found = await faultsWith(reads, 'mappings/group.yaml', change);
    expect(found).toContain('comes twice');
  });

  it('find a record that is lost where a value is absent', async () => {
    const change: [string, string] = [
      'root.message = ',
      'root.status_detail = this.profile.name.uppercase()\n    root.message = ',
    ];
    const found = await faultsWith('loses no record', 'mappings/group.yaml', change);
    expect(found).toContain('records are lost');
  });

  it('find an excuse that is not needed, and one of an unknown kind', async () => {
    const change: [string, string] = ['incomparable_fields:', 'excused:'];
    await expect(faultsWith(reads, 'excuses.yaml', change)).rejects.toThrow(
      'unknown key "excused"; known: moving_lists',
    );
    const more: [string, string] = [
      'incomparable_fields:',
      'refusals: { identity_get_user: { 401: none } }\nincomparable_fields:',
    ];
    const found = await faultsWith('each refusal', 'excuses.yaml', more);
    expect(found).toContain('identity_get_user 401: it is refused as all others');
  });

  it('say why there was nothing to check', async () => {
    const [setup] = setupsOf(new ProviderFolder('mock-sink'));
    const lists = setup && checksOf(setup).find(({ name }) => name.includes('each list'));
    expect([await lists?.run(), await lists?.without?.()]).toEqual([[], 'it has no list']);
  });
});
