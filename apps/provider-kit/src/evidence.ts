import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { fixturesOf } from './fixture.js';
import { isCheckout, type ProviderFolder, providersFolder } from './folders.js';

/** Tables of what others recorded, one file for each provider id. */
const foreignTables = new URL('../../test/foreign/', providersFolder);

/** Says what a provider is tested with: `none` where there is nothing, so that no check which has nothing to do looks like a passed one. */
export function describeEvidence(folder: ProviderFolder): string {
  const cases = fixturesOf(folder).length;
  const lists = foreignListsOf(folder.name);
  return [
    `fixtures: ${cases === 0 ? 'none' : `${cases} cases`}`,
    `fake: ${folder.has('fake.yaml') ? 'fake.yaml' : 'none'}`,
    ...(isCheckout && folder.isBuiltIn
      ? [
          `exchanges of others: ${lists === 0 ? 'none' : `${lists} lists, read by npm test -- test/foreign`}`,
        ]
      : []),
  ].join('; ');
}

function foreignListsOf(name: string): number {
  if (!isCheckout || !existsSync(foreignTables)) return 0;
  return readdirSync(foreignTables)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => parse(readFileSync(new URL(file, foreignTables), 'utf8')) as Table)
    .filter(({ folder }) => folder === name)
    .reduce((sum, { lists }) => sum + lists.length, 0);
}

interface Table {
  folder: string;
  lists: unknown[];
}
