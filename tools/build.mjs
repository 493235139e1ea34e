// Builds everything into dist: generated files of the contract first, then one run of the compiler over all sources, and dist/run, the
// processes as few files.
//   node tools/build.mjs --changes     only what changed since the last build: between two edits
//   node tools/build.mjs --product     without specs, tests and the provider kit, for the image
//   node tools/build.mjs --product --pages FOLDER      compiles only what changed since the last such build; FOLDER has the pages for browsers
// dist is emptied before, or of what has no source any more, because specs whose source is gone would keep passing.
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { writeManifests } from '../libs/providers/manifests.mjs';
import { isOlder } from './build-if-changed.mjs';
import { buildConsole } from './build-console.mjs';
import { bundle } from './bundle.mjs';
import { root, run } from './install.mjs';
import { writeMappingLanguage } from './mapping-language.mjs';

const isProduct = process.argv.includes('--product');
const [, pages] = /--pages (\S+)/.exec(process.argv.join(' ')) ?? [];
const started = new Date();
const dist = join(root, 'dist');
const stamp = join(dist, '.built');
/** Rooms of libs that are packages too. */
const packages = ['mapping', 'client'];
const dataName = /\.(?:ya?ml|json|graphql|html|css|js)$/;
const trees = isProduct ? ['apps', 'libs'] : ['apps', 'libs', 'test', 'tools'];
/** Folders whose data files are copied; the pages of the console are built on their own. */
const dataTrees = isProduct ? ['libs'] : ['apps/provider-kit', 'libs', 'test'];
const known = join(dist, isProduct ? '.tsbuildinfo' : '.tsbuildinfo-all');
const isIncremental = pages !== undefined || process.argv.includes('--changes');
const isChange = process.argv.includes('--changes') && existsSync(stamp);
if (isChange && !isCodeChanged()) {
  copyChangedData();
  process.exit(0);
}
/** Folders of dist that stay, because nothing that they are made of has changed. */
const kept = isChange ? current() : [];
const generators = ['contract', 'provider-document', 'fakes', 'client']
  .map((room) => join(root, 'libs', room, 'build.mjs'))
  .filter((file) => existsSync(file));
for (const file of generators) run(process.execPath, [file]);

// Removes the content and not the folder: a process with it as its working directory keeps running.
if (existsSync(dist) && isIncremental) keepCompiled();
else if (existsSync(dist))
  for (const name of readdirSync(dist)) rmSync(join(dist, name), { recursive: true, force: true });

// TypeScript 7 compiles six times faster than 5.9, which stays for the tools that need its JavaScript API.
run(process.execPath, [
  join(root, 'node_modules/typescript7/bin/tsc'),
  '-p',
  isProduct ? 'tsconfig.product.json' : 'tsconfig.json',
  ...(isProduct && !isIncremental ? [] : ['--incremental', '--tsBuildInfoFile', known]),
]);

// `@onefold/mapping` leads to libs/mapping, and its exports to libs/mapping/dist: a link to what was compiled, so that the package and
// specs, which import its files, share their modules. A junction needs no rights on Windows, and is a link elsewhere.
for (const room of packages) {
  const link = join(root, 'libs', room, 'dist');
  rmSync(link, { recursive: true, force: true });
  symlinkSync(`../../dist/libs/${room}/src`, link, 'junction');
}

for (const { from, to } of dataFiles()) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
writeManifests(join(dist, 'libs/providers'));
if (pages !== undefined) cpSync(pages, dist, { recursive: true });
else if ((await writeMappingLanguage()) || !kept.includes('console')) await buildConsole();
await bundle();

setStamp();

/**
 * Lists the files that the compiler does not write: documents, mappings, lists and files of the reference page, which programs read at run
 * time, and generated JavaScript.
 */
function dataFiles() {
  const files = dataTrees.flatMap((tree) =>
    readdirSync(join(root, tree), { recursive: true }).map((file) => ({ tree, file })),
  );
  return files
    .filter(
      ({ file }) =>
        // In dist the package.json of a package would be that of its specs too, and hide the aliases of ours.
        !packages.some(
          (room) => file.startsWith(join(room, 'dist')) || file === join(room, 'package.json'),
        ) &&
        dataName.test(file) &&
        // The clients of test/witness are installed there.
        !/(?:^|\/)(?:openapi|cases|fixtures|node_modules)\//.test(file) &&
        !(isProduct && /\/(?:walk|mocks)\.yaml$|\/description\//.test(file)),
    )
    .map(({ tree, file }) => ({ from: join(root, tree, file), to: join(dist, tree, file) }));
}

/** True if something has changed that is compiled, that code is made of, or that is gone: only a whole build deletes. */
function isCodeChanged() {
  const isGone = (tree, file) => /\.ya?ml$/.test(file) && !existsSync(join(root, tree, file));
  for (const tree of dataTrees.filter((one) => existsSync(join(dist, one))))
    if (readdirSync(join(dist, tree), { recursive: true }).some((file) => isGone(tree, file)))
      return true;
  const time = statSync(stamp).mtimeMs;
  // Types, validators and pages are made of these.
  const isSource = (path) =>
    ['libs/contract', 'apps/console/web'].some((tree) => path.startsWith(join(root, tree))) ||
    path.endsWith('.schema.json');
  const isData = (path) => dataName.test(path) && !isSource(path);
  return ![...trees, 'docs', 'package.json', 'package-lock.json', 'tsconfig.json'].every((name) =>
    isOlder(join(root, name), time, name.startsWith('package') ? undefined : isData),
  );
}

/** Copies what has changed over what is there: dist/run has the same files under second names. */
function copyChangedData() {
  const time = statSync(stamp).mtimeMs;
  for (const { from, to } of dataFiles().filter((one) => statSync(one.from).mtimeMs >= time)) {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
    const second = join(dist, 'run', relative(dist, to));
    if (existsSync(second) || !to.startsWith(join(dist, 'libs'))) continue;
    mkdirSync(dirname(second), { recursive: true });
    linkSync(to, second);
  }
  writeManifests(join(dist, 'libs/providers'));
  setStamp();
}

/** Sources that change during a build are newer than its start, so the next start builds again. */
function setStamp() {
  writeFileSync(stamp, `${started.toISOString()}\n`);
  utimesSync(stamp, started, started);
}

/** Returns the folders of the console if nothing that they are made of has changed. */
function current() {
  const time = statSync(stamp).mtimeMs;
  const pages = [
    'apps/console/web',
    'libs/contract',
    'docs',
    'tools/build-console.mjs',
    'tools/build-documentation.mjs',
    'package-lock.json',
  ];
  return pages.every((name) => isOlder(join(root, name), time)) ? ['console', 'connect'] : [];
}

/**
 * Deletes all of dist but what the compiler made of files that are there, and what it knows about them: it writes only what has changed.
 * It does not look whether what it wrote is there still, so it forgets everything where something is missing.
 */
function keepCompiled() {
  const sources = new Set(
    trees.flatMap((tree) =>
      readdirSync(join(root, tree), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.ts$/.test(file) && !/\.d\.ts$/.test(file))
        .map((file) => join(tree, file.replace(/\.ts$/, '.js'))),
    ),
  );
  const compiled = new Set();
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const name = relative(dist, file);
    if (kept.includes(name.split(sep)[0])) continue;
    if (sources.has(name.replace(/\.map$/, ''))) compiled.add(name);
    else if (!entry.isDirectory() && file !== known) rmSync(file);
  }
  if (!existsSync(known)) return;
  const { fileNames } = JSON.parse(readFileSync(known, 'utf8'));
  const expected = fileNames.map((file) =>
    relative(root, join(dist, file)).replace(/\.ts$/, '.js'),
  );
  if (expected.some((name) => sources.has(name) && !compiled.has(name))) rmSync(known);
}
