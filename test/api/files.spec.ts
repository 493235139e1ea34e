import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, until } from '#test/harness';
import type { Problem } from '#contract';
import { type Service, startService } from './service.js';

interface Seen {
  call: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let service: Service;
let server: Server;
let token: string;
let seen: Seen[] = [];
let unfinished = 0;
/** Requests whose bodies have neither come whole nor broken off yet. */
let open = 0;

const document = `
provider: custom_box
version: 1.0.0
fullname: Box
vendor: Tests
configuration:
  properties: { url: { type: string, pattern: '^http' } }
  required: [url]
http:
  base_url: this.config.url
  limits: { stream_bytes: 300000 }
operations:
  storage_download_file:
    steps:
      - { name: link, path: '/links/{this.path.path}' }
      - { name: file, url: 'this.config.url + this.steps.link.at', answer: stream }
    file: '{"filename": this.steps.link.name, "type": this.steps.link.type}'
  storage_upload_file:
    steps:
      - name: session
        method: POST
        path: /sessions
        body: root = this.file
      - name: stored
        method: POST
        path: '/sessions/{this.steps.session.id}'
        encoding: multipart
        part: content
        body: root.path = this.path.path
      - { name: done, method: POST, path: '/sessions/{this.steps.session.id}/done' }
  storage_list_files:
    steps: [{ path: '/list/{+this.path.path}' }]
    rows: this.steps.call
`;

beforeAll(async () => {
  service = await startService();
  server = createServer((request, response) => {
    const call = `${request.method} ${request.url}`;
    const json = (value: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    open += 1;
    void buffer(request).then(
      (body) => {
        open -= 1;
        seen.push({ call, headers: request.headers, body });
        if (call === 'POST /sessions') return json({ id: 's1' });
        if (request.method === 'POST') return json({});
        if (call.startsWith('GET /list/')) return json([{ path: 'a/1' }, { path: 'a/2' }]);
        if (call === 'GET /links/many') return json({ at: '/bytes-of-many' });
        if (call === 'GET /links/far') return json({ at: '/none-of-many' });
        if (call === 'GET /links/wrong') return json({ at: '/gone' });
        if (call === 'GET /links/large') return json({ at: '/large' });
        if (call.startsWith('GET /links/'))
          return json({ at: '/bytes', name: '../etc/päss"wd\u0007', type: 'image/png' });
        if (call === 'GET /bytes')
          return response
            .writeHead(200, { 'content-type': 'text/html', 'content-length': 5 })
            .end('bytes');
        if (call === 'GET /bytes-of-many')
          return response
            .writeHead(request.headers.range === undefined ? 200 : 206, {
              'content-length': request.headers.range === undefined ? 10 : 3,
              ...(request.headers.range === undefined ? {} : { 'content-range': 'bytes 2-4/10' }),
            })
            .end(request.headers.range === undefined ? '0123456789' : '234');
        if (call === 'GET /none-of-many')
          return response.writeHead(416, { 'content-type': 'text/plain' }).end('too far');
        if (call === 'GET /large') return response.end(Buffer.alloc(300_001));
        return response.writeHead(404).end('gone');
      },
      () => {
        open -= 1;
        unfinished += 1;
      },
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await service.call('POST', '/v1/customs', { data: document });
  const { result } = await service.call('POST', '/v1/accounts', { name: 'files' });
  const { account } = result as unknown as { account: { id: string } };
  const made = await service.call('POST', `/v1/integrations/${account.id}`, {
    provider_config: { type: 'custom_box', url },
  });
  token = (made.result as unknown as { token: { access: { secret: string } } }).token.access.secret;
});
beforeEach(async () => {
  await new Promise((done) => setTimeout(done, 50)); // The upload that the previous test broke off.
  await until(() => open === 0);
  seen = [];
  unfinished = 0;
});
afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  server.close();
});

const ask = (method: string, path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, {
    method,
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
  });
const problem = async (response: Response) => (await response.json()) as Problem;
const form = (parts: Record<string, Blob | string>) => {
  const made = new FormData();
  for (const [name, part] of Object.entries(parts)) made.append(name, part);
  return made;
};
const file = (bytes: number, name = 'a b.png') =>
  new File([Buffer.alloc(bytes, 'x')], name, { type: 'image/png' });

describe('a range of a file', () => {
  it('is that of the provider, which alone is asked for it', async () => {
    const response = await ask('GET', '/v1/storage/files/many', {
      headers: { range: 'bytes=2-4' },
    });
    expect([response.status, await response.text()]).toEqual([206, '234']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-range': 'bytes 2-4/10',
      'accept-ranges': 'bytes',
      'content-length': '3',
    });
    expect(seen.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=2-4']);
  });

  it.each([
    ['several ranges', { range: 'bytes=0-1,3-4' }],
    ['another unit', { range: 'lines=1-2' }],
    [
      'a range of an unchanged file, which few providers compare',
      { range: 'bytes=2-4', 'if-range': '"1"' },
    ],
  ])('is the whole file for %s', async (_what, headers) => {
    const response = await ask('GET', '/v1/storage/files/many', { headers });
    expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    expect(response.headers.get('content-range')).toBeNull();
  });

  it('beyond the file is a problem', async () => {
    const response = await ask('GET', '/v1/storage/files/far', { headers: { range: 'bytes=99-' } });
    expect(response.status).toBe(416);
    expect((await problem(response)).message).toContain('no such range');
  });
});

describe('a file that comes', () => {
  it('is called what the document says, and never opens in a browser', async () => {
    const response = await ask('GET', '/v1/storage/files/a');
    expect(await response.text()).toBe('bytes');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="p?ss\\"wd"; filename*=UTF-8''p%C3%A4ss%22wd`,
      'x-content-type-options': 'nosniff',
      'content-length': '5',
    });
    expect(seen.map(({ call }) => call)).toEqual(['GET /links/a', 'GET /bytes']);
  });

  it('is a problem when it is not there', async () => {
    const response = await ask('GET', '/v1/storage/files/wrong');
    expect([response.status, (await problem(response)).message]).toEqual([
      404,
      expect.stringContaining('no such record'),
    ]);
  });

  it('breaks off when it is larger than the document lets it be', async () => {
    const response = await ask('GET', '/v1/storage/files/large');
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('comes through its own path only', async () => {
    for (const [method, path] of [
      ['GET', '/v1/custom/operations/get/storage_download_file/a'],
      ['POST', '/v1/custom/operations/post/storage_upload_file'],
    ] as const) {
      const init =
        method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
      const response = await ask(method, path, init);
      const { status, message, remediation } = await problem(response);
      expect([status, message, remediation]).toEqual([
        400,
        expect.stringContaining('passes a file'),
        expect.stringMatching(/^Call (GET|POST) \/v1\/storage\/files\/\{path\}/),
      ]);
    }
    expect(seen).toEqual([]);
  });
});

describe('a file that goes', () => {
  it('passes through the steps of the document', async () => {
    const body = form({ note: 'not for us', file: file(100_000) });
    const response = await ask('POST', '/v1/storage/files/b/c', { body });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(seen.map(({ call }) => call)).toEqual([
      'POST /sessions',
      'POST /sessions/s1',
      'POST /sessions/s1/done',
    ]);
    const [opened, stored] = seen;
    expect(JSON.parse(opened?.body.toString() ?? '')).toEqual({
      filename: 'a b.png',
      type: 'image/png',
      size: null,
    });
    const sent = await new Response(stored?.body, {
      headers: { 'content-type': stored?.headers['content-type'] ?? '' },
    }).formData();
    const content = sent.get('content') as File;
    expect([sent.get('path'), content.name, content.type, content.size]).toEqual([
      'b/c',
      'a b.png',
      'image/png',
      100_000,
    ]);
  });

  it('is named by its path where it brings no name, and has its length where that is told', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const response = await ask('POST', '/v1/storage/files/b/c.bin', {
      body: Buffer.alloc(1_000),
      headers,
    });
    expect(response.status).toBe(204);
    expect(JSON.parse(seen[0]?.body.toString() ?? '')).toEqual({
      filename: 'c.bin',
      type: 'application/octet-stream',
      size: 1_000,
    });
    expect(seen[1]?.headers['content-length']).toBe(String(seen[1]?.body.length));
  });

  it.each([
    ['of another content type', { body: '{}', type: 'application/json' }, 415, /is not supported/],
    ['without a boundary', { body: 'x', type: 'multipart/form-data' }, 400, /Boundary not found/],
    ['without the part', { body: form({ other: 'x' }) }, 400, /\/file: is required/],
    ['under another name', { body: form({ upload: file(10) }) }, 400, /\/upload: is a file, which/],
    ['that says nothing', {}, 415, /\(none\) is not supported/],
  ])('%s is refused', async (_what, { body, type }: Sent, status, message) => {
    const response = await ask('POST', '/v1/storage/files/b', {
      ...(body === undefined ? {} : { body }),
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    });
    expect([response.status, (await problem(response)).message]).toEqual([
      status,
      expect.stringMatching(message),
    ]);
    expect(seen).toEqual([]);
  });
  interface Sent {
    body?: string | FormData;
    type?: string;
  }

  it('is not stored when a second one follows it', async () => {
    const body = form({ file: file(10) });
    body.append('file', file(10));
    const response = await ask('POST', '/v1/storage/files/b', { body });
    expect([response.status, (await problem(response)).message]).toEqual([
      400,
      'body /file: occurs twice',
    ]);
    expect(seen.map(({ call }) => call)).toEqual(['POST /sessions']);
  });

  it('is refused beyond the limit of the gateway, told beforehand or not', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const refused = await ask('POST', '/v1/storage/files/b', {
      body: Buffer.alloc(1_048_577),
      headers,
    });
    expect(refused.status).toBe(413);
    expect(seen).toEqual([]);
    async function* chunks() {
      for (let at = 0; at < 40; at += 1) {
        await new Promise((done) => setTimeout(done, 1));
        yield Buffer.alloc(65_536);
      }
    }
    const streamed = await ask('POST', '/v1/storage/files/c', {
      body: chunks() as never,
      headers,
      duplex: 'half',
    });
    expect([streamed.status, (await problem(streamed)).message]).toEqual([
      413,
      expect.stringMatching(/longer than 1048576 bytes|larger than 300000 bytes/),
    ]);
    expect(seen.map(({ call }) => call)).not.toContain('POST /sessions/s1/done');
  });

  it('is refused beyond the limit of the document, before its step when its length was told', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const body = Buffer.alloc(300_001);
    const refused = await ask('POST', '/v1/storage/files/b', { body, headers });
    expect([refused.status, (await problem(refused)).message]).toEqual([
      413,
      'the file is larger than 300000 bytes',
    ]);
    expect(unfinished).toBe(0);
    const multipart = await ask('POST', '/v1/storage/files/b', {
      body: form({ file: file(300_001) }),
    });
    expect(multipart.status).toBe(413);
    await eventually(() => expect(unfinished).toBe(1));
  });
});

it('a list of files is one as any other', async () => {
  const response = await ask('GET', '/v1/storage/folders/a%2Fb?meta=stats%2Fcount');
  expect(await response.json()).toMatchObject({ result: [{ path: 'a/1' }, { path: 'a/2' }] });
  expect(seen[0]?.call).toBe('GET /list/a/b');
});

it('the description of a provider has the operations on files like any other', async () => {
  const { result } = await service.call(
    'GET',
    '/v1/capabilities/providers/custom_box?expand=operations',
  );
  const { operations } = result as unknown as { operations: { id: string; supported: boolean }[] };
  const supported = operations.filter((one) => one.supported).map(({ id }) => id);
  expect(supported.sort()).toEqual([
    'storage_download_file',
    'storage_list_files',
    'storage_upload_file',
  ]);
  const { result: connectors } = await service.call('GET', '/v1/capabilities/connectors');
  const found = (connectors as unknown as { id: string; release: object }[]).find(
    ({ id }) => id === 'storage',
  );
  expect(found).toMatchObject({
    release: { availability: 'generally-available' },
    provider_ids: expect.arrayContaining(['storage_mock_storage']),
  });
});
