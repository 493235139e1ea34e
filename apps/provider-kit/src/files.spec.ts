import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { conformance } from './conformance.js';
import { ProviderFolder } from './folders.js';
import { record } from './record.js';

const secret = 'live-secret-4711';
const weak = 'weak-secret-4712';
const picture = Buffer.from([0, 1, 254, 255, 128, 13, 10]);

const provider = `provider: storage_box
version: 1.0.0
fullname: Box
vendor: Tests
owner: Tests
proof: recorded
configuration:
  properties: { url: { type: string } }
  required: [url]
credentials:
  credential:
    token: { send: header, name: authorization, value: '"Bearer " + this.credential.secret' }
http:
  base_url: this.config.url
  message: this.body.why
verify:
  - { path: /files, needs: Read files }
operations:
  storage_download_file:
    steps: [{ path: '/files/{this.path.path}', answer: stream }]
    file: '{"filename": this.path.path}'
  storage_upload_file:
    steps:
      - method: POST
        path: '/files/{this.path.path}'
        encoding: multipart
        part: content
        body: root.note = this.file.filename
`;
const plan = `documented:
  '429': { status: 429, headers: { retry-after: '900' } }
calls:
  - operation: storage_upload_file
    path: { path: a.png }
    file: { filename: own.png, type: image/png, base64: ${picture.toString('base64')} }
  - { operation: storage_download_file, path: { path: a.png } }
`;

/** Stores the posted file, and has no other. */
function serve(): Server {
  const files = new Map<string, { type: string; body: Buffer }>();
  return createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const token = request.headers.authorization?.replace('Bearer ', '');
      const refused = token === weak ? 403 : token === secret ? undefined : 401;
      const path = request.url ?? '';
      const type = request.headers['content-type'] ?? '';
      if (request.method === 'POST' && refused === undefined && path !== '/files/999999') {
        const form = await new Response(body, { headers: { 'content-type': type } }).formData();
        const file = form.get('content') as File;
        files.set(path, { type: file.type, body: Buffer.from(await file.arrayBuffer()) });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        return;
      }
      const found = path === '/files' ? { type: 'text/plain', body: '[]' } : files.get(path);
      if (refused === undefined && found !== undefined)
        response.writeHead(200, { 'content-type': found.type }).end(found.body);
      else
        response
          .writeHead(refused ?? 404, { 'content-type': 'application/json' })
          .end('{"why":"no"}');
    });
  });
}

describe('the kit with a provider of files', () => {
  let path: string;
  let server: Server;
  let folder: ProviderFolder;
  const at = (name: string) => new ProviderFolder(name, pathToFileURL(`${path}/`));
  const faultsOf = async (one: ProviderFolder) => {
    const faults: string[] = [];
    for (const { run } of conformance(one)) faults.push(...(await run()));
    return faults;
  };

  beforeAll(async () => {
    path = mkdtempSync(join(tmpdir(), 'onefold-kit-'));
    folder = at('box');
    mkdirSync(new URL('fixtures/', folder.url), { recursive: true });
    writeFileSync(new URL('provider.yaml', folder.url), provider);
    writeFileSync(new URL('fixtures/record.yaml', folder.url), plan);
    server = serve();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const problems = await record(
      folder,
      {
        configuration: { url, credential: { type: 'token', secret } },
        forbidden: { secret: weak },
        lacking: { 'Read files': { secret: weak } },
      },
      () => undefined,
    );
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    await new Promise((done) => server.close(done));
    rmSync(path, { recursive: true });
  });

  it('records uploads and downloads with unchanged bytes', () => {
    const down = folder.read('fixtures/storage_download_file.yaml');
    expect(down).toContain(`file:\n        base64: ${picture.toString('base64')}`);
    expect(down).toContain('content-disposition: attachment; filename=a.png');
    const up = folder.read('fixtures/storage_upload_file.yaml');
    expect(up).toContain('type: multipart/form-data; boundary=boundary');
    const [, sent = ''] = /^ {10}base64: (\S+)/m.exec(up) ?? [];
    const body = Buffer.from(sent, 'base64').toString('latin1');
    expect(body).toContain('name="note"\r\n\r\nown.png\r\n');
    expect(body).toContain(picture.toString('latin1'));
  });

  it('finds no fault in its own recording', async () => {
    expect(await faultsOf(folder)).toEqual([]);
  });

  it.each([
    ['another name of the part', /part: content/, 'part: contents', 'differs from the recording'],
    ['another name of the file', /"filename": this/, '"filename": "b" + this', 'the response is'],
  ])('sees %s', async (what, from, to, fault) => {
    const changed = at(what.replaceAll(' ', '-'));
    cpSync(folder.path, changed.path, { recursive: true });
    const text = readFileSync(new URL('provider.yaml', changed.url), 'utf8');
    writeFileSync(new URL('provider.yaml', changed.url), text.replace(from, to));
    expect((await faultsOf(changed)).join('\n')).toContain(fault);
  });
});
