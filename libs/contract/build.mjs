// Compiles libs/contract/openapi to libs/contract/src/generated: the operation table, types, validators, the served documents.
// Does nothing if neither the sources nor the code have changed.
//   node libs/contract/build.mjs SOURCES TARGET     compiles another contract without its types, for tests
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const sources = resolvePath(process.argv[2] ?? join(here, 'openapi'));
const target = resolvePath(process.argv[3] ?? join(here, 'src/generated'));
const files = readdirSync(sources, { recursive: true })
  .filter((file) => file.endsWith('.yaml'))
  .sort();
const hash = createHash('sha256');
for (const code of readdirSync(here)
  .filter((file) => file.endsWith('.mjs'))
  .sort())
  hash.update(readFileSync(join(here, code)));
for (const file of files) hash.update(file).update(readFileSync(join(sources, file)));
const stamp = hash.digest('hex');
const stampFile = join(target, 'stamp');
if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) process.exit(0);

const isTrial = process.argv[3] !== undefined;
// Loaded here, because most builds find everything as it was.
const [
  { assemble },
  { operationsOf },
  { bodyFieldsOf },
  { recordShapesOf },
  { validatorsOf },
  types,
] = await Promise.all([
  import('./assemble.mjs'),
  import('./operation-table.mjs'),
  import('./body-fields.mjs'),
  import('./record-shapes.mjs'),
  import('./validators.mjs'),
  import('openapi-typescript'),
]);
const sides = ['management', 'connector'];
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const table = [];
let bodyFields = {};
let kinds = {};
for (const side of sides) {
  const document = assemble(side, { folder: sources, files });
  write(`${side}.openapi.json`, JSON.stringify(document));
  table.push(...operationsOf(side, document));
  if (side === 'management') {
    bodyFields = bodyFieldsOf(document);
    kinds = credentialKindsOf(document);
  }
  if (side === 'connector')
    write('record-shapes.json', JSON.stringify(recordShapesOf(document, table)));
  // JavaScript that the build copies: the compiler would add line breaks and a source map, which are larger than the code.
  const validators = validatorsOf(side, document);
  write(`${side}.validators.js`, validators.common);
  if (side === 'connector') write('connector.large-validators.js', validators.large);
  if (isTrial) continue;
  write(`${side}.validators.d.ts`, 'export {};\n');
  if (side === 'connector') write('connector.large-validators.d.ts', 'export {};\n');
  const tree = await types.default(withoutMarks(document), {
    alphabetize: false,
    defaultNonNullable: false,
  });
  write(`${side}.ts`, `/* eslint-disable */\n${types.astToString(tree)}`);
}
// A patch of a record with marked fields may contain one of them in any of its values.
for (const one of table.filter(({ id }) => id.endsWith('_patch'))) {
  const update = table.find(({ id }) => id === one.id.replace(/_patch$/, '_update'));
  for (const mark of ['secrets', 'unaudited'])
    if (update && update[mark].length > 0) one[mark] = ['/*/value'];
}
write(
  'operations.ts',
  `export const operationTable = ${JSON.stringify(table, null, 1)} as const;\n`,
);
// The console needs a hundredth of the table: how to send an operation, and what its caller has to be permitted.
const sent = table.map(({ id, method, path, permission, state, dangerous }) => [
  id,
  method,
  path,
  permission === null ? '' : `${permission.key}.${permission.action}`,
  ...(state === 'served' && !dangerous ? [] : [state]),
  ...(dangerous ? ['dangerous'] : []),
]);
write('sent-operations.json', JSON.stringify(sent));
// And the fields of each kind of credential, which the schema of a provider's configuration names together.
write('credential-kinds.json', JSON.stringify(kinds));
write(
  'body-fields.ts',
  `/* eslint-disable */\nexport const bodyFieldTable: Record<string, unknown> = ${JSON.stringify(bodyFields)};\n`,
);
write('stamp', stamp);

function credentialKindsOf({ components: { schemas } }) {
  const { mapping } = schemas.CredentialConfig?.discriminator ?? {}; // contracts of tests have none
  return Object.fromEntries(
    Object.entries(mapping ?? {}).map(([kind, ref]) => [kind, schemas[ref.split('/').at(-1)]]),
  );
}

function withoutMarks(node) {
  if (Array.isArray(node)) return node.map(withoutMarks);
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, value]) => [key, key === 'discriminator' ? value : withoutMarks(value)]),
  );
}

function write(name, content) {
  writeFileSync(join(target, name), content);
}
