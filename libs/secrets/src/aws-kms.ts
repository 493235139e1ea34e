import {
  DecryptCommand,
  EncryptCommand,
  KMSClient,
  type KMSClientConfig,
} from '@aws-sdk/client-kms';
import type { KeyService } from './key-service.js';

/** States the purpose of the ciphertext. KMS logs it, and decrypts only with the same context. */
const EncryptionContext = { purpose: 'onefold key-encryption key' };

/** A key in AWS KMS. The AWS SDK finds region, credentials and endpoint: AWS_REGION, AWS_PROFILE, a role, … */
export class AwsKms implements KeyService {
  private readonly client: KMSClient;

  /** @param keyId ARN, id or alias. */
  constructor(
    private readonly keyId: string,
    options: KMSClientConfig = {},
  ) {
    const region = /^arn:[^:]+:kms:([^:]+):/.exec(keyId)?.[1];
    this.client = new KMSClient({ ...(region === undefined ? {} : { region }), ...options });
  }

  async wrap(key: Buffer): Promise<{ reference: string; wrapped: string }> {
    const response = await this.client.send(
      new EncryptCommand({ KeyId: this.keyId, Plaintext: key, EncryptionContext }),
    );
    const { CiphertextBlob: blob, KeyId: arn } = response;
    if (blob === undefined) throw new Error('KMS returned no ciphertext');
    return { reference: arn ?? this.keyId, wrapped: Buffer.from(blob).toString('base64') };
  }

  async unwrap(wrapped: string): Promise<Buffer> {
    const response = await this.client.send(
      new DecryptCommand({
        KeyId: this.keyId,
        CiphertextBlob: Buffer.from(wrapped, 'base64'),
        EncryptionContext,
      }),
    );
    if (response.Plaintext === undefined) throw new Error('KMS returned no plaintext');
    return Buffer.from(response.Plaintext);
  }
}
