// Writes docs/fakes-format.md from the JSON Schema of fake documents; with --check only says whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { root } from './install.mjs';
import { compactTables } from './compact-tables.mjs';

const file = 'libs/fakes/src/document/fake-document.schema.json';
const schema = JSON.parse(readFileSync(join(root, file), 'utf8'));
const target = join(root, 'docs/fakes-format.md');

const nameOf = (part) => part?.$ref?.split('/').at(-1);
const resolve = (part) =>
  part?.$ref === undefined ? part : { ...schema.$defs[nameOf(part)], ...part };
const isSection = (part) => part.properties !== undefined || part.oneOf !== undefined;
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Describes the values of a key in a word or two. */
function kindOf(part) {
  const name = nameOf(part);
  if (name === 'name') return 'name';
  if (['query', 'template', 'text'].includes(name)) return `_${name}_`;
  if (name === 'headers') return '_query_ by header';
  const whole = resolve(part);
  if (name !== undefined && isSection(whole)) return `[${name}](#${name.toLowerCase()})`;
  if (whole.const !== undefined) return `\`${whole.const}\``;
  if (whole.enum) return whole.enum.map((one) => `\`${one}\``).join(', ');
  if (whole.then) {
    const [first, second] = [kindOf({ type: 'array', ...whole.then }), kindOf(whole.else)];
    if (whole.if.type === 'array') return `${second}, or ${first}`;
    const text = resolve(whole.then).enum ? first : 'name';
    return `${text}, or ${whole.else.$ref ? second : `[${name}](#${name.toLowerCase()})`}`;
  }
  if (whole.type === 'array') return `list of ${kindOf(whole.items ?? {})}`;
  const named = whole.additionalProperties;
  if (named && typeof named === 'object') return `${kindOf(named)} by name`;
  return [whole.type ?? 'any value'].flat().join(' or ');
}

function rows(part, prefix = '') {
  return Object.entries(part.properties ?? {}).flatMap(([key, value]) => {
    const whole = resolve(value);
    const mark = part.required?.includes(key) ? '**' : '';
    const about = cell(whole.description ?? '');
    const own = `| ${mark}\`${prefix}${key}\`${mark} | ${cell(kindOf(value))} | ${about} |`;
    const inline = value.$ref || !whole.properties ? [] : rows(whole, `${prefix}${key}.`);
    return [own, ...inline];
  });
}

function section(name, part) {
  const lines = [`## ${name}`, '', part.description ?? '', ''];
  const variants = part.oneOf ?? [part.else?.properties ? part.else : part];
  for (const variant of variants) {
    if (part.oneOf) lines.push(`### ${variant.title}`, '');
    lines.push('| key | value | |', '| --- | --- | --- |', ...rows(variant), '');
  }
  return lines;
}

const sections = Object.entries(schema.$defs).filter(
  ([, part]) => isSection(part) || part.anyOf || part.else?.properties,
);
const text = [
  '# Format of fake documents',
  '',
  `This page is written by \`node tools/fake-reference.mjs\` from the JSON Schema, \`${file}\`, which editors can use as well; ` +
    '`npm run check` compares. [Fakes](fakes.md) explains how they work, and what expressions see.',
  '',
  'Bold keys are required. A _query_ has a value, a _template_ assigns to `root`, both in the [mapping language](mapping/language.md);',
  'a _text_ has queries in braces.',
  '',
  ...section('The document', schema),
  ...sections.flatMap(([name, part]) => section(name, part)),
].join('\n');

const options = { parser: 'markdown', printWidth: 140, singleQuote: true };
const page = compactTables(await format(text, options));
if (process.argv.includes('--check')) {
  const known = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (known !== page) {
    console.error('docs/fakes-format.md is not up to date: node tools/fake-reference.mjs');
    process.exit(1);
  }
} else writeFileSync(target, page);
