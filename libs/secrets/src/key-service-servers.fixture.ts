import {
  constants,
  createCipheriv,
  createDecipheriv,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A local server that implements the wire format of a key service with real keys. */
export interface KeyServer {
  url: string;
  /** The requests it received: method and path, or the target for AWS. */
  requests: string[];
  /** Makes the next matching request fail with this response. */
  failNext: (status: number, body: object, requests?: RegExp) => void;
  stop: () => Promise<void>;
}

interface FakeRequest {
  request: IncomingMessage;
  path: string;
  body: Record<string, unknown>;
}
interface FakeResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: object;
}

async function serve(
  name: (incoming: FakeRequest) => string,
  answer: (incoming: FakeRequest, url: string) => FakeResponse,
): Promise<KeyServer> {
  const requests: string[] = [];
  let failure: { requests: RegExp; answer: FakeResponse } | undefined;
  let url = '';
  const respond = (incoming: FakeRequest): FakeResponse => {
    try {
      return answer(incoming, url);
    } catch {
      return {
        status: 400,
        body: { errors: ['does not decrypt'], error: { code: 'BadParameter' } },
      };
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      const incoming = { request, path: (request.url ?? '').split('?')[0] ?? '', body };
      requests.push(name(incoming));
      const fails = failure?.requests.test(name(incoming)) ? failure.answer : undefined;
      if (fails) failure = undefined;
      const { status = 200, headers = {}, body: content } = fails ?? respond(incoming);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(content === undefined ? undefined : JSON.stringify(content));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    failNext: (status, body, pattern = /./) =>
      (failure = { requests: pattern, answer: { status, body } }),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await sleep(0);
    },
  };
}

function box(key: Buffer, text: Buffer, context: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function unbox(key: Buffer, sealed: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
}

const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

/** Starts a fake of AWS KMS: JSON 1.1 with X-Amz-Target, signed with Signature Version 4. */
export async function startAwsKms(): Promise<KeyServer & { arn: string }> {
  const key = randomBytes(32);
  const server = await serve(
    ({ request }) => String(request.headers['x-amz-target']),
    ({ request, body }) => {
      const signed =
        /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/kms\/aws4_request, /.test(
          request.headers.authorization ?? '',
        );
      if (!signed) return awsError('IncompleteSignatureException', 'not signed for this region');
      if (![arn, 'alias/onefold'].includes(String(body['KeyId'])))
        return awsError('NotFoundException', `Key '${String(body['KeyId'])}' does not exist`);
      const context = JSON.stringify(body['EncryptionContext'] ?? {});
      const algorithm = { EncryptionAlgorithm: 'SYMMETRIC_DEFAULT', KeyId: arn };
      if (request.headers['x-amz-target'] === 'TrentService.Encrypt') {
        const text = Buffer.from(String(body['Plaintext']), 'base64');
        const blob = box(key, text, context).toString('base64');
        return { body: { ...algorithm, CiphertextBlob: blob } };
      }
      const sealed = Buffer.from(String(body['CiphertextBlob']), 'base64');
      const text = unbox(key, sealed, context).toString('base64');
      return { body: { ...algorithm, Plaintext: text } };
    },
  );
  return { ...server, arn };
}

function awsError(type: string, message: string): FakeResponse {
  return {
    status: 400,
    headers: { 'content-type': 'application/x-amz-json-1.1' },
    body: { __type: type, message },
  };
}

/** Starts a fake of Vault's transit engine at `/v1/transit` with the key `onefold`; `rotate` adds a new version of the key. */
export async function startVault(token: string): Promise<KeyServer & { rotate: () => void }> {
  const versions = [randomBytes(32)];
  const server = await serve(
    ({ request, path }) => `${request.method} ${path}`,
    ({ request, path, body }) => {
      const fail = (status: number, error: string) => ({ status, body: { errors: [error] } });
      if (request.headers['x-vault-token'] !== token) return fail(403, 'permission denied');
      if (path === '/v1/transit/encrypt/onefold') {
        const text = Buffer.from(String(body['plaintext']), 'base64');
        const sealed = box(versions.at(-1) ?? Buffer.alloc(32), text, '').toString('base64');
        const version = versions.length;
        return {
          body: { data: { ciphertext: `vault:v${version}:${sealed}`, key_version: version } },
        };
      }
      if (path !== '/v1/transit/decrypt/onefold') return fail(404, 'no handler for route');
      const [, version = '', sealed = ''] =
        /^vault:v(\d+):(.*)$/.exec(String(body['ciphertext'])) ?? [];
      const key = versions[Number(version) - 1];
      if (key === undefined) return fail(400, 'invalid ciphertext: no prefix');
      const text = unbox(key, Buffer.from(sealed, 'base64'), '').toString('base64');
      return { body: { data: { plaintext: text } } };
    },
  );
  return { ...server, rotate: () => void versions.push(randomBytes(32)) };
}

/** Starts a fake of Azure Key Vault with the RSA key `onefold`, and of the endpoint where an App Service gets its managed identity. */
export async function startAzureKeyVault(): Promise<KeyServer & { rotate: () => void }> {
  const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  const versions = [newKey()];
  const server = await serve(
    ({ request, path }) => `${request.method} ${path}`,
    ({ request, path, body }, url) => {
      if (path === '/msi/token')
        return {
          body: {
            access_token: 'azure-token',
            expires_on: String(Math.floor(Date.now() / 1000) + 3600),
            resource: url,
            token_type: 'Bearer',
          },
        };
      if (request.headers.authorization !== 'Bearer azure-token')
        return {
          status: 401,
          headers: {
            'www-authenticate': `Bearer authorization="${url}/tenant", resource="${url}"`,
          },
          body: { error: { code: 'Unauthorized', message: 'AKV10000: no token' } },
        };
      const [, name, version, action] = path.split('/').slice(1);
      if (name !== 'onefold')
        return { status: 404, body: { error: { code: 'KeyNotFound', message: 'no such key' } } };
      const number = version ? Number(version.slice(1)) : versions.length;
      const key = versions[number - 1] ?? newKey();
      const kid = `${url}/keys/onefold/v${number}`;
      if (action === undefined)
        return {
          body: {
            key: {
              kid,
              ...key.publicKey.export({ format: 'jwk' }),
              key_ops: ['wrapKey', 'unwrapKey'],
            },
          },
        };
      const padded = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
      const value = Buffer.from(String(body['value']), 'base64url');
      const result =
        action === 'wrapkey'
          ? publicEncrypt({ key: key.publicKey, ...padded }, value)
          : privateDecrypt({ key: key.privateKey, ...padded }, value);
      return { body: { kid, value: result.toString('base64url') } };
    },
  );
  return { ...server, rotate: () => void versions.push(newKey()) };
}
