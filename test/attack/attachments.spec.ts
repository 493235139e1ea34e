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

it('an attachment of 25 MB, in base64, comes to its provider, which alone judges its size', async () => {
  const { status, message } = await attach(25_000_000);
  expect([status, message]).toEqual([
    400,
    'body /content: has 25000000 bytes, the provider takes 5000000',
  ]);
}, 60_000);

it('an attachment beyond the limit of its operation is a 413', async () => {
  const { maxBytes } = operationOf('ticketing_create_attachment').limits ?? { maxBytes: 0 };
  expect((await attach(maxBytes)).status).toBe(413);
  expect(service.heldBodyBytes()).toBe(0);
});
