import type { Manifest } from '../provider.js';
import type { DocumentSource } from './source.js';

/** The keys of a document that manifests are made of. */
export type ManifestSource = Pick<
  DocumentSource,
  | 'provider'
  | 'providers'
  | 'version'
  | 'fullname'
  | 'vendor'
  | 'description'
  | 'availability'
  | 'proof'
>;

/** Reads what a document says about its providers: one, or several of one vendor. */
export function manifestsOf(source: ManifestSource): Manifest[] {
  const { providers, version, vendor } = source;
  const entries =
    providers === undefined
      ? [[source.provider ?? '', source] as const]
      : Object.entries(providers);
  return entries.map(([type, entry]) => {
    const { fullname = type, description, availability, proof } = { ...source, ...entry };
    return {
      type,
      version,
      fullname,
      vendor,
      description: description ?? fullname,
      availability: availability ?? 'generally-available',
      ...(proof === undefined ? {} : { proof }),
    };
  });
}

/** The domain of a provider: the beginning of its id. */
export function domainOf(type: string): string {
  return type.split('_')[0] ?? '';
}
