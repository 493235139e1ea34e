import { readFileSync } from 'node:fs';
import { MappingError } from '#mapping';
import type { Provider } from '../provider.js';
import { compileProviders } from './compile-provider.js';
import { documentProvider } from './document-provider.js';

const file = 'provider.yaml';

/**
 * Reads the providers of a folder: its `provider.yaml`, and the mapping files that it names.
 * @throws Error naming the file and every fault
 */
export function readProviders(folder: URL): Provider[] {
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  try {
    return compileProviders(read(file), read).map(documentProvider);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new Error(`${new URL(file, folder).pathname}: ${error.message}`, { cause: error });
  }
}
