import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { hashInputs } from '../../apps/provider-kit/src/figures.js';
import { providerFolders } from '../../apps/provider-kit/src/folders.js';

it('the figures of the page of providers are those of the documents that are here', () => {
  const file = new URL('../../../docs/providers/figures.json', import.meta.url);
  const figures = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { inputs: string }>;
  const stale = providerFolders()
    .filter((folder) => !folder.isMadeUp && figures[folder.name]?.inputs !== hashInputs(folder))
    .map(({ name }) => `npm run figures -- ${name}`);
  expect(stale).toEqual([]);
});
