import { readFileSync } from 'node:fs';
import {
  type CompiledProvider,
  isMadeUp,
  manifestsOf,
  type ManifestSource,
  mockManifest,
  type ProviderDescription,
  readProviders,
} from '#provider-document';
import { type BuiltInProviders, ProviderCatalogue } from './provider-catalogue.js';

/** An entry of `manifests.json`, which `libs/providers/manifests.mjs` writes at build. */
interface Entry {
  folder: string;
  source: ManifestSource;
  /** True if the folder has a fake, so that each of its providers has a mock. */
  hasFake?: true;
}

export interface CatalogueOptions<P extends ProviderDescription> {
  /** Creates a provider from its compiled document. */
  make: (compiled: CompiledProvider) => P;
  /**
   * Creates the mocks of a vendor's providers; there are none without it.
   * @param folder folder of the vendor, which contains the fake
   */
  makeMocks?: (
    compiled: readonly CompiledProvider[],
    folder: URL,
  ) => readonly P[] | Promise<readonly P[]>;
  /** Built-in providers without a document. */
  others?: readonly BuiltInProviders<P>[];
  /** Folder with `manifests.json` and a folder for each vendor. */
  folder?: URL;
}

const built = new URL('../', import.meta.url);

/** Opens the catalogue of providers. Only manifests are read. */
export function openCatalogue<P extends ProviderDescription>({
  make,
  makeMocks,
  others = [],
  folder = built,
}: CatalogueOptions<P>): ProviderCatalogue<P> {
  const text = readFileSync(new URL('manifests.json', folder), 'utf8');
  const documents = (JSON.parse(text) as Entry[]).flatMap((entry): BuiltInProviders<P>[] => {
    const place = new URL(`${entry.folder}/`, folder);
    const manifests = manifestsOf(entry.source);
    const real = manifests.filter(({ type }) => !isMadeUp(type));
    const one = {
      folder: entry.folder,
      manifests: real,
      load: async () => (await readProviders(place)).map(make),
    };
    if (entry.hasFake !== true || makeMocks === undefined) return [one];
    // Loaded separately: few processes use both, and the fake takes memory.
    const mocks = {
      folder: `${entry.folder} mocks`,
      manifests: manifests.map(mockManifest),
      load: async () => makeMocks(await readProviders(place), place),
    };
    return [one, mocks];
  });
  const known = [...others, ...documents].filter(({ manifests }) => manifests.length > 0);
  return new ProviderCatalogue<P>(known, make);
}
