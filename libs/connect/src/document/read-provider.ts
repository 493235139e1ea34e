import { readFileSync } from 'node:fs';
import { MappingError } from '#mapping';
import type { Provider } from '../provider.js';
import { compileProvider } from './compile-provider.js';
import { documentProvider } from './document-provider.js';

const file = 'provider.yaml';

/** The provider of a folder: its `provider.yaml`, and the mapping files that it names. @throws Error naming the file and every fault */
export function readProvider(folder: URL): Provider {
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  try {
    return documentProvider(compileProvider(read(file), read));
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new Error(`${new URL(file, folder).pathname}: ${error.message}`, { cause: error });
  }
}
