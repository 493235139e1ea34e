// Collects the data of each provider folder that is needed at start into manifests.json, so that start reads a single
// file.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Keys of a document, and of each of its providers, that manifests contain. */
const keys = [
  'provider',
  'version',
  'fullname',
  'vendor',
  'description',
  'availability',
  'proof',
  'setup',
  'authorization',
];

/** Writes manifests.json. @param folder the built libs/providers, with the documents in it */
export function writeManifests(folder) {
  const entries = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'provider.yaml')))
    .sort()
    .flatMap((name) => {
      const file = join(folder, name, 'provider.yaml');
      try {
        const { providers, ...document } = parse(readFileSync(file, 'utf8'));
        const source = head(document);
        if (providers !== undefined)
          source.providers = Object.fromEntries(
            Object.entries(providers).map(([id, entry]) => [id, head(entry)]),
          );
        const hasFake = existsSync(join(folder, name, 'fake.yaml'));
        return [{ folder: name, source, ...(hasFake ? { hasFake } : {}) }];
      } catch (error) {
        console.error(`${file}: ${error.message}`); // The tests of this provider fail; the other providers are built.
        return [];
      }
    });
  writeFileSync(join(folder, 'manifests.json'), JSON.stringify(entries));
}

function head(document) {
  return Object.fromEntries(
    keys.filter((key) => key in document).map((key) => [key, document[key]]),
  );
}
