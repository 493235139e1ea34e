import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Addresses that the samples of the fuzzer name: nothing leaves the machine. */
export const hostileAddresses = [
  '{{provider}}',
  '{{provider}}/sub/',
  'https://nobody.invalid',
] as const;

/** Document whose operations call the provider below with every part of a call that callers fill in. */
export const providerDocument = `
provider: custom_fuzz
version: 1.0.0
fullname: Fuzz
vendor: Tests
configuration:
  properties: { url: { type: string, pattern: '^http' } }
  required: [url]
credentials:
  credential:
    token: { send: header, name: x-key, value: this.credential.secret }
http:
  base_url: this.config.url
  message: this.body.why
operations:
  custom_query:
    resource: things
    fields: { id: { type: number }, name: { type: string } }
    steps: [{ name: things, path: '/things' }]
    rows: this.steps.things
  custom_get:
    resource: things
    steps: [{ path: '/things/{this.path.id}' }]
    record: this.steps.call
  custom_post:
    resource: things
    steps: [{ method: POST, path: '/things', body: root = this.body }]
    record: this.steps.call
  custom_patch:
    resource: things
    current: custom_get
    steps: [{ method: PATCH, path: '/things/{this.path.id}', body: root = this.changes }]
    record: this.steps.call
  custom_delete:
    steps: [{ method: DELETE, path: '/things/{this.path.id}' }]
  storage_list_files:
    steps: [{ name: files, path: '/{+this.path.path}?list' }]
    rows: this.steps.files
  storage_download_file:
    steps: [{ path: '/{+this.path.path}', answer: stream }]
  storage_upload_file:
    steps: [{ name: stored, method: PUT, path: '/{+this.path.path}', encoding: stream }]
  storage_delete_file:
    steps: [{ method: DELETE, path: '/{+this.path.path}' }]
`;

/** Provider that answers some addresses with broken responses, and the same address always in the same way. */
export async function startProvider(): Promise<{ url: string; stop: () => void }> {
  const server: Server = createServer((request, response) => {
    const kind = [...(request.url ?? '')].reduce((sum, one) => sum + one.charCodeAt(0), 0) % 101;
    const isList = /things\?|things$|\?list/.test(request.url ?? '');
    const thing = { id: 1, path: 'one.txt', name: 'one', tags: ['a'], fields: { a: 1 } };
    request.on('error', () => undefined).resume();
    request.on('end', () => {
      const json = { 'content-type': 'application/json' };
      if (kind === 0) response.writeHead(500, json).end('{"why":"broken"}');
      else if (kind === 1) response.writeHead(404, json).end('{"why":"gone"}');
      else if (kind === 2) response.writeHead(200, json).end('{"id":');
      else if (kind === 3) response.writeHead(200, json).end('[null,1,"\\u0000\\ud800"]');
      else if (kind === 4)
        response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
      else if (kind === 5) response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello');
      else if (kind === 6) response.writeHead(204).end();
      else response.writeHead(200, json).end(JSON.stringify(isList ? [thing] : thing));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
