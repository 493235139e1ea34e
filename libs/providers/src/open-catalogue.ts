import { readFileSync } from 'node:fs';
import { type ManifestSource, manifestOf, readProvider } from '#connect';
import { mockTicketing } from '#providers/mock-ticketing';
import type { Store } from '#store';
import { type BuiltInProvider, ProviderCatalogue } from './provider-catalogue.js';

/** An entry of `manifests.json`, which `libs/providers/manifests.mjs` writes at build. */
interface Entry {
  folder: string;
  source: ManifestSource;
}

const built = new URL('../', import.meta.url);

/**
 * Opens the catalogue of providers: reads their manifests, and nothing else.
 * @param store where the mock keeps its records
 * @param folder has `manifests.json` and a folder for each provider
 */
export function openCatalogue(store: Store, folder: URL = built): ProviderCatalogue {
  const text = readFileSync(new URL('manifests.json', folder), 'utf8');
  const documents = (JSON.parse(text) as Entry[]).map((entry): BuiltInProvider => ({
    manifest: manifestOf(entry.source),
    load: () => [readProvider(new URL(`${entry.folder}/`, folder))],
  }));
  const { manifest, load } = mockTicketing;
  return new ProviderCatalogue([{ manifest, load: async () => [await load(store)] }, ...documents]);
}
