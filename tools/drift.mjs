// npm run drift -- [VENDOR] [--file DESCRIPTION] [--write]: says what a vendor has changed of what its document uses.
// VENDOR is a folder of libs/providers; without it, all whose document names the npm package with the vendor's description (proof: package).
//   --file   the newest description, OpenAPI as JSON or YAML or a GraphQL schema, instead of the newest version of the package
//   --write  also cuts it, in place of libs/providers/VENDOR/description/openapi.json
// The exit code is 1 where something that is used is gone or deprecated.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildIfCodeChanged } from './build-if-changed.mjs';
import { root, run } from './install.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string' }, write: { type: 'boolean' } },
});
buildIfCodeChanged();
const { descriptionSourceOf, earlierDescriptionOf, findDrift, reportDrift } =
  await import('../dist/apps/provider-kit/src/drift/drift.js');
const { providerFolders } = await import('../dist/apps/provider-kit/src/folders.js');

const [vendor] = positionals;
const folders = providerFolders().filter((folder) =>
  vendor === undefined ? descriptionSourceOf(folder) !== undefined : folder.name === vendor,
);
if (vendor === undefined && values.file !== undefined)
  refuse('--file needs a vendor: npm run drift -- VENDOR --file DESCRIPTION');
if (folders.length === 0) refuse(`libs/providers has no ${vendor}`);
const temporary = mkdtempSync(join(tmpdir(), 'onefold-drift-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));

for (const folder of folders) {
  const file = values.file === undefined ? fetchDescription(folder) : resolve(values.file);
  if (!existsSync(file)) refuse(`${file} does not exist`);
  const earlier = earlierDescriptionOf(folder);
  if (earlier === undefined)
    console.log(`${folder.name}: no earlier description is here, so what is new is not known`);
  const drift = findDrift(folder, pathToFileURL(file), earlier);
  for (const line of reportDrift(folder, drift)) console.log(line);
  if (drift.gone.length + drift.deprecated.length > 0) process.exitCode = 1;
  if (values.write && earlier?.pathname.endsWith('.json'))
    run(process.execPath, [join(root, 'tools/cut-description.mjs'), file, fileURLToPath(earlier)]);
}

/** Downloads the newest version of the package that the document names. @returns the path of the description */
function fetchDescription(folder) {
  const source = descriptionSourceOf(folder);
  if (source === undefined)
    return refuse(
      `the proof of ${folder.name} names no package with a description: name a file by --file`,
    );
  const place = mkdtempSync(join(temporary, 'package-'));
  const pack = ['pack', `${source.package}@latest`, '--silent', '--pack-destination', place];
  execFileSync('npm', pack, { cwd: temporary, stdio: ['ignore', 'ignore', 'inherit'] });
  const [archive] = readdirSync(place);
  execFileSync('tar', ['-xzf', archive], { cwd: place });
  if (source.file !== undefined) return join(place, 'package', source.file);
  // A vendor without a description in its package has a program that makes one of what is in there.
  const cut = fileURLToPath(new URL('description/cut.mjs', folder.url));
  const declarations = readdirSync(join(place, 'package/dist')).find((name) =>
    /^index-.*\.d\.mts$/.test(name),
  );
  const schema = execFileSync(process.execPath, [
    cut,
    join(place, 'package/dist', declarations ?? ''),
  ]);
  writeFileSync(join(place, 'schema.graphql'), schema);
  return join(place, 'schema.graphql');
}

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(message);
  process.exit(2);
}
