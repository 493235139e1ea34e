// npm run -s pack -- kit: makes the package of the provider kit, onefold-provider-kit-VERSION.tgz, for those who write a provider document and
// have no checkout. `npx ./onefold-provider-kit-VERSION.tgz check my.yaml` runs it in any folder.
//   --to FOLDER     where the package is written; the folder of the caller when absent
//   --built         packs what is built, for tests: a build would empty the folder that they run from
// It is a package of its own: `onefold` depends on all that the services need, such as a PostgreSQL. What the kit imports is found from its
// entry, and packed with its packages, so that nothing else is downloaded and each package has the version of package-lock.json.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';
import { mappingPackage, writeMappingPackage } from './mapping-package.mjs';
import { own, packFolder, writeManifest } from './pack-folder.mjs';

const { values } = parseArgs({ options: { to: { type: 'string' }, built: { type: 'boolean' } } });
const entry = 'dist/apps/provider-kit/src/main.js';
/** Folders of packages with another form of the same code, for browsers and bundlers: Node loads the one beside it. */
const unused = /\/(?:browser|esm5|esm2015|umd|bundles|build\/(?:esm|esnext))\//;
const unusedHere = /^node_modules\/(?:(?:rxjs|cockatiel)\/dist\/esm|dayjs\/esm|validator\/es)\//;
/** Imported when a key is kept in a cloud: the kit keeps none. */
const neverRun = new Set(['@aws-sdk/client-kms', '@azure/identity', '@azure/keyvault-keys']);

if (!values.built) {
  installMissing();
  buildIfChanged();
}
const { files, packages } = importsOf(entry);
await packFolder(values.to, (stage) => {
  for (const file of [...files, ...dataOf(files)]) copyTo(stage, file);
  const names = new Set();
  for (const name of packages) addPackage(name, names);
  for (const name of names)
    if (name === mappingPackage) writeMappingPackage(join(stage, 'node_modules', name));
    else copyPackage(stage, join('node_modules', name));
  const dependencies = Object.fromEntries(
    [...packages].sort().map((name) => [name, own.dependencies[name]]),
  );
  writeManifest(stage, {
    name: 'onefold-provider-kit',
    version: own.version,
    description: 'Checks, records and replays provider documents of Onefold.',
    license: own.license,
    type: own.type,
    engines: own.engines,
    imports: own.imports,
    bin: { 'onefold-provider-kit': entry },
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  });
  copyFileSync(join(root, 'docs/providers/kit.md'), join(stage, 'README.md'));
  copyTo(stage, 'LICENSE');
});

/** Finds the files of ours and the packages that a file imports, directly and through others. */
function importsOf(first) {
  const files = new Set();
  const packages = new Set();
  const open = [first];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file) || !existsSync(join(root, file))) continue;
    files.add(file);
    if (!file.endsWith('.js')) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name] of text.matchAll(
      /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*['"`]([^'"`\n]+)['"`]/g,
    )) {
      const found = fileOf(name, file);
      if (found !== undefined) open.push(found);
      const [scope, inner] = name.split('/');
      const external = name.startsWith('@') ? `${scope}/${inner}` : scope;
      if (Object.hasOwn(own.dependencies, external) && !neverRun.has(external))
        packages.add(external);
    }
  }
  return { files, packages };
}

/** Resolves `./x.js` and `#room`. */
function fileOf(name, from) {
  if (name.startsWith('.')) return join(dirname(from), name);
  for (const [pattern, target] of Object.entries(own.imports)) {
    if (name === pattern) return target.slice(2);
    const [start] = pattern.split('*');
    if (pattern.endsWith('*') && name.startsWith(start))
      return target.slice(2).replace('*', name.slice(start.length));
  }
  return undefined;
}

/** Documents and schemas that the rooms of these files read at run time. */
function dataOf(files) {
  const rooms = new Set([...files].map((file) => file.split('/').slice(0, 3).join('/')));
  rooms.delete('dist/libs/providers'); // the vendors' documents
  return [...rooms].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ya?ml|json)$/.test(name))
      .map((name) => join(room, name)),
  );
}

/** Adds a package and those that it needs, by their places in node_modules. */
function addPackage(name, names, from = '') {
  const nested = join(from, 'node_modules', name);
  const isNested = from !== '' && existsSync(join(root, 'node_modules', nested));
  const place = isNested ? nested : name;
  if (names.has(place) || !existsSync(join(root, 'node_modules', place))) return;
  names.add(place);
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = JSON.parse(readFileSync(join(root, 'node_modules', place, 'package.json'), 'utf8'));
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
    addPackage(needed, names, place);
  for (const peer of Object.keys(peerDependencies)) {
    // Templates of the kit may call every method.
    const isUnused = peerDependenciesMeta[peer]?.optional && name !== mappingPackage;
    if (isUnused || !Object.hasOwn(own.dependencies, peer)) continue;
    packages.add(peer);
    addPackage(peer, names);
  }
}

/** Copies what runs and the license of a package; packages within it are copied by themselves. */
function copyPackage(stage, place) {
  for (const file of readdirSync(join(root, place), { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name).slice(root.length + 1);
    const inside = path.slice(place.length);
    if (!file.isFile() || inside.includes('/node_modules/')) continue;
    if (unused.test(inside) || unusedHere.test(path)) continue;
    if (/\.(?:[cm]?js|json|node|wasm)$|(?:^|\/)(?:licen[cs]e|notice)[^/]*$/i.test(path))
      copyTo(stage, path);
  }
}

function copyTo(stage, file) {
  const target = join(stage, file);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(root, file), target);
}
