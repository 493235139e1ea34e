// Fails if the built pages are larger than their budgets: what the first screen of the console loads and what each other screen adds,
// the editor of documents, which its screens load once they are shown, the Connect UI in one language, and the embed script, compressed by
// gzip; and on disk everything, and apart from it the documentation.
//   node tools/console-budgets.mjs --list     prints the sizes too
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { root } from './install.mjs';

/** In bytes. */
const budgets = {
  first: 60_000,
  screen: 25_000,
  editor: 120_000,
  styles: 12_000,
  all: 1_000_000,
  documentation: 2_000_000,
  connect: 45_000,
  embed: 3_000,
};

const folder = join(root, 'dist/console');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  ['.html', '.js', '.css'].includes(extname(name)),
);
const isDocumentation = (name) => name.startsWith('docs/');
const sizeOf = (names) => names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
const read = (name) => readFileSync(join(folder, 'assets', name), 'utf8');
const bytesOf = (names) =>
  [...names].reduce((sum, name) => sum + statSync(join(folder, 'assets', `${name}.gz`)).size, 0);

const page = readFileSync(join(folder, 'index.html'), 'utf8');
const linked = [...page.matchAll(/(?:src|href)="\/console\/assets\/([^"]+)"/g)].map(
  ([, name]) => name,
);
const [entry] = linked.filter((name) => name.endsWith('.js'));
/** A script and all that it imports before it runs. */
const withImports = (name, found = new Set()) => {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, one] of read(name).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
    withImports(one, found);
  return found;
};
const screens = [...read(entry).matchAll(/import\([`"']\.\/([^`"']+\.js)[`"']\)/g)].map(
  ([, name]) => name,
);
// The first screen after the logon is the overview.
const overview = screens.find((name) => name.startsWith('overview-'));
const first = new Set([...withImports(entry), ...withImports(overview)]);

const editor = files
  .map((name) => name.replace('assets/', ''))
  .filter((name) => name.startsWith('create-editor-') && name.endsWith('.js'));
const measured = [
  ['the first screen', bytesOf(first), budgets.first],
  ['styles', bytesOf(linked.filter((name) => name.endsWith('.css'))), budgets.styles],
  ...screens.map((name) => [
    name,
    bytesOf([...withImports(name)].filter((one) => !first.has(one))),
    budgets.screen,
  ]),
  ...editor.map((name) => [
    'the editor',
    bytesOf([...withImports(name)].filter((one) => !first.has(one))),
    budgets.editor,
  ]),
  ['everything', sizeOf(files.filter((name) => !isDocumentation(name))), budgets.all],
  ['the documentation', sizeOf(files.filter(isDocumentation)), budgets.documentation],
];
const connect = join(root, 'dist/connect');
const sizeIn = (name) => statSync(join(connect, name)).size;
const compressed = readdirSync(join(connect, 'assets')).filter((name) => name.endsWith('.gz'));
const languages = compressed.filter((name) => /^(?:de|es|fr|ja)-/.test(name));
const ofLanguages = languages.map((name) => sizeIn(`assets/${name}`));
const ofOthers = compressed
  .filter((name) => !languages.includes(name))
  .map((name) => sizeIn(`assets/${name}`));
measured.push(
  [
    'the Connect UI in its longest language',
    ofOthers.reduce((sum, bytes) => sum + bytes, sizeIn('index.html.gz')) +
      Math.max(...ofLanguages),
    budgets.connect,
  ],
  ['embed-1.js', sizeIn('embed-1.js.gz'), budgets.embed],
);

const tooLarge = measured.filter(([, bytes, most]) => bytes > most);
for (const [name, bytes, most] of tooLarge)
  console.error(`dist: ${name} has ${bytes} bytes, allowed are ${most}`);
if (process.argv.includes('--list'))
  for (const [name, bytes, most] of measured) console.log(`${bytes} of ${most}  ${name}`);
process.exit(tooLarge.length === 0 ? 0 : 1);
