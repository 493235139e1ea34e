import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { createDispatcher } from './dispatcher.js';
import { EgressPolicy } from './egress-policy.js';
import { EgressRefused } from './egress-refused.js';
import { hostFailureOf } from './host-failure.js';

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a failure of a host', () => {
  it('is a connection that it refuses or ends, and a name that is not known', async () => {
    const server = createServer((_request, response) => response.destroy());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const ended = await errorOf(request(`http://127.0.0.1:${port}`));
    expect(hostFailureOf(ended, false)).toBe('the connection failed (UND_ERR_SOCKET)');
    await new Promise((done) => server.close(done));
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
      expect(hostFailureOf(await errorOf(request(`http://${host}`)), false)).toBe(
        'the connection failed (ECONNREFUSED)',
      );
    expect(hostFailureOf(new Error('silent'), true)).toBe('it did not answer in time');
  });

  it('is nothing that is refused on our side', async () => {
    const header = await errorOf(request('http://127.0.0.1:9', { headers: { a: 'b\n' } }));
    expect(header).toBeInstanceOf(Error);
    const dispatcher = createDispatcher(new EgressPolicy());
    const refused = await errorOf(request('http://localhost:9', { dispatcher }));
    await dispatcher.destroy();
    for (const error of [header, refused, new EgressRefused('x', 'y'), new TypeError(), 'text'])
      expect(hostFailureOf(error, false)).toBeUndefined();
  });
});
