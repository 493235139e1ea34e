import { existsSync, readFileSync } from 'node:fs';
import { MappingError } from '@onefold/mapping';
import type { ClientFunctions } from './client-function.js';
import { compileProviders } from './compile-provider.js';
import type { CompiledProvider } from './compiled-provider.js';

const file = 'provider.yaml';

/**
 * Reads and compiles the providers of a vendor's folder: its `provider.yaml`, the mapping files that it names, and the functions of `client.ts`.
 * @throws Error naming the file and every fault
 */
export async function readProviders(folder: URL): Promise<CompiledProvider[]> {
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  const functions = await readFunctions(folder);
  try {
    return compileProviders(read(file), read, functions);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new Error(`${new URL(file, folder).pathname}: ${error.message}`, { cause: error });
  }
}

/** Loads what `client.ts` of a built folder exports; nothing where there is none. */
export async function readFunctions(folder: URL): Promise<ClientFunctions> {
  const client = new URL('client.js', folder);
  return existsSync(client) ? { ...((await import(client.href)) as ClientFunctions) } : {};
}
