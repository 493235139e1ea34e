import { describe, expect, it } from '@jest/globals';
import { conformance } from './conformance.js';
import { exampleFolders, folderAt, providerFolders } from './folders.js';

// Tests every folder with a provider document; nothing else has to name it.
describe.each(
  [...providerFolders(), ...exampleFolders()].map((folder) => [folder.name, folder] as const),
)('the provider %s', (_name, folder) => {
  it.each(conformance(folder).map(({ name, run }) => [name, run] as const))(
    '%s',
    async (_title, run) => expect(await run()).toEqual([]),
  );
});

describe('the documents outside of libs/providers', () => {
  it('are recorded and replayed like those of Onefold', () => {
    expect(exampleFolders().map(({ argument }) => argument)).toEqual([
      'docs/providers/examples/parse',
    ]);
  });

  it('are named by their path, in faults and in the commands that mend them', () => {
    const folder = folderAt('/srv/documents/desk');
    expect(folder.shown('provider.yaml')).toBe('/srv/documents/desk/provider.yaml');
    expect(folder.argument).toBe('/srv/documents/desk');
    expect(folder.path).toBe('/srv/documents/desk/');
  });
});
