import type { Manifest } from '../provider.js';
import type { ProviderSource } from './source.js';

/** The keys of a document that its manifest is made of. */
export type ManifestSource = Pick<
  ProviderSource,
  'provider' | 'version' | 'fullname' | 'vendor' | 'description' | 'availability' | 'proof'
>;

/** Reads what a document says about the provider itself. */
export function manifestOf(source: ManifestSource): Manifest {
  const { provider: type, version, fullname, vendor, proof } = source;
  return {
    type,
    version,
    fullname,
    vendor,
    description: source.description ?? fullname,
    availability: source.availability ?? 'generally-available',
    ...(proof === undefined ? {} : { proof }),
  };
}
