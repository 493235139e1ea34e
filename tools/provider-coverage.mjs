// Writes libs/providers/*/coverage.md: what each provider serves, which fields its records fill, and how that is proven. The records are
// those of the walks of mocks, run in this process, and of recorded exchanges. With --check only says whether the pages are up to date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { parse } from 'yaml';
import { root } from './install.mjs';
import { compactTables } from './compact-tables.mjs';

const { loadValidators, operations, servedDocument } = await import('#contract');
const { mockType, readProviders } = await import('#provider-document');
const { Coverage } = await import('../dist/test/fakes/coverage.js');
const { hasModel, MockClient, ProviderFolder, reportModel, stepsOf, Walker } =
  await import('../dist/apps/provider-kit/src/index.js');
const { mockOverFake } = await import('../dist/test/harness/fakes/mock-over-fake.js');
const { mockWalks } = await import('../dist/test/walks/mock-walks.js');
await loadValidators();

const folders = join(root, 'libs/providers');
const records = join(root, 'test/witness/records');
const contract = JSON.parse(servedDocument('connector', '/'));
const proofs = {
  'real-system': 'the real system',
  'vendor-description': "the vendor's description",
};

/** Resolves references, and what is beside null. */
function resolve(schema) {
  if (schema?.$ref) return resolve(contract.components.schemas[schema.$ref.split('/').at(-1)]);
  const other = schema?.anyOf?.find(({ type }) => type !== 'null');
  return other === undefined ? schema : resolve(other);
}

/** The names of the fields of an operation's records in the contract, and those that are required. */
function recordOf({ method, path, response }) {
  const answer = contract.paths[path][method.toLowerCase()].responses[response.status];
  const whole = resolve(answer.content?.['application/json']?.schema);
  const result = resolve(whole?.properties?.result) ?? whole;
  const record = result?.items === undefined ? result : resolve(result.items);
  const names = Object.keys(record?.properties ?? {}).filter((name) => name !== 'unmapped');
  return { names, required: (record?.required ?? []).filter((name) => name !== 'unmapped') };
}

/** Paths as one text: `device.os.name` and `device.uid` are `device {os {name}, uid}`. */
function compact(paths) {
  const groups = new Map();
  for (const path of paths.toSorted()) {
    const [first, ...rest] = path.split('.');
    groups.set(first, [...(groups.get(first) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])]);
  }
  return [...groups]
    .map(([name, inner]) => (inner.length === 0 ? name : `${name} {${compact(inner)}}`))
    .join(', ');
}

/** The results that the fixtures of a folder hold. */
function fixturesOf(folder) {
  const coverage = new Coverage();
  const place = join(folder, 'fixtures');
  for (const name of existsSync(place) ? readdirSync(place) : []) {
    const { cases = {} } = parse(readFileSync(join(place, name), 'utf8'));
    for (const { answer } of Object.values(cases))
      if (answer?.body?.result !== undefined)
        coverage.add(/** @type {any} */ (name.replace('.yaml', '')), answer.body.result);
  }
  return coverage;
}

/** Runs the walk of a mock. @throws Error if a step fails */
async function walkOf(type) {
  const walk = mockWalks.find((one) => one.type === type);
  if (walk === undefined) return undefined;
  const { folder, steps } = walk;
  const over = mockOverFake({ folder, type });
  over.fake.limits.override = { requests: 1_000_000, seconds: 60 };
  const coverage = new Coverage();
  const client = new MockClient(over);
  client.onResult = (id, result) => coverage.add(id, result);
  const system = { values: { unique: 'Planted' }, offers: () => true, hasProvider: true };
  await new Walker(client, system).run({
    name: type,
    steps: stepsOf(over.provider.operations, steps),
  });
  return { coverage, called: new Set(steps.map(({ call }) => call)) };
}

async function sectionOf({ source }, fixtures) {
  const id = source.provider;
  const type = mockType(id);
  const walked = await walkOf(type);
  const file = join(records, `${type}.json`);
  const witness = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const proofOf = (operation, isCalled) => {
    // A description does not have all operations of the fake that is held against it.
    const known = [walked === undefined ? proofs[source.proof] : undefined].filter(Boolean);
    if (witness?.calls.some((call) => call.operation === operation))
      known.push(`a client, ${witness.client}`);
    if (known.length > 0) return known.join('; ');
    return isCalled ? 'its fake alone' : 'its own specs';
  };
  const rows = [];
  const details = [];
  const domain = id.split('_')[0];
  for (const operation of [...operations.values()].filter(
    ({ side, group }) => side === 'connector' && group === domain,
  )) {
    const name = operation.id;
    // The domain creates the records of a batch one by one: no document has an operation for it.
    const asked = name === 'custom_post_batch' ? 'custom_post' : name;
    if (source.operations[asked] === undefined) {
      rows.push([`\`${name}\``, `501: ${source.unsupported[name]}`, '', '']);
      continue;
    }
    const filled = walked?.coverage.find(name) ?? fixtures.find(name);
    const { names, required } = recordOf(operation);
    const paths = [...(filled?.fields.keys() ?? [])].filter((path) => !path.startsWith('unmapped'));
    const tops = new Set(paths.map((path) => path.split('.')[0]));
    const count = (list) => list.filter((one) => tops.has(one)).length;
    const fields =
      filled === undefined || filled.records === 0 || names.length === 0
        ? 'no records'
        : `${count(names)} of ${names.length}, ${count(required)} of ${required.length} required`;
    rows.push([`\`${name}\``, 'served', fields, proofOf(name, walked?.called.has(name))]);
    if (paths.length > 0) details.push(`- \`${name}\`: ${compact(paths)}`);
  }
  return [
    `## ${id}`,
    '| Operation | | Fields of the contract that are filled | Proven against |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
    '',
    ...(details.length > 0
      ? ['What the records fill, with what is inside:', '', ...details, '']
      : []),
  ];
}

/** Says of each field of the vendor's records where it is in ours. */
function modelOf(name) {
  const folder = new ProviderFolder(name);
  if (!hasModel(folder)) return [];
  const report = reportModel(folder);
  const records = report.records.flatMap(({ record, mapped, unmapped, dropped }) => {
    const reasons = new Map();
    for (const { path, reason = 'no reason is given' } of dropped)
      reasons.set(reason, [...(reasons.get(reason) ?? []), path]);
    const count = mapped.length + unmapped.length + dropped.length;
    const places = mapped.map(({ path, mapped: ours }) => `${path} → ${ours.join(', ')}`);
    return [
      `### ${record.name}`,
      '',
      `${count} fields, by ${record.source}, which the mapping \`${record.mapping}\` reads.`,
      '',
      ...(places.length > 0
        ? [`- Mapped, ${places.length}: ${places.map((one) => `\`${one}\``).join('; ')}`]
        : []),
      ...(unmapped.length > 0
        ? [`- In \`unmapped\`, ${unmapped.length}: \`${compact(unmapped)}\``]
        : []),
      ...[...reasons].map(
        ([reason, paths]) => `- Dropped, ${paths.length}, ${reason}: \`${compact(paths)}\``,
      ),
      '',
    ];
  });
  return [
    "## The vendor's model",
    '',
    "What becomes of each field that the vendor's records have, in the vendor's names, whether a record of the fake has it or not.",
    '',
    ...records,
    ...(Object.keys(report.without).length === 0 ? [] : ['### Records without a model', '']),
    ...Object.entries(report.without).map(([mapping, reason]) => `- \`${mapping}\`: ${reason}`),
    '',
  ];
}

const stale = [];
for (const name of readdirSync(folders).sort()) {
  const folder = join(folders, name);
  if (!existsSync(join(folder, 'provider.yaml'))) continue;
  const fixtures = fixturesOf(folder);
  const sections = [];
  const built = new URL(`../dist/libs/providers/${name}/`, import.meta.url);
  for (const provider of await readProviders(built))
    sections.push(...(await sectionOf(provider, fixtures)));
  const text = [
    `# Coverage of ${name}`,
    '',
    'This page is written by `node tools/provider-coverage.mjs`; `npm run check` compares. Fields count if a record of the fake, or of a recorded exchange, has a value in them that is neither Unknown nor Other.',
    '',
    ...sections,
    ...modelOf(name),
  ].join('\n');
  const target = join(folder, 'coverage.md');
  const page = compactTables(await format(text, { parser: 'markdown', printWidth: 140 }));
  const known = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (known === page) continue;
  stale.push(name);
  if (!process.argv.includes('--check')) writeFileSync(target, page);
}
if (stale.length > 0 && process.argv.includes('--check')) {
  console.error(
    `coverage.md of ${stale.join(', ')} is not up to date: node tools/provider-coverage.mjs`,
  );
  process.exit(1);
}
process.exit(0); // Databases and timers of the mocks do not matter any more.
