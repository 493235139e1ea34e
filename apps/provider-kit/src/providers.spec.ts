import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformance } from './conformance.js';
import { exampleFolders, folderAt, providerFolders } from './folders.js';

/**
 * How much is checked here. `provider -- test` compares more fields over all records and changes more values, with --all everything; and the
 * figures of docs/providers are of all changes, and must be newer than the documents.
 */
const depth = { maxPlaces: 1, maxFields: 2, maxRecords: 40 };

// Tests every folder with a provider document; nothing else has to name it.
const folders = [...providerFolders(), ...exampleFolders()].map(
  (folder) => [folder.name, conformance(folder, depth)] as const,
);

describe.each(folders.filter(([, checks]) => checks.length > 0))(
  'the provider %s',
  (_name, checks) => {
    it.each(checks.map(({ name, run }) => [name, run] as const))('%s', async (_title, run) =>
      expect(await run()).toEqual([]),
    );
  },
);

it('all but those that have specs over a store or a receiver alone', () => {
  const without = folders.filter(([, checks]) => checks.length === 0).map(([name]) => name);
  expect(without).toEqual(['azure-blob', 'http', 's3']);
});

describe('the documents outside of libs/providers', () => {
  it('are recorded and replayed like those of Onefold', () => {
    expect(exampleFolders().map(({ argument }) => argument)).toEqual([
      'docs/providers/examples/parse',
    ]);
  });

  it('are named by their path, in faults and in the commands that mend them', () => {
    const path = mkdtempSync(join(tmpdir(), 'onefold-desk-'));
    for (const name of ['provider.yaml', 'my.yaml']) writeFileSync(join(path, name), '');
    const folder = folderAt(path);
    expect(folder?.shown('provider.yaml')).toBe(join(path, 'provider.yaml'));
    expect([folder?.argument, folder?.path, folder?.document]).toEqual([
      path,
      `${path}/`,
      'provider.yaml',
    ]);
    const document = folderAt(join(path, 'my.yaml'));
    expect([document?.argument, document?.document]).toEqual([join(path, 'my.yaml'), 'my.yaml']);
    expect(folderAt(join(path, 'other.yaml'))).toBeUndefined();
    rmSync(path, { recursive: true });
  });
});
