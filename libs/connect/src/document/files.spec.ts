import { createHash, createHmac, randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import type { ApiError } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { compileProvider } from '#provider-document';
import { ProviderHttp, Redactor, UploadedFile } from '#provider-http';
import type { ProviderResult, ProviderCall } from '../provider.js';
import { CallUsage, Usage } from '../usage/usage.js';
import { documentProvider } from './document-provider.js';

interface Seen {
  call: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const bytes = randomBytes(500_000);
const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy);
let server: Server;
let url: string;
let seen: Seen[] = [];
const taking = (request: IncomingMessage, response: ServerResponse): void => {
  void buffer(request).then((body) => {
    seen.push({ call: `${request.method} ${request.url}`, headers: request.headers, body });
    response.end('{}');
  });
};
let handler = taking;

beforeAll(async () => {
  server = createServer((request, response) => handler(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
  handler = taking;
});
afterAll(async () => {
  server.closeAllConnections();
  await dispatcher.destroy();
  await new Promise((done) => server.close(done));
});

interface Options {
  credential?: string;
  config?: Record<string, string>;
  content?: AsyncIterable<Uint8Array>;
  size?: number | null;
}

/** Uploads through a document with these steps. */
async function upload(
  steps: string,
  {
    credential = 'token: { send: header, name: x-key, value: this.credential.secret }',
    config = { type: 'token', secret: 'k3y-of-the-test' },
    content = pieces(),
    size = bytes.length,
  }: Options = {},
): Promise<ProviderResult | undefined> {
  const provider = documentProvider(
    compileProvider(`
provider: custom_files
version: 1.0.0
fullname: Files
vendor: Tests
credentials:
  credential:
    ${credential}
http: { base_url: this.config.url }
operations:
  storage_upload_file:
    steps:
${steps.replace(/^/gm, '      ')}
`),
  );
  const call = {
    http: new ProviderHttp({
      dispatcher,
      policy,
      permits: { acquire: () => Promise.resolve(() => undefined) },
      clock: systemClock,
      tokens: { get: () => Promise.resolve('access-token') },
    }),
    integration: {
      id: 'int_1',
      organizationId: 'org_1',
      accountId: 'acc_1',
      providerConfig: { url },
    },
    credential: () => ({ id: 'crd_1', kind: config['type'], config }),
    signal: new AbortController().signal,
    deadline: Date.now() + 5_000,
    pollUntil: Date.now() + 5_000,
    usage: new CallUsage(new Usage(), { organizationId: 'o', accountId: 'a', integrationId: 'i' }),
    onResponse: () => undefined,
    path: { path: 'a/b c.bin' },
    query: {},
    list: { filters: [], orders: [] },
    clock: systemClock,
    redactor: new Redactor(),
  } as unknown as ProviderCall;
  const file = new UploadedFile('b c.bin', 'image/png', size ?? undefined, content, () => {});
  return await provider.operations.storage_upload_file?.run(call, { file });
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 50_000) {
    await sleep(0);
    yield bytes.subarray(at, at + 50_000);
  }
}

const put = `- { method: PUT, path: '/{+this.path.path}', encoding: stream }`;
const aws = (service: string) => ({
  credential: `aws: { send: sigv4, service: ${service}, region: '"eu-west-1"' }`,
  config: { type: 'aws', access_key_id: 'AKID', secret_access_key: 'secret-access-key' },
});

describe('an upload through a document', () => {
  it('is signed for S3 without its body, which nobody has read yet', async () => {
    await upload(put, aws('s3'));
    const [sent] = seen;
    expect(sent?.body.equals(bytes)).toBe(true);
    expect(sent?.headers).toMatchObject({
      'content-length': String(bytes.length),
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    });
    const { authorization = '' } = sent?.headers ?? {};
    const stamp = String(sent?.headers['x-amz-date']);
    const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
    const signer = new SignatureV4({
      service: 's3',
      region: 'eu-west-1',
      uriEscapePath: false,
      credentials: { accessKeyId: 'AKID', secretAccessKey: 'secret-access-key' },
      sha256: class {
        private readonly hash;
        constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
          this.hash =
            secret === undefined
              ? createHash('sha256')
              : createHmac('sha256', secret as string | Uint8Array);
        }
        update(data: Uint8Array): void {
          this.hash.update(data);
        }
        digest() {
          return Promise.resolve(new Uint8Array(this.hash.digest()));
        }
      },
    });
    const witness = await signer.sign(
      {
        method: 'PUT',
        protocol: 'http:',
        hostname: '127.0.0.1',
        path: '/a/b%20c.bin',
        headers: Object.fromEntries(
          names
            .filter((name) => name !== 'x-amz-date')
            .map((name) => [name, String(sent?.headers[name])]),
        ),
      },
      {
        signingDate: new Date(
          stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
        ),
      },
    );
    const signature = (text = '') => /Signature=(\w+)/.exec(text)?.[1];
    expect(signature(authorization)).toMatch(/^[0-9a-f]{64}$/);
    expect(signature(witness.headers['authorization'])).toBe(signature(authorization));
  });

  it('is refused where its body would have to be signed', async () => {
    await expect(upload(put, aws('execute-api'))).rejects.toMatchObject({
      status: 502,
      message: 'a streamed body cannot be signed for execute-api',
    });
    expect(seen).toEqual([]);
  });

  it('is sent once, although a new access token might have helped', async () => {
    handler = (request, response) => {
      void buffer(request).then((body) => {
        seen.push({ call: '', headers: request.headers, body });
        response.writeHead(401).end();
      });
    };
    const refused = upload(put, {
      credential: `o_auth_client: { send: client_credentials, token_url: '"${url}/token"' }`,
      config: { type: 'o_auth_client', client_id: 'id', client_secret: 'client-secret' },
    });
    await expect(refused).rejects.toMatchObject({ status: 502 });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer access-token']);
  });

  it('fails when the provider reports success so before it has all of it', async () => {
    handler = (_request, response) => response.end('{}');
    async function* slow() {
      yield Buffer.from('a');
      await sleep(200);
      yield Buffer.from('b');
    }
    const error = await upload(put, { content: slow(), size: null }).then(
      () => undefined,
      (reason: unknown) => reason as ApiError,
    );
    expect([error?.status, error?.message]).toEqual([
      502,
      'Files responded before it had the whole file',
    ]);
  });

  it('fails when no step sends it', async () => {
    const skipped = upload(
      `- { method: PUT, path: /a, encoding: stream, when: this.file.size == 0 }`,
    );
    await expect(skipped).rejects.toMatchObject({
      status: 502,
      message:
        'the provider document failed at operations.storage_upload_file: no step sends the file',
    });
  });
});
