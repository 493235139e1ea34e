import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeReply } from './write-answer.js';

let server: Server;
afterEach(() => void server.close());

async function respondWith(body: Uint8Array): Promise<Response> {
  server = createServer((_request, response) => {
    const reply = { status: 200, headers: { 'content-type': 'application/json' }, body };
    void writeReply(response, reply, false, { 'x-request-id': 'r1' });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe('writeReply', () => {
  it.each([
    ['short', Buffer.from('{"text":"ü€😀\u0001"}')],
    ['long', Buffer.from(JSON.stringify('ü€😀'.repeat(2_000)))],
    ['that are no text', Buffer.from([0, 255, 128, 13, 10, 192])],
    ['that are missing', Buffer.alloc(0)],
  ])('writes bytes %s unchanged, with their length', async (_name, body) => {
    const response = await respondWith(body);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(body);
    expect(response.headers.get('content-length')).toBe(String(body.length));
    expect(response.headers.get('x-request-id')).toBe('r1');
  });
});
