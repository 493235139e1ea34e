import { existsSync, readFileSync } from 'node:fs';
import { MappingError } from '@onefold/mapping';
import type { ClientFunctions } from './client-function.js';
import { openProviders } from './compile-provider.js';
import type { CompiledProvider } from './compiled-provider.js';
import { readTranslations, type Translation } from './translations.js';

const file = 'provider.yaml';
const translationsFile = 'translations.yaml';

/**
 * Opens the providers of a vendor's folder: its `provider.yaml`, the mapping files that it names, and the functions of `client.ts`. Operations and
 * mappings are compiled when they are first used.
 * @throws Error naming the file and the faults
 */
export async function readProviders(folder: URL): Promise<CompiledProvider[]> {
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  const functions = await readFunctions(folder);
  try {
    const readTranslated = translationsReader(folder);
    return openProviders(read(file), read, functions).map((one) => ({
      ...one,
      readTranslations: readTranslated,
    }));
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new Error(`${new URL(file, folder).pathname}: ${error.message}`, { cause: error });
  }
}

/** Makes the function that reads `translations.yaml` once: only those who connect in another language than English need it. */
function translationsReader(folder: URL): () => readonly Translation[] {
  const place = new URL(translationsFile, folder);
  let list: readonly Translation[] | undefined;
  return () => (list ??= existsSync(place) ? readTranslations(readFileSync(place, 'utf8')) : []);
}

/** Loads what `client.ts` of a built folder exports; nothing where there is none. */
export async function readFunctions(folder: URL): Promise<ClientFunctions> {
  const client = new URL('client.js', folder);
  return existsSync(client) ? { ...((await import(client.href)) as ClientFunctions) } : {};
}
