import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ReadRequest } from './messages.js';

const maxSkewMs = 15 * 60_000;
const scheme =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** A request that is signed with AWS Signature Version 4, as its header says. */
export interface SignedRequest {
  accessKeyId: string;
  date: string;
  region: string;
  service: string;
  signedHeaders: string;
  signature: string;
}

/** Reads the header of a signed request; undefined where it is not one. */
export function readSignature({ headers }: ReadRequest): SignedRequest | undefined {
  const found = scheme.exec(headers['authorization'] ?? '');
  if (found === null) return undefined;
  const [, accessKeyId = '', date = '', region = '', service = '', signedHeaders = ''] = found;
  return { accessKeyId, date, region, service, signedHeaders, signature: found[6] ?? '' };
}

/** Whether the request was signed with this secret, at most a quarter of an hour ago. */
export function verifySignature(
  request: ReadRequest,
  signed: SignedRequest,
  secret: string,
  now: number,
): 'valid' | 'expired' | 'invalid' {
  const time = request.headers['x-amz-date'] ?? '';
  const payload = payloadHash(request);
  if (payload === undefined || !time.startsWith(signed.date)) return 'invalid';
  const { date, region, service } = signed;
  const text = [
    'AWS4-HMAC-SHA256',
    time,
    `${date}/${region}/${service}/aws4_request`,
    sha256(canonicalRequest(request, signed, payload)),
  ].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
    (outer, part) => createHmac('sha256', outer).update(part).digest(),
    `AWS4${secret}`,
  );
  const expected = createHmac('sha256', key).update(text).digest();
  if (!timingSafeEqual(expected, Buffer.from(signed.signature, 'hex'))) return 'invalid';
  const signedAt = Date.parse(
    time.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
  return Math.abs(now - signedAt) <= maxSkewMs ? 'valid' : 'expired';
}

function canonicalRequest(
  { method, url, headers }: ReadRequest,
  { service, signedHeaders }: SignedRequest,
  payload: string,
): string {
  const { pathname, searchParams, host } = new URL(url);
  // Every service but S3 encodes the path that was sent once more.
  const path =
    service === 's3'
      ? pathname.split('/').map((part) => encode(decodeURIComponent(part)))
      : pathname.split('/').map(encode);
  const query = [...searchParams]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map((pair) => pair.join('='));
  const lines = signedHeaders.split(';').map((name) => {
    const value = headers[name] ?? (name === 'host' ? host : '');
    return `${name}:${value.trim().replace(/ +/g, ' ')}\n`;
  });
  return [method, path.join('/'), query.join('&'), lines.join(''), signedHeaders, payload].join(
    '\n',
  );
}

/** The hash of the body that was signed; undefined where the header names another one. Whoever gives no body compares the hash itself. */
function payloadHash({ headers, body }: ReadRequest): string | undefined {
  const given = headers['x-amz-content-sha256'];
  if (body === undefined && given !== undefined) return given;
  const actual = sha256(body ?? new Uint8Array());
  const named = given ?? actual;
  return named === actual || named === 'UNSIGNED-PAYLOAD' ? named : undefined;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
