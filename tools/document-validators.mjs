// Compiles the JSON Schemas of provider documents and of fakes to src/generated/validators.js beside them. Ajv took 0.4 s for them in every
// process that read its first document, and several seconds on a busy machine, in which the process answered nothing.
//   node tools/document-validators.mjs     the build does it
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './install.mjs';

/** By folder, the function that checks a whole document and the one that checks a file that it includes. */
const formats = {
  'libs/provider-document/src': {
    validateDocument: 'provider-document.schema.json',
    validatePart: 'provider-operations.schema.json',
  },
  'libs/fakes/src/document': {
    validateDocument: 'fake-document.schema.json',
    validatePart: 'fake-part.schema.json',
  },
};

/** Writes the validators whose schema has changed. */
export async function writeDocumentValidators() {
  for (const [folder, files] of Object.entries(formats)) {
    const texts = Object.values(files).map((file) =>
      readFileSync(join(root, folder, file), 'utf8'),
    );
    const stamp = createHash('sha256').update(readFileSync(import.meta.filename, 'utf8'));
    for (const text of texts) stamp.update(text);
    const head = `// ${stamp.digest('hex')}\n`;
    const target = join(root, folder, 'generated/validators.js');
    if (existsSync(target) && readFileSync(target, 'utf8').startsWith(head)) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, head + (await compile(files, texts)));
    const declared = Object.keys(files).map((name) => `export const ${name}: ValidateFunction;\n`);
    writeFileSync(
      target.replace(/\.js$/, '.d.ts'),
      `import type { ValidateFunction } from 'ajv/dist/2020.js';\n${declared.join('')}`,
    );
  }
}

async function compile(files, texts) {
  const { default: ajv2020 } = await import('ajv/dist/2020.js');
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  const ajv = new ajv2020.default({
    allErrors: true,
    strict: false,
    discriminator: true,
    verbose: true, // for the keys that exist where one is unknown
    code: { source: true, esm: true, lines: false },
  });
  const names = Object.values(files);
  for (const [index, name] of names.entries()) ajv.addSchema(JSON.parse(texts[index]), name);
  const code = standalone.default(ajv, files);
  return code.includes('require(')
    ? `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${code}`
    : code;
}

if (process.argv[1] === import.meta.filename) await writeDocumentValidators();
