import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { productWithEntry } from './another-operation.js';
import { newFolder } from './onefold.js';
import { type Running, startNode } from './processes.js';

const entry = `  /v1/ticketing/queues/{ticketId}:
    post:
      operationId: ticketing_create_queue
      summary: Create a queue
      x-state: served
      x-maturity: beta
      parameters:
      - {$ref: '#/components/parameters/ticketId'}
      - {$ref: '#/components/parameters/meta'}
      x-meta: true
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/CreateAttachmentRequest'}}}
      responses:
        '200':
          description: Success
          content: {application/json: {schema: {$ref: '#/components/schemas/CreateTicketResponse'}}}
`;

const document = (url: string) => `
provider: custom_queues
version: 1.0.0
fullname: Queues
vendor: Tests
http:
  base_url: '"${url}"'
operations:
  ticketing_create_queue:
    steps: [{ method: POST, path: '/queues/{this.path.ticketId}', body: 'root.name = this.body.file_name' }]
    record: this.steps.call
`;

let folder: string;
let database: TestDatabase | undefined;
let provider: Server | undefined;
let onefold: Running | undefined;

beforeAll(async () => {
  folder = newFolder();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: request.url }));
    });
  });
  provider = server;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  [database] = await Promise.all([
    createMigratedDatabase(),
    productWithEntry(folder, 'ticketing', entry),
  ]);
});
afterAll(async () => {
  await onefold?.stop();
  provider?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('serves an operation that is one more entry of the contract, and nothing else', async () => {
  mkdirSync(join(folder, 'data'));
  onefold = startNode([join(folder, 'dist/apps/standalone/src/main.js'), '--port', '0'], {
    DATABASE_URL: database?.url ?? '',
    DATA_FOLDER: join(folder, 'data'),
    CONSOLE: 'no',
    CONNECT: 'no', // their files are not part of the copy
    EGRESS_ALLOW: '127.0.0.1',
  });
  const [, address = ''] = await onefold.says(/^Address: (\S+)$/m);
  const [, organization = ''] = await onefold.says(/^Organization token: (\S+)$/m);
  const call = async (method: string, path: string, token: string, body?: unknown) => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  const { port } = provider?.address() as AddressInfo;
  const data = document(`http://127.0.0.1:${port}`);
  expect(await call('POST', '/v1/customs', organization, { data })).toMatchObject({ status: 200 });
  const { body: made } = await call('POST', '/v1/accounts', organization, { name: 'one' });
  const { account } = made['result'] as { account: { id: string } };
  const { body: created } = await call('POST', `/v1/integrations/${account.id}`, organization, {
    provider_config: { type: 'custom_queues' },
  });
  const { token } = created['result'] as { token: { access: { secret: string } } };
  const { secret } = token.access;

  const body = { file_name: 'first', content: 'c3VwcG9ydA==' };
  expect(await call('POST', '/v1/ticketing/queues/T-1', secret, body)).toMatchObject({
    status: 200,
    body: { result: { id: '/queues/T-1' } },
  });
  const wrong = { ...body, content: 'not base64!' };
  expect(await call('POST', '/v1/ticketing/queues/T-1', secret, wrong)).toMatchObject({
    status: 400,
    body: { cause: [{ context: { parameter: { id: '/content' } } }] },
  });
  const described = await call(
    'GET',
    '/v1/capabilities/providers/custom_queues?expand=operations',
    organization,
  );
  expect(JSON.stringify(described.body)).toContain('"id":"ticketing_create_queue"');
  const served = await call('GET', '/v1/meta/openapi/engine', organization);
  expect(served.body['paths']).toHaveProperty(['/v1/ticketing/queues/{ticketId}', 'post']);
});
