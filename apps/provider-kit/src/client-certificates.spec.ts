import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KeyPair, TestAuthority } from '#test/harness';
import { conformance } from './conformance.js';
import type { ProviderFolder } from './folders.js';
import { record } from './record.js';
import { type RecordedFolder, recordedFolder } from './recorded-folder.fixture.js';

/** A provider that knows its clients by their certificates. */
describe('a provider that demands a client certificate', () => {
  let made: RecordedFolder;
  let folder: ProviderFolder;
  let authority: TestAuthority;
  let pair: KeyPair;
  let server: Server;
  const names: string[] = [];

  beforeAll(async () => {
    made = recordedFolder(
      'tls_certificate: { send: tls }',
      '    steps: [{ path: /projects }]\n    rows: this.steps.call.rows\n',
    );
    folder = made.folder;
    authority = new TestAuthority();
    const { certificate, key } = authority.issue('provider');
    pair = authority.issue('recorder');
    server = createServer(
      {
        cert: certificate,
        key,
        ca: authority.certificate,
        requestCert: true,
        rejectUnauthorized: false,
      },
      ({ socket }, response) => {
        const tls = socket as TLSSocket;
        const name = tls.authorized ? String(tls.getPeerCertificate().subject.CN) : 'nobody';
        names.push(name);
        response.writeHead(name === 'nobody' ? 401 : 200, { 'content-type': 'application/json' });
        response.end(
          name === 'nobody' ? '{"message":"who are you?"}' : '{"rows":[{"id":"1","name":"One"}]}',
        );
      },
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    authority.remove();
    made.remove();
  });

  it('is recorded with the certificate, and its refusal without', async () => {
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const credential = {
      type: 'tls_certificate',
      certificate: pair.certificate,
      private_key: pair.key,
      certificate_authority: authority.certificate,
    };
    const configuration = { type: 'ticketing_desk', url, credential };
    expect(await record(folder, { configuration }, () => undefined)).toEqual([]);
    expect(names).toContain('recorder');
    expect(names).toContain('nobody');
    const files = folder.list('fixtures').map((file) => folder.read(`fixtures/${file}`));
    expect(files.join('\n')).toContain('name: One');
    expect(files.join('\n')).toContain('who are you?');
    for (const file of files) {
      expect(file).not.toContain('BEGIN');
      expect(file).not.toContain(pair.key.split('\n')[2]);
      expect(file).not.toContain('x-kit');
    }
  });

  it('is replayed without one', async () => {
    for (const { name: check, run } of conformance(folder))
      expect([check, await run()]).toEqual([check, []]);
  });
});
