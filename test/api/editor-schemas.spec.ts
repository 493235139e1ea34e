import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');
const settings = JSON.parse(read('.vscode/settings.json')) as {
  'yaml.schemas': Record<string, string>;
};

/** Patterns have one * per folder or name. */
function filesOf(pattern: string): string[] {
  const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`);
  return (readdirSync(`${root}libs/providers`, { recursive: true }) as string[])
    .map((file) => `libs/providers/${file}`)
    .filter((file) => expression.test(file));
}

it.each(Object.entries(settings['yaml.schemas']))(
  'the schema %s accepts every file that editors check by it',
  (schema, pattern) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    const validate = ajv.compile(JSON.parse(read(schema)) as object);
    const files = filesOf(pattern);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const document = parse(read(file)) as object;
      validate(document);
      expect([file, validate.errors ?? []]).toEqual([file, []]);
      expect(validate({ ...document, no_such_key: 1 })).toBe(false);
    }
  },
);
