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
const [mock] = await mockTicketing(/** @type {never} */ (undefined)).load(); // The provider is only described, so it needs no store.

const target = join(root, 'docs/providers/README.md');
const folders = join(root, 'libs/providers');

/** Kinds of evidence in the words of those who choose a provider. */
const kinds = {
  'real-system': 'the real system',
  'vendor-description': "the vendor's description",
  recorded: 'recorded by others',
  client: 'a client',
  simulator: 'a fake of ours',
};
const figures = JSON.parse(readFileSync(join(root, 'docs/providers/figures.json'), 'utf8'));
const count = (number) => number.toLocaleString('en-US');

/** Counts the operations of its domain that it supports. */
function share(id, offered) {
  const [domain] = id.split('_');
  const all = [...operations.values()].filter(
    ({ side, group }) => side === 'connector' && group === domain,
  );
  return `${all.filter(({ id }) => offered.includes(id)).length} of ${all.length}`;
}

function fixturesOf(folder) {
  if (!existsSync(join(folder, 'fixtures'))) return undefined;
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

/** Evidence of a document as a sentence each. */
function evidenceOf(proof) {
  return proof.map(({ by, what, version, date }) => {
    const facts = [version && `version ${version}`, date].filter(Boolean).join(', ');
    const kind = by === 'simulator' ? '' : `${kinds[by]}: `;
    return `  - ${kind}${what}${facts === '' ? '' : ` (${facts})`}`;
  });
}

const records = join(root, 'test/witness/records');

/** Finds the record of a client that has read the fake of a provider, or sent to it. */
function clientOf(id) {
  const file = join(records, `${mockType(id)}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The calls of clients as a line of evidence for each provider. */
function clientsOf(ids) {
  return ids.flatMap((id) => {
    const record = clientOf(id);
    if (record === undefined) return [];
    const calls = record.calls.map(({ operation, read }) => `${operation} ${read.length}`);
    return `  - ${kinds.client} (\`${id}\`): ${record.client}, ${record.date}: ${calls.join(', ')}`;
  });
}

/** The outcome over what others recorded or wrote down. */
function foreignOf(foreign) {
  if (foreign === undefined) return 'none';
  const { records, recorded, values } = foreign;
  return `${count(recorded)} recorded, ${count(records - recorded)} written down, ${values} %`;
}

function variationOf(variation) {
  if (variation === undefined) return 'none';
  const { variants, refused, faults } = variation;
  return `${count(variants)} values, ${count(refused)} named, ${count(faults)} wrong`;
}

/** A provider without a system that it could be proven against. */
function madeUp(id, fullname, offered, where) {
  return [fullname, `\`${id}\``, share(id, offered), where];
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

const rows = [];
const links = [];
const evidence = [];
const seen = [];
for (const name of names) {
  const folder = join(folders, name);
  const document = parse(readFileSync(join(folder, 'provider.yaml'), 'utf8'));
  const { provider, providers = { [provider]: {} } } = document;
  /** Providers of the document by their evidence. */
  const proven = new Map();
  for (const [id, own] of Object.entries(providers)) {
    const { fullname, proof = [] } = { ...document, ...own };
    if (isMadeUp(id)) {
      rows.push(
        madeUp(id, fullname, offered.get(id), 'it is a fake of a vendor that there is not'),
      );
      continue;
    }
    const { foreign, foreign_variation, variation } = figures[name]?.providers[id] ?? {};
    const shown = proof.map(({ by }) => by);
    if (foreign?.recorded > 0) shown.push('recorded');
    if (clientOf(id) !== undefined) shown.push('client');
    const words = Object.keys(kinds).flatMap((kind) => (shown.includes(kind) ? kinds[kind] : []));
    const against = words.length > 0 ? words.join(', ') : 'nothing yet';
    rows.push([`[${fullname}][${name}]`, `\`${id}\``, share(id, offered.get(id)), against]);
    const key = JSON.stringify(proof);
    proven.set(key, [...(proven.get(key) ?? []), { id, name: `**${fullname}** (\`${id}\`)` }]);
    if (foreign !== undefined || variation !== undefined)
      seen.push([
        `\`${id}\``,
        foreignOf(foreign),
        variationOf(foreign_variation),
        variationOf(variation),
      ]);
  }
  const recorded = fixturesOf(folder);
  for (const [key, providers] of proven)
    evidence.push(
      `- ${providers.map(({ name }) => name).join(', ')}`,
      ...evidenceOf(JSON.parse(key)),
      ...clientsOf(providers.map(({ id }) => id)),
      ...(recorded === undefined ? [] : [`  - fixtures: ${recorded}`]),
    );
  if (!name.startsWith('mock-')) links.push(`[${name}]: ../../libs/providers/${name}/README.md`);
}
const own = 'it keeps its records in our own database';
rows.push(madeUp(mock.type, mock.manifest.fullname, Object.keys(mock.operations), own));

/** All figures of a kind together. */
function sum(kind, name) {
  const all = Object.values(figures).flatMap(({ providers }) => Object.values(providers));
  return all.reduce((total, one) => total + (one[kind]?.[name] ?? 0), 0);
}

/** Figures of the variation of all answers together. */
function varied(name) {
  return sum('variation', name) + sum('foreign_variation', name);
}

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
  'What each built-in provider was proven against, and how it came out. The live service of a vendor was called nowhere.',
  '',
  '| Provider | Id | Operations of its domain | Proven against |',
  '| --- | --- | --- | --- |',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
  '',
  '- **the real system**: the operations ran against a system that speaks the API, of the version below.',
  "- **the vendor's description**: every request of ours and every answer to it was held against the vendor's own description of the API. It does not say that the live service does what its description says.",
  '- **recorded by others**: answers of the live service that others recorded were read, record by record; what came of it is below.',
  '- **a client**: a client of the vendor, or one that its users keep, read the fake and has the same records with our values, or sent it the same; the numbers are records. `npm run witness` lets them call again ([witnesses](../fakes.md#planted-lies-and-other-witnesses)).',
  "- **a fake of ours**: the operations ran against a program that was written from the vendor's documentation, with state, pages, errors and limits. What its author misread there, it has wrong.",
  '',
  'Beside each README, `coverage.md` says for every operation whether it works, why not where it does not, and which fields its records fill.',
  '',
  "## Others' answers, and changed ones",
  '',
  `Nobody here made these answers: others recorded them from the vendors' services, or wrote them down in tests of integrations of theirs. Each of the ${count(sum('foreign', 'records'))} records has to come once and valid by the contract, with its values: the percentage is that of the operation that keeps the fewest. The answers are not in the repository; \`test/foreign\` reads them where they lie beside it.`,
  '',
  `The variation changes each value of each answer, of others and of our fakes and recordings, one at a time: absent, null, empty, of another type, new, or as a list of one. Of ${count(varied('variants'))} such answers ${count(varied('refused'))} cost a record that cannot be had without the value, such as its id, and said so by name; ${count(varied('faults'))} cost more, or came out in another field.`,
  '',
  '| Id | Answers of others | Changed answers of others | Changed answers of ours |',
  '| --- | --- | --- | --- |',
  ...seen.map((row) => `| ${row.join(' | ')} |`),
  '',
  '`npm run figures` measures them again, and writes this page.',
  '',
  '## Evidence',
  '',
  ...evidence,
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
  '- [When a vendor changes its API](drift.md): what is gone, deprecated or new',
  '- [CONTRIBUTING](../../CONTRIBUTING.md): adding a built-in one',
  '',
  ...links,
].join('\n');

const page = await format(text, { parser: 'markdown', printWidth: 140 });
if (process.argv.includes('--check')) {
  const known = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (known !== page) {
    console.error('docs/providers/README.md is not up to date: node tools/provider-list.mjs');
    process.exit(1);
  }
} else writeFileSync(target, page);
