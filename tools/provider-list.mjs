// Writes docs/providers/README.md from the folders of libs/providers; with --check only says whether it is up to date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { root } from './install.mjs';

const { operations } = await import('#contract');
const { isMadeUp, mockType, readProviders } = await import('#provider-document');
const { mockTicketing } = await import('#providers/mock-ticketing');
const [mock] = await mockTicketing().load(); // The provider is only described, so it needs no store.

const target = join(root, 'docs/providers/README.md');
const folders = join(root, 'libs/providers');

const proofs = {
  'real-system': 'the real system',
  'vendor-description': "the vendor's description",
  recorded: 'recorded exchanges',
  simulator: 'a simulator',
  none: 'nothing yet',
};

/** Counts the operations of its domain that it supports. */
function share(id, offered) {
  const [domain] = id.split('_');
  const all = [...operations.values()].filter(
    ({ side, group }) => side === 'connector' && group === domain,
  );
  return `${all.filter(({ id }) => offered.includes(id)).length} of ${all.length}`;
}

/** Returns the first sentence after Proven in the folder's README. */
function words(readme) {
  const [, sentence] = /\*\*Proven\*\* (.*?)[.:;](?:\s|$)/s.exec(readme) ?? [];
  if (sentence === undefined)
    throw new Error('a README does not say what its provider was **Proven** against');
  return sentence.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

function fixturesOf(folder) {
  if (!existsSync(join(folder, 'fixtures'))) return 'none';
  const fixtures = readdirSync(join(folder, 'fixtures')).map((name) =>
    parse(readFileSync(join(folder, 'fixtures', name), 'utf8')),
  );
  const cases = fixtures.flatMap(({ cases = {} }) => Object.values(cases));
  const exchanges = cases.flatMap((one) => one.exchanges);
  const refusals = fixtures.flatMap(({ refusals = {} }) => Object.values(refusals));
  const said = [...exchanges, ...refusals];
  const made = said.filter((one) => one.from_documentation === true).length;
  return `${cases.length} cases of ${exchanges.length} exchanges, and ${refusals.length} refusals; ${made} of these responses are from documentation`;
}

/** True for a provider without a system that it could be proven against. */
function madeUp(id, fullname, offered, where) {
  return [
    fullname,
    `\`${id}\``,
    share(id, offered),
    `nothing outside of Onefold: ${where}`,
    'none',
  ];
}

const names = readdirSync(folders)
  .filter((name) => existsSync(join(folders, name, 'provider.yaml')))
  .sort();
/** The operations of each provider, those in included files too. */
const offered = new Map();
for (const name of names)
  for (const { source, operations: own } of await readProviders(
    pathToFileURL(join(root, 'dist/libs/providers', name, '/')),
  ))
    offered.set(source.provider, [...own.keys()]);

const rows = names.flatMap((name) => {
  const folder = join(folders, name);
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const document = parse(read('provider.yaml'));
  const { provider, providers = { [provider]: {} } } = document;
  return Object.entries(providers).map(([id, own]) => {
    const { fullname, proof = 'none' } = { ...document, ...own };
    if (isMadeUp(id))
      return madeUp(id, fullname, offered.get(id), 'it is a fake of a vendor that there is not');
    return [
      `[${fullname}](../../libs/providers/${name}/README.md)`,
      `\`${id}\``,
      share(id, offered.get(id)),
      `**${proofs[proof]}**: ${words(read('README.md'))}`,
      fixturesOf(folder),
    ];
  });
});
const own = 'it keeps its records in our own database';
rows.push(madeUp(mock.type, mock.manifest.fullname, Object.keys(mock.operations), own));

const mocks = readdirSync(folders)
  .filter((name) => existsSync(join(folders, name, 'fake.yaml')))
  .filter((name) => existsSync(join(folders, name, 'provider.yaml')))
  .sort()
  .flatMap((name) => {
    const { provider, providers = { [provider]: {} } } = parse(
      readFileSync(join(folders, name, 'provider.yaml'), 'utf8'),
    );
    return Object.keys(providers).map((id) => `\`${mockType(id)}\``);
  });

const text = [
  '# Providers',
  '',
  'This page is written by `node tools/provider-list.mjs` from the folders of the providers; `npm run check` compares.',
  '',
  "What each built-in provider was proven against, and how. None of the vendors' live services was called: *vendor's description* means that every request of ours and every answer of the simulator was held against the vendor's own description of the API, with state, paging, errors and limits; it does not say that the live service does what its description says.",
  '',
  '| Provider | Id | Operations of its domain | Proven against | Fixtures |',
  '| --- | --- | --- | --- | --- |',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
  '',
  "Beside each README, `coverage.md` says for every operation which fields its records fill, and how that is proven. Each folder's README says for every operation whether it works, and why not where it does not. The exchanges that the conformance suite replays lie in `fixtures/` beside it; `npm run -s provider -- test` runs them.",
  '',
  '## Mocks',
  '',
  `A provider whose folder has a [fake](../fakes.md) of its vendor has a mock, which takes no credential and calls nobody: ${mocks.join(', ')}.`,
  '',
  '- [A provider of your own](tutorial.md): a tutorial',
  '- [Notes from writing a document](writing.md): traps, and the messages of the kit',
  "- [Parse Server](examples/parse/README.md): an example of a customer's own document, recorded from the real system",
  '- [Lists](lists.md): filters, orders and pages',
  '- [Provider documents](documents.md): every key',
  '- [CONTRIBUTING](../../CONTRIBUTING.md): adding a built-in one',
].join('\n');

const page = await format(text, { parser: 'markdown', printWidth: 140 });
if (process.argv.includes('--check')) {
  const known = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (known !== page) {
    console.error('docs/providers/README.md is not up to date: node tools/provider-list.mjs');
    process.exit(1);
  }
} else writeFileSync(target, page);
