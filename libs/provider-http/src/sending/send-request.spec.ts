import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import zlib from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDispatcher, EgressPolicy } from '#egress';
import { ResponseMemory } from '../limits/response-memory.js';
import { IdleTimer } from '../bodies/idle-timer.js';
import type { ProviderRequest } from '../provider-request.js';
import { sendRequest, type SendRequestOptions } from './send-request.js';

interface Seen {
  call: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy);
let servers: Server[];
let urls: string[];
let seen: Seen[];
let handler: (response: ServerResponse, path: string) => void;

beforeAll(async () => {
  servers = [0, 1].map(() =>
    createServer((request, response) => {
      void text(request).then((body) => {
        const { method, url = '', headers } = request;
        seen.push({ call: `${method} ${url}`, headers, body });
        handler(response, url);
      });
    }),
  );
  urls = await Promise.all(
    servers.map(async (server) => {
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  await dispatcher.destroy();
  for (const server of servers) server.close();
});

function send(more: Partial<ProviderRequest> = {}, options: Partial<SendRequestOptions> = {}) {
  const request: ProviderRequest = {
    method: 'GET',
    url: new URL('/old', urls[0]),
    headers: { 'x-key': 'secret' },
    secretHeaders: ['x-key'],
    answer: 'json',
    accept: new Set(),
    repeatable: true,
    ...more,
  };
  const idleTimer = new IdleTimer(5_000, new AbortController().signal);
  const parts = { dispatcher, policy, idleTimer, timeoutMs: 5_000, idleMs: 5_000 };
  const memory = new ResponseMemory(Infinity).open();
  return sendRequest(request, { ...parts, maxBytes: 100_000, memory, ...options });
}

/** Redirects `/old`, and answers anything else. */
const redirect = (status: number, to: () => string) => (response: ServerResponse, path: string) => {
  response.writeHead(path === '/old' ? status : 200, { location: to() });
  response.end('{"moved": true}');
};

describe('a redirect', () => {
  it.each([307, 308])('of %i is followed with method, body and credential', async (status) => {
    handler = redirect(status, () => '/new');
    const { body } = await send({ method: 'POST', body: '{"a":1}', repeatable: false });
    expect(body).toEqual({ moved: true });
    expect(seen.map(({ call, body, headers }) => [call, body, headers['x-key']])).toEqual([
      ['POST /old', '{"a":1}', 'secret'],
      ['POST /new', '{"a":1}', 'secret'],
    ]);
  });

  it.each([301, 302, 303])(
    'of a POST by %i is not followed: it would become a GET',
    async (status) => {
      handler = redirect(status, () => '/new');
      expect((await send({ method: 'POST', body: '{}' })).status).toBe(status);
      expect(seen).toHaveLength(1);
    },
  );

  it('of a POST to another origin is not followed', async () => {
    handler = redirect(307, () => `${urls[1]}/new`);
    expect((await send({ method: 'POST', body: '{}' })).status).toBe(307);
    expect(seen).toHaveLength(1);
  });

  it.each([301, 302, 307, 308])(
    'of a GET by %i to another origin is followed without credential and body',
    async (status) => {
      handler = redirect(status, () => `${urls[1]}/new`);
      const authenticate = () => {
        throw new Error('another origin gets no credential');
      };
      const { body } = await send({ body: '{"secret":1}' }, { authenticate });
      expect(body).toEqual({ moved: true });
      expect([seen[1]?.headers['x-key'], seen[1]?.body]).toEqual([undefined, '']);
    },
  );

  it('back from another origin gets no credential: that origin chose the address', async () => {
    handler = (response, path) => {
      const to = { '/old': `${urls[1]}/there`, '/there': `${urls[0]}/back` }[path];
      response.writeHead(to === undefined ? 200 : 302, to === undefined ? {} : { location: to });
      response.end('{}');
    };
    await send(
      {},
      { authenticate: (url) => ({ ...request(url), headers: { 'x-key': 'secret' } }) },
    );
    expect(seen.map(({ call, headers }) => [call, headers['x-key']])).toEqual([
      ['GET /old', 'secret'],
      ['GET /there', undefined],
      ['GET /back', undefined],
    ]);
  });

  it('at the first origin gets the credential anew, which may be in the address', async () => {
    handler = redirect(302, () => '/new?page=2');
    await send(
      {},
      {
        authenticate: (url) => {
          url.searchParams.set('key', 'secret');
          return request(url);
        },
      },
    );
    expect(seen[1]?.call).toBe('GET /new?page=2&key=secret');
  });
});

describe('the body of a response', () => {
  const answer = (body: Buffer, headers: Record<string, string>, status = 200) => {
    handler = (response) => {
      response.writeHead(status, headers);
      response.end(body);
    };
  };

  it.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateRawSync],
    ['br', zlib.brotliCompressSync],
  ] as const)('is decompressed, although it was not asked for as %s', async (coding, compress) => {
    answer(compress(Buffer.from('{"id":9007199254740993}')), { 'content-encoding': coding });
    expect((await send()).body).toEqual({ id: 9007199254740993n });
    expect(seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('is decompressed where no header says so and a text is expected', async () => {
    const body = zlib.gzipSync(Buffer.from('{"id":1}\n{"id":2}\n'));
    answer(body, { 'content-type': 'application/octet-stream' });
    expect((await send({ answer: 'ndjson' })).body).toEqual([{ id: 1 }, { id: 2 }]);
    expect((await send({ answer: 'binary' })).body).toMatchObject({
      content: new Uint8Array(body),
    });
  });

  it('is limited as it is when it is decompressed', async () => {
    answer(zlib.gzipSync(Buffer.alloc(10_000_000, 0x20)), { 'content-encoding': 'gzip' });
    await expect(send()).rejects.toThrow('more than 100000 bytes');
  });

  it('that cannot be decompressed says so', async () => {
    answer(zlib.gzipSync(Buffer.from('{"id":1}')).subarray(0, 15), { 'content-encoding': 'gzip' });
    await expect(send()).rejects.toThrow('the response cannot be decompressed');
    answer(Buffer.from('xx'), { 'content-encoding': 'compress' });
    await expect(send()).rejects.toThrow('compressed as compress');
  });

  it('is read in its charset, also of a failure', async () => {
    answer(Buffer.from('{"why":"Schlüssel"}', 'latin1'), {
      'content-type': 'application/json; charset=ISO-8859-1',
    });
    expect((await send()).body).toEqual({ why: 'Schlüssel' });
    answer(
      zlib.gzipSync(Buffer.from('\ufeff{"why":"5 €"}', 'utf16le')),
      { 'content-encoding': 'gzip' },
      500,
    );
    expect((await send()).body).toEqual({ why: '5 €' });
  });

  it('loses the byte order mark, in JSON and in CSV', async () => {
    answer(Buffer.from('\ufeff{"id":1}'), {});
    expect((await send()).body).toEqual({ id: 1 });
    answer(Buffer.from('\ufeffid,name\n'), {});
    expect((await send({ answer: 'text' })).body).toBe('id,name\n');
  });
});

function request(url: URL): ProviderRequest {
  return {
    method: 'GET',
    url,
    headers: {},
    secretHeaders: [],
    answer: 'json',
    accept: new Set(),
    repeatable: true,
  };
}
