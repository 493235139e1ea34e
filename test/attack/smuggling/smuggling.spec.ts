import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { type HandledRequest, sendOddRequests } from './send-odd-requests.js';
import { type Front, fronts, isMissing, smuggle } from './smuggle.js';
import { readStrictly } from './strict-reader.js';

/** The run of the suite is always the same; `npm run fuzz -- framings` uses another seed each time, and sends more. */
const seed = 20_261_126;
const counts: Record<Front, number> = { alone: 1_000, nginx: 300, haproxy: 300 };

describe('odd framings of requests on reused connections', () => {
  for (const front of fronts) {
    const where = front === 'alone' ? 'to the gateway alone' : `to a gateway behind ${front}`;
    const isSkipped = isMissing(front);
    const why = isSkipped ? ` (skipped: ${front} is not installed)` : '';
    (isSkipped ? it.skip : it)(
      `${where} make it handle no request that nobody sent${why}`,
      async () => {
        const count = counts[front];
        const { faults, handled } = await smuggle(front, { seed, count });
        expect(faults).toEqual([]);
        // Else nothing would have been tried. HAProxy lets the fewest pass.
        expect(handled.odd).toBeGreaterThan(count / 100);
        expect(handled.next).toBeGreaterThan(count / 200);
        if (front !== 'alone') expect(handled.bystander).toBeGreaterThan(count / 2);
      },
      900_000,
    );
  }

  it('are found where a server reads them leniently', async () => {
    const requests: HandledRequest[] = [];
    const server = createServer({ insecureHTTPParser: true }, (request, response) => {
      requests.push({ id: String(request.headers['x-request-id']), traceId: undefined });
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const handled = async () => requests;
    const { faults } = await sendOddRequests({ url, handled }, { seed, count: 100, token: 'a' });
    server.closeAllConnections();
    server.close();
    expect(faults.join('\n')).toMatch(/handled odd-\d+-hidden, which nobody has sent/);
  });
});

describe('the strict reader', () => {
  const read = (...lines: string[]) =>
    readStrictly(
      `${lines.join('\r\n')}\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\nx-request-id: next\r\n\r\n`,
    ).map(({ id }) => id);
  const head = ['POST / HTTP/1.1', 'host: a', 'x-request-id: first'];

  it('reads on behind a body of a length or in chunks', () => {
    expect(read(...head)).toEqual(['first', 'next']);
    expect(read(...head, 'content-length: 21', '', 'a')).toEqual(['first']); // the next request line is part of the body
    expect(read(...head, 'content-length: 5', '', 'a')).toEqual(['first', 'next']);
    expect(read(...head, 'transfer-encoding: chunked', '', '1;a="b"', 'a', '0')).toEqual([
      'first',
      'next',
    ]);
  });

  it('stops where the end of a request is not certain', () => {
    expect(read(...head, 'content-length: 3', 'transfer-encoding: chunked')).toEqual([]);
    expect(read(...head, 'content-length: 0, 1')).toEqual([]);
    expect(read(...head, 'transfer-encoding : chunked')).toEqual([]);
    expect(read(...head, 'transfer-encoding: chunked, identity')).toEqual([]);
    expect(read(...head, 'host: b')).toEqual([]);
    expect(read(...head, 'a: b\nc: d')).toEqual([]);
    expect(read(...head, 'transfer-encoding: chunked', '', '0x1', 'a', '0')).toEqual(['first']);
  });
});
