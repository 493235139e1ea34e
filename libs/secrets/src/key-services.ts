import type { KeyService } from './key-service.js';
import { KeyUnusable } from './key-unusable.js';

/** What key services need to know beside the environment that their own clients read. */
export interface KeyServiceSettings {
  /** A file with the token for Vault. */
  vaultTokenFile?: string | undefined;
}

type Open = (reference: string, settings: KeyServiceSettings) => Promise<KeyService>;

// Their clients are large: each is loaded by a process that has a key at it, and by no other.
const services: Readonly<Record<string, Open>> = {
  'aws-kms': async (reference) => new (await import('./aws-kms.js')).AwsKms(reference),
  vault: async (reference, { vaultTokenFile }) =>
    new (await import('./vault-transit.js')).VaultTransit(reference, vaultTokenFile),
  'azure-key-vault': async (reference) =>
    new (await import('./azure-key-vault.js')).AzureKeyVault(reference),
};

export const keyServiceNames = Object.keys(services);

/**
 * The service that keeps a key.
 * @param reference `arn:aws:kms:…` or `alias/…`, `https://vault:8200/transit/<key>`, `https://<vault>.vault.azure.net/keys/<key>`
 * @throws KeyUnusable when there is no such service or the reference is none of its
 */
export async function openKeyService(
  name: string,
  reference: string,
  settings: KeyServiceSettings = {},
): Promise<KeyService> {
  const open = Object.hasOwn(services, name) ? services[name] : undefined;
  if (open === undefined)
    throw new KeyUnusable(
      `there is no key service "${name}". There are: ${keyServiceNames.join(', ')}.`,
    );
  return await open(reference, settings);
}
