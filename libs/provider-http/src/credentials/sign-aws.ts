import { AwsV4Signer } from 'aws4fetch';

/** Keys that sign requests to AWS. */
export interface SigningKeys {
  accessKeyId: string;
  secretAccessKey: string;
  /** That of temporary keys. */
  sessionToken: string | undefined;
}

/**
 * Signs a request by AWS Signature Version 4.
 * @returns the address and the headers, by their names in lower case, that carry the signature
 */
export async function signAws(
  request: {
    method: string;
    url: URL;
    headers: Readonly<Record<string, string>>;
    /** Null for a body that the signature does not cover, which S3 alone accepts. */
    body: string | Uint8Array | null;
  },
  { service, region, keys }: { service: string; region: string; keys: SigningKeys },
): Promise<{ url: URL; headers: Record<string, string>; signature: string }> {
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const signer = new AwsV4Signer({
    method: request.method,
    url: request.url.href,
    headers: request.headers,
    body: request.body as never,
    service,
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
  const signed = await signer.sign();
  const signature = /Signature=([0-9a-f]+)/.exec(signed.headers.get('authorization') ?? '')?.[1];
  return {
    url: new URL(signed.url),
    headers: Object.fromEntries(
      [...signed.headers].map(([name, value]) => [name.toLowerCase(), value]),
    ),
    signature: signature ?? '',
  };
}
