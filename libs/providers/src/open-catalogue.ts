import { readFileSync } from 'node:fs';
import { type ManifestSource, manifestsOf, readProviders } from '#connect';
import { mockTicketing } from '#providers/mock-ticketing';
import type { Store } from '#store';
import { type BuiltInProviders, ProviderCatalogue } from './provider-catalogue.js';

/** An entry of `manifests.json`, which `libs/providers/manifests.mjs` writes at build. */
interface Entry {
  folder: string;
  source: ManifestSource;
}

const built = new URL('../', import.meta.url);

/**
 * Opens the catalogue of providers: reads their manifests, and nothing else.
 * @param store where the mock keeps its records
 * @param folder has `manifests.json` and a folder for each vendor
 */
export function openCatalogue(store: Store, folder: URL = built): ProviderCatalogue {
  const text = readFileSync(new URL('manifests.json', folder), 'utf8');
  const documents = (JSON.parse(text) as Entry[]).map((entry): BuiltInProviders => ({
    folder: entry.folder,
    manifests: manifestsOf(entry.source),
    load: () => readProviders(new URL(`${entry.folder}/`, folder)),
  }));
  const mock: BuiltInProviders = {
    folder: 'mock-ticketing',
    manifests: [mockTicketing.manifest],
    load: async () => [await mockTicketing.load(store)],
  };
  return new ProviderCatalogue([mock, ...documents]);
}
