import type { KeyService } from './key-service.js';
import { KeyUnusable } from './key-unusable.js';

/** Settings of key services, in addition to the environment variables that their clients read. */
export interface KeyServiceSettings {
  /** A file with the token for Vault. */
  vaultTokenFile?: string | undefined;
}

type Open = (reference: string, settings: KeyServiceSettings) => Promise<KeyService>;

// The clients are large, so a process loads only those that it uses.
const services: Readonly<Record<string, Open>> = {
  'aws-kms': async (reference) => new (await import('./aws-kms.js')).AwsKms(reference),
  vault: async (reference, { vaultTokenFile }) =>
    new (await import('./vault-transit.js')).VaultTransit(reference, vaultTokenFile),
  'azure-key-vault': async (reference) =>
    new (await import('./azure-key-vault.js')).AzureKeyVault(reference),
};

export const keyServiceNames = Object.keys(services);

/**
 * Opens the service that wraps a key.
 * @param reference `arn:aws:kms:…` or `alias/…`, `https://vault:8200/transit/<key>`, `https://<vault>.vault.azure.net/keys/<key>`
 * @throws KeyUnusable when the service is unknown or the reference is invalid
 */
export async function openKeyService(
  name: string,
  reference: string,
  settings: KeyServiceSettings = {},
): Promise<KeyService> {
  const open = Object.hasOwn(services, name) ? services[name] : undefined;
  if (open === undefined)
    throw new KeyUnusable(
      `unknown key service "${name}". The key services are ${keyServiceNames.join(', ')}.`,
    );
  return await open(reference, settings);
}
