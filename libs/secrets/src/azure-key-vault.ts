import { DefaultAzureCredential, type TokenCredential } from '@azure/identity';
import { CryptographyClient, type CryptographyClientOptions } from '@azure/keyvault-keys';
import type { KeyService } from './key-service.js';

const algorithm = 'RSA-OAEP-256';

/** An RSA key in Azure Key Vault. The Azure SDK finds the credential: a managed identity, AZURE_CLIENT_ID and related variables, … */
export class AzureKeyVault implements KeyService {
  private readonly client: CryptographyClient;

  /** @param keyId `https://<vault>.vault.azure.net/keys/<key>`; the version is added when a key is wrapped */
  constructor(
    keyId: string,
    credential: TokenCredential = new DefaultAzureCredential(),
    options: CryptographyClientOptions = {},
  ) {
    this.client = new CryptographyClient(keyId, credential, options);
  }

  async wrap(key: Buffer): Promise<{ reference: string; wrapped: string }> {
    const { keyID, result } = await this.client.wrapKey(algorithm, key);
    if (keyID === undefined) throw new Error('Key Vault returned no key id');
    return { reference: keyID, wrapped: Buffer.from(result).toString('base64') };
  }

  async unwrap(wrapped: string): Promise<Buffer> {
    const { result } = await this.client.unwrapKey(algorithm, Buffer.from(wrapped, 'base64'));
    return Buffer.from(result);
  }
}
