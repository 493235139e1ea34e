// Writes docs/providers/requests.md from the contract: what the mapping `request` of each operation sees; with --check only says whether it
// is up to date. Needs a build.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { operations } from '../dist/libs/contract/src/index.js';
import { requestInput } from '../dist/apps/provider-kit/src/show.js';
import { root } from './install.mjs';

const target = join(root, 'docs/providers/requests.md');
const others = new Set(['hooks', 'integrationWebhooks', 'operations']);

/** Events and findings of OCSF have so many that only those are named which each of them has. */
const maxFields = 30;

/** Fields with their types would be a page for each operation, which `provider -- show` prints. */
const rows = [...operations.values()].flatMap((operation) => {
  const input = operation.side === 'connector' ? requestInput(operation) : undefined;
  if (input === undefined || others.has(operation.group)) return [];
  const { about, fields } = input;
  const named = fields.length > maxFields ? fields.filter(({ isRequired }) => isRequired) : fields;
  const names = named.map(({ name, isRequired }) =>
    isRequired ? `**\`${name}\`**` : `\`${name}\``,
  );
  const more = fields.length > named.length ? `, and ${fields.length - named.length} more` : '';
  const rest = about.startsWith('nothing') ? '' : `: ${names.join(', ') || 'any fields'}${more}`;
  return `- \`${operation.id}\` sees ${about}${rest}.`;
});

const text = `# What the mapping request sees

This page is written by \`node tools/request-reference.mjs\` from the contract; \`npm run check\` compares. \`npm run -s provider -- show OPERATION\`
prints the same for one operation with the types of the fields, and the names that its expressions see.

The mapping \`request\` of an operation turns these fields, which are in our shape, into the provider's: \`this.body\`, and \`this.changes\` of a patch.
Fields that callers must send are bold. A mapping chain of the customer runs before, and may make others of them.

${rows.join('\n')}
`;
const page = await format(text, { parser: 'markdown', printWidth: 140, singleQuote: true });
if (process.argv.includes('--check')) {
  const known = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (known !== page) {
    console.error('docs/providers/requests.md is not up to date: node tools/request-reference.mjs');
    process.exit(1);
  }
} else writeFileSync(target, page);
