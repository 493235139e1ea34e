import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');
const settings = JSON.parse(read('.vscode/settings.json')) as {
  'yaml.schemas': Record<string, string | string[]>;
};
const schemas = Object.entries(settings['yaml.schemas']);
const files = ['libs/providers', 'docs/providers/examples'].flatMap((folder) =>
  (readdirSync(`${root}${folder}`, { recursive: true }) as string[]).map(
    (file) => `${folder}/${file}`,
  ),
);

/** Patterns have one * per folder or name. */
function filesOf(pattern: string): string[] {
  const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`);
  return files.filter((file) => expression.test(file));
}

it.each(schemas)(
  'the schema %s accepts every file that editors check by it',
  (schema, patterns) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    // Schemas of included files refer to the one of the document, which is beside them.
    for (const [file] of schemas) ajv.addSchema(JSON.parse(read(file)) as object, basename(file));
    const validate = ajv.getSchema(basename(schema));
    if (validate === undefined) throw new Error(`${schema} was not added`);
    for (const pattern of [patterns].flat()) {
      const found = filesOf(pattern);
      expect([pattern, found.length]).not.toEqual([pattern, 0]);
      for (const file of found) {
        const document = parse(read(file)) as object;
        expect([file, validate(document), validate.errors]).toEqual([file, true, null]);
        expect(validate({ ...document, no_such_key: 1 })).toBe(false);
      }
    }
  },
);

it('editors check every document of a provider', () => {
  const checked = new Set(schemas.flatMap(([, patterns]) => [patterns].flat().flatMap(filesOf)));
  const documents = files.filter(
    (file) =>
      /\/(?:provider|fake)\.yaml$/.test(file) ||
      /\/(?:operations|fake|mappings)\/[^/]+\.yaml$/.test(file),
  );
  expect(documents.filter((file) => !checked.has(file))).toEqual([]);
  // And each file that a document includes is in one of those folders.
  const included = documents.flatMap((file) => {
    const { include = [] } = parse(read(file)) as { include?: string[] };
    return include.map((name) => `${file.slice(0, file.lastIndexOf('/'))}/${name}`);
  });
  expect(included.filter((file) => !checked.has(file))).toEqual([]);
});
