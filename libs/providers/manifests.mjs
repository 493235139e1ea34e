// Collects what start needs to know of each provider folder into manifests.json, so that start reads one file however many there are.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const keys = ['provider', 'version', 'fullname', 'vendor', 'description', 'availability', 'proof'];

/** @param folder the built libs/providers, with the documents in it */
export function writeManifests(folder) {
  const entries = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'provider.yaml')))
    .sort()
    .flatMap((name) => {
      const file = join(folder, name, 'provider.yaml');
      try {
        const document = parse(readFileSync(file, 'utf8'));
        const source = Object.fromEntries(
          keys.filter((key) => key in document).map((key) => [key, document[key]]),
        );
        return [{ folder: name, source }];
      } catch (error) {
        console.error(`${file}: ${error.message}`); // its tests fail; the other providers are built all the same
        return [];
      }
    });
  writeFileSync(join(folder, 'manifests.json'), JSON.stringify(entries));
}
