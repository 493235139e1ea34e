import { type Proof, strongestProof } from './proof.js';
import type { AuthorizationSource, DocumentSource, Setup } from './source.js';

/** Facts about a provider that are known without compiling its document. */
export interface Manifest {
  /** The id in `provider_config.type`, such as `ticketing_mock_ticketing`. */
  type: string;
  version: string;
  fullname: string;
  vendor: string;
  description: string;
  availability:
    'internal' | 'in-development' | 'pre-release' | 'deprecated' | 'generally-available';
  /** The strongest evidence that the provider works; absent for providers without an external system. */
  proof?: Proof;
  setup?: Setup;
  /** How people authorize an application at the provider; absent where they cannot. */
  authorization?: AuthorizationSource;
}

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
  | 'setup'
  | 'authorization'
>;

/** Reads what a document says about its providers: one, or several of one vendor. */
export function manifestsOf(source: ManifestSource): Manifest[] {
  const { providers, version } = source;
  const entries =
    providers === undefined
      ? [[source.provider ?? '', source] as const]
      : Object.entries(providers);
  return entries.map(([type, entry]) => {
    const {
      vendor,
      fullname = type,
      description,
      availability,
      proof,
      setup,
    } = {
      ...source,
      ...entry,
    };
    // The vendor has one authorization server for all of its providers; the scopes are each one's own.
    const authorization = entry.authorization && {
      ...source.authorization,
      ...entry.authorization,
    };
    return {
      type,
      version,
      fullname,
      vendor,
      description: description ?? fullname,
      availability: availability ?? 'generally-available',
      ...(proof === undefined ? {} : { proof: strongestProof(proof) }),
      ...(setup === undefined ? {} : { setup }),
      // A document that was read has all keys together.
      ...(authorization === undefined
        ? {}
        : { authorization: authorization as AuthorizationSource }),
    };
  });
}

/** The domain of a provider: the beginning of its id. */
export function domainOf(type: string): string {
  return type.split('_')[0] ?? '';
}

/** Environments of accounts. */
export type ProviderEnvironment = 'test' | 'prod';

/**
 * Returns the environments whose customers a provider is offered to where nobody has named it. Customers in production are not offered
 * what nothing has shown to work, such as a mock, nor a document of the organization that says that it is being developed.
 */
export function environmentsOf(
  { proof, availability }: Pick<Manifest, 'proof' | 'availability'>,
  isBuiltIn: boolean,
): ProviderEnvironment[] {
  const isProven = proof !== undefined && proof !== 'none';
  const isDraft = availability === 'internal' || (availability === 'in-development' && !isBuiltIn);
  return isProven && !isDraft ? ['test', 'prod'] : ['test'];
}
