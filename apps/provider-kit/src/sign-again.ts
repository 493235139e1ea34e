import { AwsV4Signer } from 'aws4fetch';

const scope = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d+\/([^/]+)\/([^/]+)\/aws4_request/;

interface Signed {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

/** Signs a request, which was signed for the address of the fixture, for the live address. */
export async function signAgain(
  request: Signed,
  configuration: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const [, accessKeyId, region, service] = scope.exec(request.headers['authorization'] ?? '') ?? [];
  if (accessKeyId === undefined || region === undefined || service === undefined)
    return request.headers;
  const credential = Object.values(configuration).find(
    (one) => (one as Record<string, unknown> | null)?.['access_key_id'] === accessKeyId,
  ) as { secret_access_key: string; session?: string | null };
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) => !/^(authorization|x-amz-(date|security-token|content-sha256))$/.test(name),
    ),
  );
  const signed = await new AwsV4Signer({
    method: request.method,
    url: request.url,
    headers,
    body: request.body as string | null,
    accessKeyId,
    region,
    service,
    secretAccessKey: credential.secret_access_key,
    ...(credential.session ? { sessionToken: credential.session } : {}),
  }).sign();
  // undici sets the host itself, from the address.
  return Object.fromEntries([...signed.headers].filter(([name]) => name !== 'host'));
}
