import {
  DecryptCommand,
  EncryptCommand,
  KMSClient,
  type KMSClientConfig,
} from '@aws-sdk/client-kms';
import type { KeyService } from './key-service.js';

/** Says what the ciphertext is for: KMS logs it, and opens the text for the same purpose only. */
const EncryptionContext = { purpose: 'onefold key-encryption key' };

/** A key of AWS KMS. Region, credentials and endpoint are what the AWS SDK finds: AWS_REGION, AWS_PROFILE, a role, … */
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
    const answer = await this.client.send(
      new EncryptCommand({ KeyId: this.keyId, Plaintext: key, EncryptionContext }),
    );
    const { CiphertextBlob: blob, KeyId: arn } = answer;
    if (blob === undefined) throw new Error('KMS answered without a ciphertext');
    return { reference: arn ?? this.keyId, wrapped: Buffer.from(blob).toString('base64') };
  }

  async unwrap(wrapped: string): Promise<Buffer> {
    const answer = await this.client.send(
      new DecryptCommand({
        KeyId: this.keyId,
        CiphertextBlob: Buffer.from(wrapped, 'base64'),
        EncryptionContext,
      }),
    );
    if (answer.Plaintext === undefined) throw new Error('KMS answered without a plaintext');
    return Buffer.from(answer.Plaintext);
  }
}
