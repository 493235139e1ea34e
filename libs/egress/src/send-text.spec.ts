import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { Attempts } from './attempts.js';
import { createDispatcher } from './dispatcher.js';
import { EgressPolicy } from './egress-policy.js';
import { sendText, type TextRequest } from './send-text.js';

const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy);
let server: Server;
let url: string;
let calls: string[];
let handler: (response: ServerResponse, call: number, path: string) => void;

beforeAll(async () => {
  server = createServer(({ method, url: path = '' }, response) => {
    calls.push(`${method} ${path}`);
    handler(response, calls.length, path);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  calls = [];
});
afterAll(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  server.close();
});

const answer = (response: ServerResponse, status: number, text = '', headers = {}) => {
  response.writeHead(status, headers);
  response.end(text);
};

function send(
  more: Partial<TextRequest> = {},
  { deadlineMs = 5_000, attempts = newAttempts() } = {},
) {
  const request = { method: 'POST', url: new URL('/token', url), headers: {}, body: 'a=b' };
  return sendText(
    { ...request, isRepeatable: true, ...more },
    { dispatcher, policy, attempts },
    {
      organizationId: 'org_1',
      signal: new AbortController().signal,
      deadline: Date.now() + deadlineMs,
    },
  );
}

const newAttempts = () => new Attempts({ clock: systemClock });

describe('a request that is not a call of a provider', () => {
  it.each([429, 500, 502, 503, 504, 520])('is repeated after %i', async (status) => {
    handler = (response, call) => answer(response, call === 1 ? status : 200, 'token');
    expect(await send()).toMatchObject({ status: 200, text: 'token' });
    expect(calls).toHaveLength(2);
  });

  it('is repeated after a connection that broke', async () => {
    handler = (response, call) => void (call === 1 ? response.destroy() : answer(response, 200));
    expect((await send()).status).toBe(200);
  });

  it.each([
    [500, 1],
    [502, 1],
    [429, 2],
    [503, 2],
  ])(
    'that has an effect is repeated after %i only where it was not begun',
    async (status, times) => {
      handler = (response, call) => answer(response, call === 1 ? status : 200);
      await send({ isRepeatable: false });
      expect(calls).toHaveLength(times);
    },
  );

  it('that has an effect is not repeated after a connection that broke', async () => {
    handler = (response) => void response.destroy();
    await expect(send({ isRepeatable: false })).rejects.toThrow();
    expect(calls).toHaveLength(1);
  });

  it('waits as long as it is asked to, and not beyond its deadline', async () => {
    handler = (response, call) =>
      answer(response, call === 1 ? 429 : 200, '', { 'retry-after': '1' });
    const begun = performance.now();
    await send();
    expect(performance.now() - begun).toBeGreaterThan(990);
    handler = (response) => answer(response, 429, 'slow', { 'retry-after': '60' });
    expect(await send()).toMatchObject({ status: 429, text: 'slow', retryAfterMs: 60_000 });
  });

  it('pauses with the other requests to a host that keeps failing', async () => {
    handler = (response) => answer(response, 500);
    const attempts = newAttempts();
    for (let call = 0; call < 4; call += 1) await send({}, { attempts });
    await expect(send({}, { attempts })).rejects.toMatchObject({ status: 503 });
    expect(calls).toHaveLength(10);
  });

  it('follows a redirect at its origin only', async () => {
    handler = (response, _call, path) =>
      answer(response, path === '/token' ? 307 : 200, '', { location: '/new' });
    expect((await send()).status).toBe(200);
    expect(calls).toEqual(['POST /token', 'POST /new']);
    handler = (response) => answer(response, 308, '', { location: 'https://other.example/' });
    expect((await send()).status).toBe(308);
  });

  it('reads compressed answers, and not more than a token takes', async () => {
    const packed = (text: string) => zlib.gzipSync(text) as unknown as string;
    handler = (response) => answer(response, 200, packed('ü'), { 'content-encoding': 'gzip' });
    expect((await send()).text).toBe('ü');
    handler = (response) =>
      answer(response, 200, packed('x'.repeat(2_000_000)), { 'content-encoding': 'gzip' });
    await expect(send()).rejects.toThrow('more than 262144 bytes');
  });

  it('is not sent where nothing may be called', async () => {
    await expect(send({ url: new URL('http://169.254.169.254/') })).rejects.toMatchObject({
      code: 'EGRESS_REFUSED',
    });
  });
});
