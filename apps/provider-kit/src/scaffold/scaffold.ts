import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCheckout, ProviderFolder, providersFolder } from '../folders.js';
import { authKinds, domains, type Example, exampleOf } from './examples.js';
import { translationsFile } from '../translation-faults.js';
import { valuesFile } from '../values/value-tables.js';
import {
  documentText,
  fakeText,
  mappingText,
  readmeText,
  stepsText,
  translationsText,
  valuesText,
} from './texts.js';

export { authKinds, domains };

/** The folder cannot be scaffolded, for the reason in the message. */
export class ScaffoldRefused extends Error {}

/**
 * Writes a folder that passes `check` and `test`: a document of one operation, its mapping, and the fake that answers to it.
 * @param auth how the vendor authenticates requests: one of {@link authKinds}, the first when absent
 * @returns the paths of the files, for messages
 */
export function scaffold(
  name: string,
  domain: string,
  { auth = authKinds()[0] ?? '', parent = providersFolder }: { auth?: string; parent?: URL } = {},
): string[] {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new ScaffoldRefused(
      `"${name}" is not a valid folder name: use lower-case letters, digits and -`,
    );
  const folder = new ProviderFolder(name, parent);
  if (folder.has('.')) throw new ScaffoldRefused(`${folder.shown('')} exists already`);
  checkName('domain', domain, domains());
  checkName('kind of credential', auth, authKinds());
  const example = exampleOf(name, domain, auth) as Example;
  const mapping = mappingText(example);
  const values = valuesText(example);
  const files: Record<string, string> = {
    'provider.yaml': documentText(example),
    ...(mapping === undefined ? {} : { [`mappings/${example.recordName}.yaml`]: mapping }),
    'fake.yaml': fakeText(example),
    ...(values === undefined ? {} : { [valuesFile]: values }),
    ...(isCheckout
      ? {
          'mocks.yaml': stepsText(example),
          [translationsFile]: translationsText(example),
          'README.md': readmeText(example),
        }
      : {}),
  };
  for (const [file, text] of Object.entries(files)) {
    const path = fileURLToPath(new URL(file, folder.url));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  }
  return Object.keys(files).map((file) => folder.shown(file));
}

/** @throws ScaffoldRefused that lists the known names */
function checkName(what: string, given: string, known: readonly string[]): void {
  if (!known.includes(given))
    throw new ScaffoldRefused(
      `the ${what} "${given}" does not exist; use one of ${known.join(', ')}`,
    );
}
