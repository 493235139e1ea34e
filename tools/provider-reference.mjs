// Writes docs/providers/documents.md from the JSON Schema of provider documents; with --check only says whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { root } from './install.mjs';

const file = 'libs/connect/src/document/provider-document.schema.json';
const schema = JSON.parse(readFileSync(join(root, file), 'utf8'));
const target = join(root, 'docs/providers/documents.md');

const resolve = (part) =>
  part?.$ref === undefined ? part : { ...schema.$defs[part.$ref.split('/').at(-1)], ...part };

/** What may stand there, in a word or two. */
function kindOf(part) {
  if (part.$ref?.endsWith('/query')) return 'query';
  if (part.$ref?.endsWith('/template')) return 'template';
  const whole = resolve(part);
  if (whole.const !== undefined) return `\`${whole.const}\``;
  if (whole.enum) return whole.enum.map((one) => `\`${one}\``).join(', ');
  if (whole.type === 'array') return `list of ${kindOf(whole.items ?? {})}`;
  const name = part.$ref?.split('/').at(-1);
  if (name && whole.properties) return `[${name}](#${name})`;
  if (whole.additionalProperties?.$ref) return `${kindOf(whole.additionalProperties)} by name`;
  return [whole.type ?? 'anything'].flat().join(' or ');
}

function table(part, prefix = '') {
  const rows = Object.entries(part.properties ?? {}).flatMap(([key, value]) => {
    const whole = resolve(value);
    const needed = part.required?.includes(key) ? '**' : '';
    const own = `| ${needed}\`${prefix}${key}\`${needed} | ${kindOf(value).replaceAll('|', '\\|')} | ${(whole.description ?? '').replaceAll('|', '\\|')} |`;
    const inline = !value.$ref && whole.properties ? rowsOf(whole, `${prefix}${key}.`) : [];
    const items =
      whole.items && !whole.items.$ref && whole.items.properties
        ? rowsOf(whole.items, `${prefix}${key}[].`)
        : [];
    const named =
      whole.additionalProperties?.properties && !whole.additionalProperties.$ref
        ? rowsOf(whole.additionalProperties, `${prefix}${key}.*.`)
        : [];
    return [own, ...inline, ...items, ...named];
  });
  return rows;
}
const rowsOf = (part, prefix) => table(part, prefix);

function section(name, part, title = name) {
  const lines = [`## ${title}`, '', part.description ?? '', ''];
  const variants = part.oneOf ?? [part];
  for (const variant of variants) {
    if (part.oneOf) lines.push(`### ${variant.title}`, '');
    lines.push('| key | what | |', '| --- | --- | --- |', ...table(variant), '');
  }
  return lines;
}

const objects = Object.entries(schema.$defs).filter(([, part]) => part.properties || part.oneOf);
const text = [
  '# Provider documents',
  '',
  'This page is written by `node tools/provider-reference.mjs` from the JSON Schema, `' +
    file +
    '`, which editors can use as well; `npm run check` compares. The [tutorial](tutorial.md) writes a document step by step.',
  '',
  schema.description,
  'Bold keys are needed. A *query* has a value and a *template* assigns to `root`, both in the [mapping language](../mapping/methods.md).',
  '',
  '## What expressions see',
  '',
  '| | |',
  '| --- | --- |',
  '| `this.config` | the configuration of the integration; its credentials are not in it |',
  '| `this.credential` | the credential, in `credentials` only |',
  "| `this.path` | the path parameters of the request, by the contract's names: `this.path.ticketId` |",
  '| `this.query` | the query parameters of the request |',
  '| `this.body` | the body of a create or patch, in the shape that `request` makes |',
  '| `this.file` | where the request brings a file: its `filename`, `type` and `size`, null where the client has not told it |',
  '| `this.current`, `this.changes` | in a patch: the record of the provider, and what is changed of it, null where a field was removed |',
  '| `this.limit`, `this.filters`, `this.orders` | in a list: how many rows are of use, and the conditions and orders that the provider applies: `{field, operator, values, value}`, times in milliseconds since 1970, and `{field, direction}` |',
  '| `this.page` | where a paged list is: `limit`, and `offset`, `number` or `token` |',
  '| `this.steps.<name>` | the answers so far; of a step with `each` a list |',
  '| `this.item` | in a step with `each`: the value it is called for |',
  '| `this.now` | the time of the request, RFC 3339 |',
  '| `this.status`, `this.headers`, `this.body` | in `checks`, `errors`, `message`, `limited`, `poll` and `page`: the answer, headers in lower case; in `checks` the body that was sent is `this.sent` |',
  '| `@config`, `@path` | in mappings: the configuration and the path parameters |',
  '',
  ...section('document', schema, 'The document'),
  ...objects.flatMap(([name, part]) => section(name, part)),
].join('\n');

const page = await format(text, { parser: 'markdown', printWidth: 140 });
if (process.argv.includes('--check')) {
  const known = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (known !== page) {
    console.error(
      'docs/providers/documents.md is not up to date: node tools/provider-reference.mjs',
    );
    process.exit(1);
  }
} else writeFileSync(target, page);
