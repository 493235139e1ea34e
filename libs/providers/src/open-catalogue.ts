import { readFileSync } from 'node:fs';
import {
  type CompiledProvider,
  manifestsOf,
  type ManifestSource,
  type ProviderDescription,
  readProviders,
} from '#provider-document';
import { type BuiltInProviders, ProviderCatalogue } from './provider-catalogue.js';

/** An entry of `manifests.json`, which `libs/providers/manifests.mjs` writes at build. */
interface Entry {
  folder: string;
  source: ManifestSource;
}

const built = new URL('../', import.meta.url);

/**
 * Opens the catalogue of providers: reads their manifests, and nothing else.
 * @param make makes a provider out of its compiled document
 * @param others built-in providers without a document
 * @param folder has `manifests.json` and a folder for each vendor
 */
export function openCatalogue<P extends ProviderDescription>(
  make: (compiled: CompiledProvider) => P,
  others: readonly BuiltInProviders<P>[] = [],
  folder: URL = built,
): ProviderCatalogue<P> {
  const text = readFileSync(new URL('manifests.json', folder), 'utf8');
  const documents = (JSON.parse(text) as Entry[]).map((entry): BuiltInProviders<P> => ({
    folder: entry.folder,
    manifests: manifestsOf(entry.source),
    load: async () => (await readProviders(new URL(`${entry.folder}/`, folder))).map(make),
  }));
  return new ProviderCatalogue([...others, ...documents], make);
}
