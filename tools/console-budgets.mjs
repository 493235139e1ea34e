// Fails if the built console is larger than its budgets: what a first visit loads, compressed by gzip, and everything on disk.
//   node tools/console-budgets.mjs
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { root } from './install.mjs';

/** In bytes. */
const budgets = { '.js': 60_000, '.css': 12_000, all: 900_000 };

const folder = join(root, 'dist/console');
const page = readFileSync(join(folder, 'index.html'), 'utf8');
const first = [...page.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, name]) => name);
const sizes = { '.js': 0, '.css': 0, all: 0 };
for (const name of first) sizes[extname(name)] += statSync(join(folder, `${name}.gz`)).size;
for (const name of readdirSync(folder, { recursive: true }))
  if (['.html', '.js', '.css'].includes(extname(name)))
    sizes.all += statSync(join(folder, name)).size;

const tooLarge = Object.keys(budgets).filter(
  (kind) => sizes[kind] === 0 || sizes[kind] > budgets[kind],
);
for (const kind of tooLarge)
  console.error(
    `dist/console: ${kind} has ${sizes[kind]} bytes, allowed are 1 to ${budgets[kind]}`,
  );
process.exit(tooLarge.length === 0 ? 0 : 1);
