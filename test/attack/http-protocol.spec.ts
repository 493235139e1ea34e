import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from '../api/service.js';
import { Connection } from './connection.js';
import type { Exchange } from './framing.js';
import { sendRaw } from './send-raw.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Sends a text over a socket and returns status and body of the first response. */
async function send(text: string): Promise<{ status: number | undefined; body: string }> {
  const exchange: Exchange = {
    parts: [text],
    pauseMs: 0,
    responses: 1,
    then: 'wait',
    mayClose: false,
  };
  const { responses } = await sendRaw(service.url, false, exchange);
  return { status: responses[0]?.status, body: responses[0]?.body ?? '' };
}

describe('what HTTP refuses is refused with a Problem', () => {
  it.each([
    ['a path outside of the API', 'GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n', 404],
    ['a path of no request', 'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n', 404],
    ['a path that is not percent-encoded', 'GET /reference/%zz HTTP/1.1\r\nhost: a\r\n\r\n', 400],
    ['a request without Host', 'GET /v1/accounts HTTP/1.1\r\n\r\n', 400],
    ['a request with two Hosts', 'GET /v1/accounts HTTP/1.1\r\nhost: a\r\nHost: a\r\n\r\n', 400],
    [
      'an encoding that is not chunked',
      'GET /v1/accounts HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunkedx\r\n\r\n',
      400,
    ],
    [
      'a list of encodings',
      'GET /v1/accounts HTTP/1.1\r\nhost: a\r\ntransfer-encoding: x, chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'chunks in HTTP/1.0',
      'GET /v1/accounts HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['another version', 'GET /v1/accounts HTTP/2.0\r\nhost: a\r\n\r\n', 400],
    ['an unknown expectation', 'GET /v1/accounts HTTP/1.1\r\nhost: a\r\nexpect: x\r\n\r\n', 417],
    ['text that is not HTTP', '\x16\x03\x01\x02\0\r\n\r\n', 400],
    [
      'a negative length',
      'GET /v1/accounts HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
      400,
    ],
    [
      'a length beside chunks',
      'POST /v1/accounts HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['endless headers', `GET /v1/accounts HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s', async (_what, text, status) => {
    const response = await send(text);
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toMatchObject({
      status,
      message: expect.stringMatching(/\w/),
      instance: '/requests/none',
      occurred_at: expect.stringMatching(/^\d{4}-/),
      type: expect.stringMatching(/^urn:onefold:problem:/),
    });
  });

  it('still answers HTTP/1.0 without Host', async () => {
    expect((await send('GET /v1/accounts HTTP/1.0\r\n\r\n')).status).toBe(401);
  });
});

describe('an offer of another protocol is ignored, and its request', () => {
  const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' };
  const body = 'GET /health/live HTTP/1.1\r\nhost: smuggled\r\n\r\n';
  const fill = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, '']));

  /** Sends all at once, and reads to the end of the connection. @returns the status of each response */
  async function statusesOf(write: (connection: Connection) => void): Promise<number[]> {
    const connection = await Connection.open(service.url);
    const found: number[] = [];
    write(connection);
    for (;;) {
      const response = await connection.response().catch(() => undefined);
      if (response === undefined) return found;
      found.push(response.status);
      if (found.length === 3) connection.close();
    }
  }

  it.each([
    ['is answered like any other, and is the last of its connection', {}, 401],
    ['keeps its body', fill(90), 401],
    ['is refused as a whole where it has more headers than are read', fill(120), 431],
  ])('%s', async (_title, more, status) => {
    const found = await statusesOf((connection) => {
      connection.head('POST', '/v1/accounts', { ...offer, ...more, 'content-length': body.length });
      connection.write(body);
      connection.head('GET', '/v1/nowhere');
    });
    expect(found).toEqual([status]);
  });

  it('leaves nothing to be read as a request, in whatever pieces it arrives', async () => {
    const connection = await Connection.open(service.url);
    connection.head('POST', '/v1/accounts', { ...offer, 'content-length': 2 });
    connection.write('{}POST /v1/accounts HTTP/1.1\r\nhost: a\r\n');
    expect((await connection.response()).status).toBe(401);
    connection.write(`content-length: ${body.length}\r\n\r\n${body}`);
    await expect(connection.response()).rejects.toThrow('closed after');
  });

  it('is refused with more than 100 headers also without an offer', async () => {
    const connection = await Connection.open(service.url);
    connection.head('GET', '/v1/organization', fill(101));
    expect((await connection.response()).status).toBe(431);
    connection.close();
  });
});
