import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationId } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { compileProvider } from '#provider-document';
import { documentCall, plainHttp } from './document-call.fixture.js';
import { documentProvider } from './document-provider.js';

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let server: Server;
let url: string;
let seen: Seen[] = [];
let answer: { type: string; body: string | Buffer } = { type: 'application/json', body: '{}' };
const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy);

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      seen.push({ method, url: path, headers, body: Buffer.concat(chunks) });
      response.writeHead(200, { 'content-type': answer.type });
      response.end(answer.body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await dispatcher.destroy();
  await new Promise((done) => server.close(done));
});

/** Runs `custom_post` of a document with this step and this way of sending a credential. */
interface Options {
  credential?: string;
  config?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** Entries of http.origins. */
  origins?: string;
  /** The place for which the integration has no credential. */
  without?: string;
}

async function run(
  step: string,
  {
    credential = 'token: { send: header, name: x-key, value: this.credential.secret }',
    config = { type: 'token', secret: 'k3y-of-the-test' },
    body = {},
    origins = '',
    without,
  }: Options = {},
): Promise<{ seen: Seen; record: unknown }> {
  const provider = documentProvider(
    compileProvider(`
provider: custom_requests
version: 1.0.0
fullname: Requests
vendor: Tests
credentials:
  credential:
    ${credential}
http:
  base_url: this.config.url + "/base/"
  origins: [${origins}]
operations:
  custom_post:
    steps:
      - name: call
        method: POST
${step.replace(/^/gm, '        ')}
    record: '{"answer": this.steps.call}'
`),
  );
  seen = [];
  const call = documentCall({
    http: plainHttp({ dispatcher, policy }),
    providerConfig: { url, other_url: url.replace('127.0.0.1', 'localhost') },
    credential: (slot) =>
      slot === without ? undefined : { id: 'crd_1', kind: String(config['type']), config },
    path: { operation: 'a/b c' },
  });
  const outcome = await provider.operations['custom_post' as OperationId]?.run(call, { body });
  return {
    seen: seen[0] as Seen,
    record: outcome && 'record' in outcome ? outcome.record['answer'] : undefined,
  };
}

describe('a request of a document', () => {
  it('is written as JSON, with large integers as they are', async () => {
    const { seen: sent } = await run('path: /things\nbody: root = this.body', {
      body: { id: 9007199254740993n, name: 'ü' },
    });
    expect(sent.body.toString()).toBe('{"id":9007199254740993,"name":"ü"}');
    expect(sent.headers['content-type']).toBe('application/json');
    expect(sent.url).toBe('/base/things');
  });

  it('is written as a form, lists repeated and null left out', async () => {
    const { seen: sent } = await run(
      'path: /f\nencoding: form\nbody: \'root = {"a": "1 & 2", "b": ["x", "y"], "c": null, "d": 3}\'',
    );
    expect(sent.body.toString()).toBe('a=1+%26+2&b=x&b=y&d=3');
    expect(sent.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it('is written as multipart with files, as lines of JSON, and as bytes', async () => {
    const { seen: form } = await run(
      'path: /m\nencoding: multipart\nbody: \'root = {"title": "T", "file": {"filename": "a.bin", "content": "AAEC".decode("base64"), "type": "image/png"}}\'',
    );
    const text = form.body.toString('latin1');
    expect(form.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(text).toContain('name="title"\r\n\r\nT\r\n');
    expect(text).toContain(
      'filename="a.bin"\r\nContent-Type: image/png\r\n\r\n\u0000\u0001\u0002\r\n',
    );
    const { seen: lines } = await run(
      'path: /n\nencoding: ndjson\nbody: \'root = [{"a": 1}, {"b": 2}]\'',
    );
    expect(lines.body.toString()).toBe('{"a":1}\n{"b":2}\n');
    const { seen: bytes } = await run(
      'path: /b\nencoding: binary\nbody: root = "AAEC".decode("base64")',
    );
    expect([...bytes.body]).toEqual([0, 1, 2]);
  });

  it('keeps values in their place of the path, and refuses what would leave it', async () => {
    expect((await run("path: '/things/{this.path.operation}/parts'")).seen.url).toBe(
      '/base/things/a%2Fb%20c/parts',
    );
    expect((await run("path: '/things/{+this.path.operation}/parts'")).seen.url).toBe(
      '/base/things/a/b%20c/parts',
    );
    for (const value of ['..', '.', '', 'a/../b'])
      await expect(
        run("path: '/things/{+this.body.id}'", { body: { id: value } }),
      ).rejects.toMatchObject({ status: 400 });
  });

  // "Expressions with braces inside `{…}` of a path."
  it.each([
    ['an object', '/x/{ {"a": this.path.operation}.a }', '/x/a%2Fb%20c'],
    ['an object as a path', '/x/{+{"a": this.path.operation}.a}/y', '/x/a/b%20c/y'],
    ['an if', '/x/{if this.path.operation == "" { "none" } else { "some" }}', '/x/some'],
    ['a match', '/x/{match this.path.operation { "b" => "B", _ => "other" }}', '/x/other'],
    ['a text with a brace', '/x/{"}{" + this.path.operation}', '/x/%7D%7Ba%2Fb%20c'],
    [
      'objects in objects, beside another expression',
      '/{[{"n": {"v": 1}}, {"n": {"v": 2}}].map_each(one -> one.n.v).sum()}/{this.path.operation.length()}',
      '/3/5',
    ],
  ])('has a path with braces of %s within its own', async (_what, path, url) => {
    const { seen: sent } = await run(`path: '${path}'`);
    expect(sent.url).toBe(`/base${url}`);
  });

  it('reads text, lines of JSON and bytes', async () => {
    answer = { type: 'text/plain', body: 'plain' };
    expect((await run('path: /t\nanswer: text')).record).toBe('plain');
    answer = { type: 'application/x-ndjson', body: '{"a":1}\n\n{"a":2}\n' };
    expect((await run('path: /t\nanswer: ndjson')).record).toEqual([{ a: 1 }, { a: 2 }]);
    answer = { type: 'image/png', body: Buffer.from([0, 1, 255]) };
    expect((await run('path: /t\nanswer: binary')).record).toEqual({
      content: new Uint8Array([0, 1, 255]),
      type: 'image/png',
    });
    answer = { type: 'application/json', body: '{}' };
  });

  it.each([
    [
      'a header',
      'token: { send: header, name: X-Key, value: \'"Key " + this.credential.secret\' }',
      { type: 'token', secret: 's3cret-1' },
      (sent: Seen) => sent.headers['x-key'],
      'Key s3cret-1',
    ],
    [
      'basic',
      'basic: { send: basic }',
      { type: 'basic', username: 'u', secret: 'p:w' },
      (sent: Seen) => sent.headers.authorization,
      `Basic ${Buffer.from('u:p:w').toString('base64')}`,
    ],
    [
      'basic of its own',
      'token: { send: basic, username: this.credential.secret, password: \'"x"\' }',
      { type: 'token', secret: 's3cret-2' },
      (sent: Seen) => sent.headers.authorization,
      `Basic ${Buffer.from('s3cret-2:x').toString('base64')}`,
    ],
    [
      'the query',
      'secret: { send: query, name: key, value: this.credential.secret }',
      { type: 'secret', secret: 's&3' },
      (sent: Seen) => sent.url,
      '/base/q?key=s%263',
    ],
    [
      'the address',
      'secret: { send: address, value: \'this.config.url + "/base" + this.credential.secret\' }',
      { type: 'secret', secret: '/hook/s3cret-4?x=1' },
      (sent: Seen) => sent.url,
      '/base/hook/s3cret-4?x=1',
    ],
  ])('sends a credential by %s', async (_what, credential, config, read, expected) => {
    const { seen: sent } = await run('path: /q', { credential, config });
    expect(read(sent)).toBe(expected);
  });

  it('carries another credential beside its own, from a place within the configuration', async () => {
    const { seen: sent } = await run('path: /x', {
      credential: `token: { send: header, name: x-key, value: this.credential.secret }
  options.shared_secret:
    optional: true
    beside: true
    token: { send: header, name: x-shared, value: '"Shared " + this.credential.secret' }`,
    });
    expect(sent.headers).toMatchObject({
      'x-key': 'k3y-of-the-test',
      'x-shared': 'Shared k3y-of-the-test',
    });
  });

  it('is not sent with the other credential alone, where its own is required', async () => {
    const shared = `token: { send: header, name: x-key, value: this.credential.secret }
  shared: { beside: true, token: { send: header, name: x-shared, value: this.credential.secret } }`;
    await expect(run('path: /x', { credential: shared, without: 'credential' })).rejects.toThrow(
      'the integration has no credential',
    );
    expect(seen).toEqual([]);
    const optional = `optional: true\n    ${shared}`;
    const { seen: sent } = await run('path: /x', { credential: optional, without: 'credential' });
    expect(sent.headers).toMatchObject({ 'x-shared': 'k3y-of-the-test' });
    expect(sent.headers['x-key']).toBeUndefined();
  });

  it('goes with its credential to an address of the configuration that the document names', async () => {
    const step = 'url: this.config.other_url + "/there"';
    const { seen: sent } = await run(step, { origins: 'this.config.other_url' });
    expect(sent).toMatchObject({ url: '/there', headers: { 'x-key': 'k3y-of-the-test' } });
    await expect(run(step)).rejects.toThrow(
      /refusing to send the credential to http:\/\/localhost/,
    );
    expect(seen).toEqual([]);
  });

  it('is signed for the service that the host is named after', async () => {
    const { seen: sent } = await run('path: /x\nbody: root.a = 1', {
      credential: 'aws: { send: sigv4, region: \'"eu-west-1"\' }',
      config: { type: 'aws', access_key_id: 'AKID', secret_access_key: 'secret-access-key' },
    });
    expect(sent.headers.authorization).toMatch(
      /Credential=AKID\/\d{8}\/eu-west-1\/127\/aws4_request/,
    );
  });

  it('is signed as the signer of AWS signs it', async () => {
    const { seen: sent } = await run('path: /bucket/key\nbody: root.a = 1', {
      credential: 'aws: { send: sigv4, service: execute-api, region: \'"eu-west-1"\' }',
      config: {
        type: 'aws',
        access_key_id: 'AKID',
        secret_access_key: 'secret-access-key',
        session: 'session-token',
      },
    });
    const { authorization = '' } = sent.headers;
    const stamp = String(sent.headers['x-amz-date']);
    const date = new Date(
      stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
    );
    const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
    const signer = new SignatureV4({
      service: 'execute-api',
      region: 'eu-west-1',
      applyChecksum: false,
      credentials: {
        accessKeyId: 'AKID',
        secretAccessKey: 'secret-access-key',
        sessionToken: 'session-token',
      },
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
    expect(names).toContain('host');
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/execute-api\/aws4_request, /,
    );
    const witness = await signer.sign(
      {
        method: 'POST',
        protocol: 'http:',
        hostname: '127.0.0.1',
        path: '/base/bucket/key',
        headers: Object.fromEntries(
          names
            .filter((name) => !name.startsWith('x-amz-'))
            .map((name) => [name, String(sent.headers[name] ?? '')]),
        ),
        body: sent.body.toString(),
      },
      { signingDate: date },
    );
    const signature = (text = '') => /Signature=(\w+)/.exec(text)?.[1];
    expect(signature(authorization)).toMatch(/^[0-9a-f]{64}$/);
    expect(signature(authorization)).toBe(signature(witness.headers['authorization']));
  });
});
