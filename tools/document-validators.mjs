// Compiles the JSON Schemas of a kind of document to code. Ajv took 0.4 s for them in every process that read its first document, and several
// seconds on a busy machine, in which the process answered nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { writeGenerated } from './write-generated.mjs';

/**
 * Writes `generated/validators.js` of a folder, if a schema has changed.
 * @param {URL} folder that of the schemas
 * @param {Record<string, string>} schemas files, by the names of the functions that check by them
 */
export async function writeDocumentValidators(folder, schemas) {
  const texts = Object.values(schemas).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const target = new URL('generated/validators.js', folder);
  const own = readFileSync(new URL(import.meta.url));
  if (!(await writeGenerated(target, [own, ...texts], () => compile(schemas, texts)))) return;
  const declared = Object.keys(schemas).map((name) => `export const ${name}: ValidateFunction;\n`);
  writeFileSync(
    new URL('generated/validators.d.ts', folder),
    `import type { ValidateFunction } from 'ajv/dist/2020.js';\n${declared.join('')}`,
  );
}

async function compile(schemas, texts) {
  const { default: ajv2020 } = await import('ajv/dist/2020.js');
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  const ajv = new ajv2020.default({
    allErrors: true,
    strict: false,
    discriminator: true,
    verbose: true, // for the keys that exist where one is unknown
    code: { source: true, esm: true, lines: false },
  });
  const names = Object.values(schemas);
  for (const [index, name] of names.entries()) ajv.addSchema(JSON.parse(texts[index]), name);
  const code = standalone.default(ajv, schemas);
  return code.includes('require(')
    ? `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${code}`
    : code;
}
