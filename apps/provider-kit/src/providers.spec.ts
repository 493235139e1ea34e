import { describe, expect, it } from '@jest/globals';
import { conformance } from './conformance.js';
import { providerFolders } from './folders.js';

// Every folder with a provider document, without a word about it anywhere else.
describe.each(providerFolders().map((folder) => [folder.name, folder] as const))(
  'the provider %s',
  (_name, folder) => {
    it.each(conformance(folder).map(({ name, run }) => [name, run] as const))(
      '%s',
      async (_title, run) => expect(await run()).toEqual([]),
    );
  },
);
