import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fakeChecks } from './fake-checks.js';
import { ProviderFolder, providersFolder } from './folders.js';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'onefold-lies-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Returns the faults of a vendor's folder in which a text of a file is another. */
async function faultsWith(name: string, file: string, change: [string, string]): Promise<string> {
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
  for (const { run } of fakeChecks(folder, 6)) faults.push(...(await run()));
  return faults.join('\n');
}

describe('the checks over a fake', () => {
  it('find a value of another type', async () => {
    const change: [string, string] = ['root.message = ', 'root.message = 5 #'];
    expect(await faultsWith('okta', 'mappings/group.yaml', change)).toContain(
      'identity_query_groups',
    );
  });

  it('find records that have one identity', async () => {
    const change: [string, string] = ['"uid": this.id', '"uid": "same"'];
    expect(await faultsWith('okta', 'mappings/group.yaml', change)).toContain('comes twice');
  });

  it('find a record that is lost where a value is absent', async () => {
    const change: [string, string] = [
      'root.message = ',
      'root.status_detail = this.profile.name.uppercase()\n    root.message = ',
    ];
    expect(await faultsWith('okta', 'mappings/group.yaml', change)).toContain('records are lost');
  });
});
