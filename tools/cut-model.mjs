// Cuts the fields of a vendor's records out of its OpenAPI description, as libs/providers/NAME/model.yaml has them: their names and kinds alone.
//   node tools/cut-model.mjs DESCRIPTION '#/components/schemas/User' … [--whole manager,devices[]]
// What is whole is one field, such as a record of another kind.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import './install.mjs';

const { fieldsOfSchema } = await import('../dist/apps/provider-kit/src/model/schema-fields.js');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { whole: { type: 'string', default: '' } },
});
const [source, ...references] = positionals;
if (source === undefined || references.length === 0) {
  console.error("node tools/cut-model.mjs DESCRIPTION '#/components/schemas/NAME' …");
  process.exit(2);
}
const whole = values.whole.split(',');
const document = parse(readFileSync(source, 'utf8'));
for (const $ref of references) console.log(`  # ${$ref}\n${writeFields($ref)}`);

/** Writes the fields of a schema by their kinds, with lines of at most 140 characters. */
function writeFields($ref) {
  const kinds = new Map();
  for (const { path, kind } of fieldsOfSchema(document, { $ref }, whole))
    kinds.set(kind, [...(kinds.get(kind) ?? []), path]);
  const lines = [...kinds].map(([kind, paths]) => {
    const wrapped = paths.join(' ').match(/\S.{0,124}(?= |$)/g) ?? [];
    return [`      ${JSON.stringify(kind)}: >-`, ...wrapped].join('\n        ');
  });
  return ['    fields:', ...lines].join('\n');
}
