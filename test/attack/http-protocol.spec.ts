import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from '../api/service.js';
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
