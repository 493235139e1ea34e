import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '#test/harness';
import { systemClock } from '#config';
import { ApiError } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { UploadedFile } from './bodies/uploaded-file.js';
import type { TokenSource } from './credentials/access-tokens.js';
import { FileBody, multipartBody } from './bodies/file-body.js';
import { connectionsPerHost } from './limits/call-slots.js';
import { ProviderHttp } from './provider-http.js';
import type { SendOptions } from './send-options.js';
import type { ProviderRequest } from './provider-request.js';
import { Redactor } from './redact.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let url: string;
let handler: Handler;
let calls = 0;
let closed = 0;
let held = 0;
let broken: Error[] = [];
const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy, { connections: connectionsPerHost });
let http: ProviderHttp;

beforeAll(async () => {
  server = createServer((request, response) => {
    calls += 1;
    response.on('close', () => {
      if (!response.writableFinished) closed += 1;
    });
    request.on('error', () => undefined);
    handler(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  [calls, closed, held, broken] = [0, 0, 0, []];
  http = new ProviderHttp({
    dispatcher,
    policy,
    permits: {
      acquire: () => {
        held += 1;
        return Promise.resolve(() => (held -= 1));
      },
    },
    clock: systemClock,
    tokens: undefined as unknown as TokenSource,
  });
});
afterAll(async () => {
  server.closeAllConnections();
  await dispatcher.destroy();
  await new Promise((done) => server.close(done));
});

const request = (more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  method: 'GET',
  url: new URL('/file', url),
  headers: {},
  secretHeaders: [],
  answer: 'stream',
  accept: new Set(),
  repeatable: true,
  ...more,
});
const options = (more: Partial<SendOptions> = {}): SendOptions => {
  const redactor = new Redactor();
  return {
    call: {
      provider: 'Files',
      method: 'GET',
      address: `${url}/file`,
      credentialId: 'crd_1',
      needs: 'Read files',
      redactor,
    },
    place: { organizationId: 'org_1', key: 'crd_1' },
    authentication: undefined,
    redactor,
    signal: new AbortController().signal,
    deadline: Date.now() + 10_000,
    timeoutMs: 5_000,
    maxBytes: 1_000,
    limits: {},
    retry: { attempts: 3, statuses: [429, 502, 503, 504], resets: [] },
    interpret: () => ({}),
    onResponse: () => undefined,
    onBroken: (failure) => broken.push(failure),
    ...more,
  };
};
const down = async (more: Partial<SendOptions> = {}) => {
  const { stream, ...answer } = await http.send(request(), options(more));
  if (stream === undefined) throw new Error('the response is not a stream');
  return { ...answer, stream };
};
const all = async (stream: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};
const refusal = async (work: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await work.then(
    () => new Error('nothing was refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw error;
};

describe('an answer that is handed on', () => {
  const bytes = randomBytes(3_000_000);

  it('is as long and as it was, and has its place at the provider until it was read', async () => {
    handler = (_request, response) => response.end(bytes);
    const { stream, text } = await down();
    expect([text, held]).toEqual(['[stream]', 1]);
    expect((await all(stream)).equals(bytes)).toBe(true);
    expect([held, broken]).toEqual([0, []]);
  });

  it('is read after the deadline too, by a reader of any speed', async () => {
    handler = (_request, response) => response.end(bytes);
    const { stream } = await down({ timeoutMs: 150, deadline: Date.now() + 150 });
    await stream.next();
    await sleep(400);
    expect((await all(stream)).length).toBeGreaterThan(2_500_000);
  });

  it('that breaks off is a failure for its reader, and told', async () => {
    handler = (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 100_000), () => response.destroy());
    };
    const { stream } = await down();
    const error = await refusal(all(stream));
    expect([error.status, error.message]).toEqual([
      502,
      expect.stringMatching(/^Files broke off after \d+ bytes: /),
    ]);
    expect([held, broken]).toEqual([0, [error]]);
  });

  it('that stands still is given up', async () => {
    handler = (_request, response) => void response.write('begin');
    const { stream } = await down({ timeoutMs: 300 });
    expect((await refusal(all(stream))).status).toBe(502);
    await until(() => closed === 1);
    expect(held).toBe(0);
  });

  it('is given up when its call is, although nobody reads it', async () => {
    handler = (_request, response) => void response.write(bytes);
    const hangUp = new AbortController();
    const { stream } = await down({ signal: hangUp.signal });
    await stream.next();
    hangUp.abort(new Error('hung up'));
    await until(() => closed === 1);
    expect([held, broken]).toEqual([0, []]);
    await expect(stream.next()).rejects.toThrow();
  });

  it('is given up when its reader leaves, before the first chunk too', async () => {
    handler = (_request, response) => void response.write(bytes);
    await (await down()).stream.return?.();
    await until(() => closed === 1);
    expect([held, broken]).toEqual([0, []]);
  });

  it('is given up beyond its limit', async () => {
    handler = (_request, response) => response.end(bytes);
    const { stream } = await down({ maxStreamBytes: 1_000_000 });
    expect((await refusal(all(stream))).message).toContain('more than 1000000 bytes');
  });

  it('is a problem as usual where the provider refuses, and tried again where that helps', async () => {
    handler = (_request, response) => response.writeHead(403).end('{"why":"no"}');
    const error = await refusal(down());
    expect([error.status, error.options.context?.raw_error]).toEqual([502, '{"why":"no"}']);
    handler = (_request, response) =>
      calls < 3 ? response.writeHead(503).end() : response.end(bytes);
    expect((await all((await down()).stream)).length).toBe(bytes.length);
    expect([calls, held]).toEqual([3, 0]);
  });

  it('that means something else by the document is not handed on', async () => {
    handler = (_request, response) => void response.write(bytes);
    const error = await refusal(down({ interpret: () => ({ status: 404 }) }));
    expect(error.status).toBe(404);
    await until(() => closed === 1);
    expect(held).toBe(0);
  });
});

it('files keep no other call of their host waiting, nor files of others', async () => {
  handler = (incoming, response) =>
    incoming.url === '/list' ? response.end('[]') : void response.write('begin');
  const hangUp = new AbortController();
  const files = Array.from({ length: 80 }, () => down({ signal: hangUp.signal }));
  for (const one of files) one.catch(() => undefined);
  await until(() => calls >= 48);
  const list = request({ answer: 'json', url: new URL('/list', url) });
  expect((await http.send(list, options({ deadline: Date.now() + 3_000 }))).body).toEqual([]);
  expect(calls).toBe(49);
  const place = { organizationId: 'org_2', key: 'crd_2' };
  const other = down({ signal: hangUp.signal, place });
  other.catch(() => undefined);
  await until(() => calls === 50);
  hangUp.abort(new Error('hung up'));
  await until(() => held === 0);
});

describe('a file that is sent', () => {
  const bytes = randomBytes(2_000_000);
  const fileOf = (content: AsyncIterable<Uint8Array>, size?: number) =>
    new UploadedFile('ä "1".bin', 'image/png', size, content, () => undefined);
  async function* pieces(fails?: Error) {
    for (let at = 0; at < bytes.length; at += 50_000) {
      await sleep(0);
      yield bytes.subarray(at, at + 50_000);
    }
    if (fails) throw fails;
  }
  const up = (body: FileBody, more: Partial<SendOptions> = {}) =>
    http.send(
      request({ method: 'PUT', headers: { 'content-type': body.type }, body, answer: 'json' }),
      options(more),
    );
  const received: { headers: IncomingMessage['headers']; body: Buffer }[] = [];
  const take: Handler = (incoming, response) => {
    void buffer(incoming).then(
      (body) => {
        received.push({ headers: incoming.headers, body });
        response.end('{}');
      },
      () => undefined,
    );
  };
  beforeEach(() => {
    received.length = 0;
  });

  it('arrives as it is, with its length where that is known', async () => {
    handler = take;
    await up(new FileBody(fileOf(pieces(), bytes.length), 'image/png', undefined));
    await up(new FileBody(fileOf(pieces()), 'image/png', undefined));
    expect(received.map(({ body }) => body.equals(bytes))).toEqual([true, true]);
    expect(received.map(({ headers }) => headers['content-length'])).toEqual([
      String(bytes.length),
      undefined,
    ]);
  });

  it('arrives as a part behind other parts, its name quoted', async () => {
    handler = take;
    await up(multipartBody(fileOf(pieces()), 'upload', [['folder', 'a']], undefined));
    const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received;
    const form = await new Response(body, {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();
    const file = form.get('upload') as File;
    expect([form.get('folder'), file.name, file.type]).toEqual(['a', 'ä "1".bin', 'image/png']);
    const digest = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
    expect(digest(new Uint8Array(await file.arrayBuffer()))).toBe(digest(bytes));
  });

  it('is not sent twice, whatever the provider answers', async () => {
    for (const status of [503, 429]) {
      handler = (incoming, response) => {
        incoming.resume().on('end', () => response.writeHead(status).end());
      };
      calls = 0;
      const error = await refusal(up(new FileBody(fileOf(pieces()), 'image/png', undefined)));
      expect([error.status, calls]).toEqual([status, 1]);
    }
  });

  it('is refused at its beginning: the problem says so, and the rest is not read', async () => {
    let over = false;
    async function* endless() {
      try {
        for (;;) {
          await sleep(1);
          yield bytes.subarray(0, 10_000);
        }
      } finally {
        over = true;
      }
    }
    handler = (_request, response) => response.writeHead(403).end('{"why":"quota"}');
    const error = await refusal(up(new FileBody(fileOf(endless()), 'image/png', undefined)));
    expect([error.status, error.options.context?.raw_error]).toEqual([502, '{"why":"quota"}']);
    await until(() => over);
  });

  it('waits for a client that is slow, and gives up a provider that does not take it', async () => {
    async function* slow() {
      for (let at = 0; at < 4; at += 1) {
        await sleep(200);
        yield Buffer.from('x');
      }
    }
    handler = take;
    await up(new FileBody(fileOf(slow()), 'image/png', undefined), { timeoutMs: 300 });
    expect(received[0]?.body.toString()).toBe('xxxx');
    async function* endless() {
      for (;;) yield bytes;
    }
    handler = () => undefined;
    const stuck = up(new FileBody(fileOf(endless() as never), 'image/png', undefined), {
      timeoutMs: 300,
    });
    expect((await refusal(stuck)).status).toBe(504);
    const silent = up(new FileBody(fileOf(slow()), 'image/png', undefined), { timeoutMs: 300 });
    expect((await refusal(silent)).status).toBe(504);
  });

  it('that breaks off or is too large is never a whole one to the provider, nor its fault', async () => {
    let whole = false;
    handler = (incoming) => incoming.resume().on('end', () => (whole = true));
    for (const [body, status] of [
      [new FileBody(fileOf(pieces(new Error('hung up'))), 'image/png', undefined), 400],
      [new FileBody(fileOf(pieces()), 'image/png', 1_000_000), 413],
    ] as const) {
      const error = await refusal(up(body));
      expect(error.status).toBe(status);
    }
    await until(() => closed === 2);
    expect([whole, held, calls]).toEqual([false, 0, 2]);
  });
});
