import { createHmac } from 'node:crypto';
import { ApiError } from '#contract';
import { FileBody } from '../bodies/file-body.js';
import type { ProviderRequest } from '../provider-request.js';

/** How requests to an account of Azure Storage are authorized: by a key of the account, or by a shared access signature. */
type Authorization = { account: string; key: string } | { parameters: URLSearchParams };

/**
 * Adds the credential of Azure Storage to a request.
 * @param secret a connection string, or an address with a shared access signature
 * @param hide is called for secrets that are a part of it or derived from it
 * @throws ApiError 400 if it is neither
 */
export function signAzureStorage(
  request: ProviderRequest,
  secret: string,
  hide: (secret: string) => void,
): ProviderRequest {
  const authorization = readSecret(secret);
  if ('key' in authorization) return withSharedKey(request, authorization, hide);
  const url = new URL(request.url);
  for (const [name, value] of authorization.parameters) url.searchParams.append(name, value);
  const signature = authorization.parameters.get('sig') ?? '';
  for (const written of [signature, encodeURIComponent(signature)]) hide(written);
  return { ...request, url };
}

function readSecret(secret: string): Authorization {
  if (/^https?:\/\//.test(secret) && URL.canParse(secret)) {
    const { searchParams: parameters } = new URL(secret);
    if (parameters.has('sig')) return { parameters };
    throw unusable('the address has no shared access signature');
  }
  const pairs = secret.split(';').map((pair) => /^([^=]+)=(.*)$/s.exec(pair.trim()) ?? []);
  const fields = new Map(pairs.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
  const [account, key] = [fields.get('accountname'), fields.get('accountkey')];
  if (account && key) return { account, key };
  const shared = fields.get('sharedaccesssignature')?.replace(/^\?/, '');
  if (shared) return { parameters: new URLSearchParams(shared) };
  throw unusable('it has neither AccountName and AccountKey nor SharedAccessSignature');
}

function unusable(why: string): ApiError {
  return new ApiError(400, `the credential is not one of Azure Storage: ${why}`, {
    remediation:
      'Use a connection string of the storage account, or the address of the container with a shared access signature.',
  });
}

/** "Authorize with Shared Key" (REST API of Azure Storage): the string to sign, for versions since 2015-02-21. */
function withSharedKey(
  request: ProviderRequest,
  { account, key }: { account: string; key: string },
  hide: (secret: string) => void,
): ProviderRequest {
  const headers: Record<string, string> = {
    ...request.headers,
    'x-ms-date': new Date().toUTCString(),
  };
  const named = [
    'content-encoding',
    'content-language',
    'content-length',
    'content-md5',
    'content-type',
    'date',
    'if-modified-since',
    'if-match',
    'if-none-match',
    'if-unmodified-since',
    'range',
  ].map((name) => (name === 'content-length' ? lengthOf(request) : (headers[name] ?? '')));
  const own = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${(headers[name] ?? '').trim()}`);
  const text = [request.method, ...named, ...own, resource(request.url, account)].join('\n');
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
  for (const secret of [key, signature]) hide(secret);
  headers['authorization'] = `SharedKey ${account}:${signature}`;
  return { ...request, headers, secretHeaders: [...request.secretHeaders, 'authorization'] };
}

/** An empty body has no length in the string to sign. */
function lengthOf({ body }: ProviderRequest): string {
  const length =
    body instanceof FileBody
      ? body.length
      : typeof body === 'string' || body instanceof Uint8Array
        ? Buffer.byteLength(body)
        : 0;
  return length ? String(length) : '';
}

function resource(url: URL, account: string): string {
  const names = [...new Set(url.searchParams.keys())].sort();
  const lines = names.map(
    (name) => `\n${name.toLowerCase()}:${url.searchParams.getAll(name).sort().join(',')}`,
  );
  return `/${account}${url.pathname}${lines.join('')}`;
}
