// Writes the table of shared templates into docs/ocsf.md, from libs/ocsf/src/templates.
//   node tools/ocsf-reference.mjs --check     compares instead
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import prettier from 'prettier';
import { sharedTemplateSources } from '../dist/libs/ocsf/src/index.js';
import { root } from './install.mjs';

const file = join(root, 'docs/ocsf.md');
const [begin, end] = ['<!-- templates: written by tools/ocsf-reference.mjs -->', '<!-- end -->'];

const show = (value) => `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``;
const rows = [...sharedTemplateSources()].map(([name, { about, examples }]) => {
  const [input, output] = examples[0];
  const text = [input, output].some((value) => JSON.stringify(value).length > 100)
    ? ''
    : `${show(input)} → ${show(output)}`;
  return `| \`${name}\` | ${about.replaceAll('\n', ' ')} | ${text} |`;
});
const table = ['| Template | Input and result | Example |', '| --- | --- | --- |', ...rows].join(
  '\n',
);

const page = readFileSync(file, 'utf8');
const [before, after] = [page.indexOf(begin), page.indexOf(end)];
if (before < 0 || after < before)
  throw new Error(`docs/ocsf.md has no place for the table: ${begin}`);
const config = await prettier.resolveConfig(file);
const written = await prettier.format(
  `${page.slice(0, before)}${begin}\n\n${table}\n\n${page.slice(after)}`,
  { ...config, filepath: file },
);
if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (written !== page) {
  console.error('docs/ocsf.md is not up to date: run node tools/ocsf-reference.mjs');
  process.exitCode = 1;
}
