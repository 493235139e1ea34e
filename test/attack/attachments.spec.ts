import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { operationOf } from '#contract';
import { type Service, startService } from '../api/service.js';
import { createMockToken } from './mock-integration.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await createMockToken(service);
});
afterAll(() => service.stop());

const path = '/v1/ticketing/attachments/ITS-1002';
const attach = (bytes: number) =>
  service.call<{ id: string; file_size?: number }>(
    'POST',
    path,
    {
      file_name: 'a.bin',
      content_type: 'application/octet-stream',
      content: Buffer.alloc(bytes, 7).toString('base64'),
    },
    token,
  );

it('"attachments of 25 MB pass through JSON operations", there and back', async () => {
  const { status, message, result } = await attach(26_214_400);
  expect([status, message, result.file_size]).toEqual([200, '', 26_214_400]);
  const got = await service.call<{ content?: string }>(
    'GET',
    `${path}/${result.id}/download`,
    undefined,
    token,
  );
  expect(got.status).toBe(200);
  const bytes = Buffer.from(got.result.content ?? '', 'base64');
  expect(bytes.equals(Buffer.alloc(26_214_400, 7))).toBe(true);
});

it('"larger ones get a 413 that says so"', async () => {
  const { status, message, remediation } = await attach(26_214_401);
  expect([status, message]).toEqual([413, 'the attachment has 26214401 bytes']);
  expect(remediation).toBe('The provider takes at most 26214400.');
});

it('an attachment beyond the limit of its operation is a 413', async () => {
  const { maxBytes } = operationOf('ticketing_create_attachment').limits ?? { maxBytes: 0 };
  expect((await attach(maxBytes)).status).toBe(413);
  expect(service.heldBodyBytes()).toBe(0);
});

const document = `
provider: ticketing_store
version: 1.0.0
fullname: Store
vendor: Tests
configuration: { properties: { url: { type: string } }, required: [url] }
http: { base_url: this.config.url }
operations:
  ticketing_create_attachment:
    steps:
      - { method: PUT, path: /file, encoding: binary, body: 'root = this.body.content.decode("base64")' }
    record: '{"id": "1", "ticket_id": "1", "file_name": "a", "file_type": "b", "created_date": "2026-01-01T00:00:00Z", "creator": "c"}'
`;

it('pass through a provider document, which decodes their base64', async () => {
  let received = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  try {
    const made = await service.call('POST', '/v1/customs', { data: document });
    expect([made.status, made.message]).toEqual([200, '']);
    const account = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { result } = await service.call<{ token: { access: { secret: string } } }>(
      'POST',
      `/v1/integrations/${account.result.account.id}`,
      { provider_config: { type: 'ticketing_store', url } },
    );
    const body = { file_name: 'a', content: Buffer.alloc(26_214_400, 7).toString('base64') };
    const sent = await service.call('POST', path, body, result.token.access.secret);
    expect([sent.status, sent.message, received]).toEqual([200, '', 26_214_400]);
  } finally {
    server.close();
  }
});
