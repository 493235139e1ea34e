import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { encodeCredit, encodeFrame, encodeReset, FrameKind } from './frames.js';
import {
  AgentLink,
  type AgentRequest,
  type AgentResponse,
  BridgeFailure,
  fingerprint,
  type HandleRequest,
  makeNonce,
  maxFrameBytes,
  maxStreams,
  readHello,
  readStats,
  type RequestHead,
  ServerLink,
  windowBytes,
  writeHello,
} from './index.js';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** The two ends of a WebSocket: the server's, and the agent's. */
async function socketPair(): Promise<[WebSocket, WebSocket]> {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const agent = new WebSocket(`ws://127.0.0.1:${port}`, { maxPayload: maxFrameBytes });
  const [socket] = (await accepted) as [WebSocket];
  if (agent.readyState !== agent.OPEN) await once(agent, 'open');
  cleanups.push(() => {
    agent.terminate();
    socket.terminate();
    server.close();
  });
  return [socket, agent];
}

async function connect(handle: HandleRequest, onRefused?: () => void) {
  const [socket, agentSocket] = await socketPair();
  const agent = new ServerLink(agentSocket, handle, onRefused);
  return { link: new AgentLink(socket), agent, socket, agentSocket };
}

/** An agent, and the socket of a server that sends what it likes. */
async function connectLiar(handle: HandleRequest, onRefused?: () => void) {
  const [socket, agentSocket] = await socketPair();
  return { socket, agent: new ServerLink(agentSocket, handle, onRefused) };
}

function head(changes: Partial<RequestHead> = {}): RequestHead {
  return {
    method: 'GET',
    url: 'https://jira.internal:8443/rest/issue?id=1',
    hasBody: false,
    headers: { accept: 'application/json' },
    timeoutMs: 5_000,
    ...changes,
  };
}

const never = () => new AbortController().signal;
const text = (status: number, body: string): AgentResponse => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from(body),
});

async function read(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await sleep(5);
}

/** Random chunks, and their hash. */
function file(count: number) {
  const hash = createHash('sha256');
  function* chunks() {
    for (let made = 0; made < count; made += 1) {
      const chunk = randomBytes(100_000);
      hash.update(chunk);
      yield chunk;
    }
  }
  return { chunks: Readable.from(chunks()), hash: () => hash.digest('hex') };
}

async function hashOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk);
  return hash.digest('hex');
}

describe('a link to an agent', () => {
  it('carries method, address, headers and body, and the response', async () => {
    const seen: AgentRequest[] = [];
    const { link } = await connect(async (request) => {
      seen.push(request);
      return text(201, `got ${String(await read(request.body ?? Readable.from([])))}`);
    });
    const response = await link.send(
      head({ method: 'POST', headers: { 'X-Trace': 'a', connection: 'close', host: 'b' } }),
      Buffer.from('{"a":1}'),
      never(),
    );
    expect([response.status, response.headers]).toEqual([201, { 'content-type': 'text/plain' }]);
    expect(String(await read(response.body))).toBe('got {"a":1}');
    expect(seen).toMatchObject([{ method: 'POST', url: head().url, timeoutMs: 5_000 }]);
    expect(seen[0]?.headers).toEqual({ 'x-trace': 'a' });
    await until(() => link.requests === 0);
  });

  it('carries as many requests at once as an agent takes, and refuses one more', async () => {
    const { link } = await connect(async ({ url }) => {
      await sleep(20);
      return text(200, url);
    });
    const all = Array.from({ length: maxStreams }, async (_one, index) => {
      const url = `https://jira.internal/${index}`;
      return String(await read((await link.send(head({ url }), undefined, never())).body)) === url;
    });
    const busy = { reason: 'busy', isSent: false };
    await expect(link.send(head(), undefined, never())).rejects.toMatchObject(busy);
    expect(new Set(await Promise.all(all))).toEqual(new Set([true]));
    await until(() => link.requests === 0);
  });

  it('carries files in both directions unchanged', async () => {
    const { link, agent } = await connect(({ body }) =>
      Promise.resolve({ status: 200, headers: {}, body: body as AsyncIterable<Uint8Array> }),
    );
    const sent = file(150);
    const { body } = await link.send(head({ method: 'PUT' }), sent.chunks, never());
    expect(await hashOf(body)).toBe(sent.hash());
    await until(() => link.requests + agent.requests === 0);
  });

  it('takes no more of a file than its reader reads', async () => {
    let made = 0;
    function* endless() {
      for (;;) {
        made += 1;
        yield Buffer.alloc(65_536);
      }
    }
    const { link, agent } = await connect(() =>
      Promise.resolve({ status: 200, headers: {}, body: Readable.from(endless()) }),
    );
    const { body } = await link.send(head(), undefined, never());
    const reader = body[Symbol.asyncIterator]();
    await reader.next();
    await until(() => made * 65_536 >= windowBytes);
    const other = await link.send(head(), undefined, never()); // a whole round trip later
    expect(other.status).toBe(200);
    expect(made).toBeLessThan(100);
    await reader.return?.();
    await other.body[Symbol.asyncIterator]().return?.();
    await until(() => agent.requests === 0);
  });

  it('tells the agent when the caller gives up', async () => {
    const aborted: unknown[] = [];
    const { link, agent } = await connect(
      ({ signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            aborted.push(signal.reason);
            reject(signal.reason as Error);
          }),
        ),
    );
    const caller = new AbortController();
    const sent = link.send(head(), undefined, caller.signal);
    await until(() => agent.requests === 1);
    caller.abort(new Error('hung up'));
    await expect(sent).rejects.toThrow('hung up');
    await until(() => aborted.length === 1 && agent.requests === 0);
  });

  it.each(['refused', 'unreachable', 'late', 'invalid'] as const)(
    'says that a request is %s',
    async (reason) => {
      const { link } = await connect(() =>
        Promise.reject(new BridgeFailure(reason, 'the reason', false, 'ECONNREFUSED')),
      );
      const failure = { reason, message: 'the reason', isSent: false, code: 'ECONNREFUSED' };
      await expect(link.send(head(), undefined, never())).rejects.toMatchObject(failure);
      await until(() => link.requests === 0);
    },
  );

  it('breaks a response off that breaks off at the provider', async () => {
    async function* broken() {
      yield await Promise.resolve(Buffer.from('half'));
      throw new Error('reset by peer');
    }
    const { link } = await connect(() =>
      Promise.resolve({ status: 200, headers: {}, body: broken() }),
    );
    const { body } = await link.send(head(), undefined, never());
    await expect(read(body)).rejects.toThrow('reset by peer');
  });

  it('fails its requests when the connection is lost, and says that they may have been sent', async () => {
    const { link, agent, agentSocket } = await connect(() => new Promise(() => undefined));
    const sent = link.send(head(), undefined, never());
    await until(() => agent.requests === 1);
    agentSocket.terminate();
    await expect(sent).rejects.toMatchObject({ reason: 'gone', isSent: true });
    await link.ended;
    const after = link.send(head(), undefined, never());
    await expect(after).rejects.toMatchObject({ reason: 'gone', isSent: false });
  });

  it('refuses headers that are too large for a frame, and goes on', async () => {
    const { link } = await connect(() => Promise.resolve(text(200, 'ok')));
    const large = head({ headers: { 'x-large': 'x'.repeat(maxFrameBytes) } });
    await expect(link.send(large, undefined, never())).rejects.toMatchObject({ reason: 'invalid' });
    expect((await link.send(head(), undefined, never())).status).toBe(200);
  });
});

describe('an agent whose server lies', () => {
  const requestFrame = (id: number) =>
    encodeFrame(
      FrameKind.head,
      id,
      Buffer.from(JSON.stringify({ method: 'GET', url: 'http://a/' })),
    );

  it('refuses ten thousand requests at once beyond its limit, and counts them', async () => {
    let [refused, handled] = [0, 0];
    const { socket, agent } = await connectLiar(
      () => {
        handled += 1;
        return new Promise(() => undefined);
      },
      () => (refused += 1),
    );
    for (let id = 1; id <= 10_000; id += 1) socket.send(requestFrame(id));
    await until(() => handled + refused === 10_000);
    expect([handled, agent.isOpen]).toEqual([maxStreams, true]);
  });

  it.each<[string, Buffer]>([
    ['text', Buffer.from('hello')],
    ['an unknown kind', encodeFrame(99 as FrameKind, 1)],
    ['a request that is not JSON', encodeFrame(FrameKind.head, 1, Buffer.from('{'))],
    ['a request that is a list', encodeFrame(FrameKind.head, 1, Buffer.from('[]'))],
    ['a body of no request', encodeFrame(FrameKind.data, 7, Buffer.from('x'))],
    ['an end with content', encodeFrame(FrameKind.end, 1, Buffer.from('x'))],
    ['a request without a number', requestFrame(0)],
    ['nothing', Buffer.alloc(0)],
  ])('ends the connection at %s', async (_what, frame) => {
    const { socket, agent } = await connectLiar(() => Promise.resolve(text(200, 'ok')));
    socket.send(frame);
    expect(await agent.ended).toMatch(/the peer sent/);
  });

  it('ends the connection at a frame that is too large, without reading it', async () => {
    const { socket, agent } = await connectLiar(() => Promise.resolve(text(200, 'ok')));
    socket.send(Buffer.alloc(maxFrameBytes * 100));
    expect(await agent.ended).toMatch(/Max payload/);
  });

  it.each<[string, (id: number) => Buffer[]]>([
    [
      'more of a body than it asked for',
      (id) =>
        Array.from({ length: 6 }, () => encodeFrame(FrameKind.data, id, Buffer.alloc(65_536))),
    ],
    ['a second request in a stream', (id) => [requestFrame(id)]],
    ['more credit than a window', (id) => [encodeCredit(id, windowBytes)]],
    [
      'a body after its end',
      (id) => [FrameKind.end, FrameKind.data].map((kind) => encodeFrame(kind, id)),
    ],
  ])('ends the connection at %s', async (_what, framesOf) => {
    const { socket, agent } = await connectLiar(() => new Promise(() => undefined));
    socket.send(requestFrame(1));
    for (const frame of framesOf(1)) socket.send(frame);
    expect(await agent.ended).toMatch(/stream 1/);
  });

  it('refuses requests without a valid method or address', async () => {
    const { socket, agent } = await connectLiar(() => Promise.resolve(text(200, 'ok')));
    const replies: string[] = [];
    socket.on('message', (data: Buffer) => replies.push(data.subarray(5).toString()));
    const bad = [{ method: 'get', url: 'http://a/' }, { method: 'GET', url: '/a' }, {}];
    for (const [at, one] of bad.entries())
      socket.send(encodeFrame(FrameKind.head, at + 1, Buffer.from(JSON.stringify(one))));
    await until(() => replies.filter((one) => one.includes('invalid')).length === 3);
    socket.send(encodeReset(2, 'late'));
    expect(agent.isOpen).toBe(true);
  });
});

describe('a server whose agent lies', () => {
  it('ends the connection when the agent sends requests', async () => {
    const { link, agentSocket } = await connect(() => Promise.resolve(text(200, 'ok')));
    agentSocket.send(encodeFrame(FrameKind.head, 1, Buffer.from('{"status":200}')));
    expect(await link.ended).toMatch(/only the server sends requests/);
  });

  const response = (id: number) =>
    encodeFrame(FrameKind.head, id, Buffer.from('{"status":200,"headers":{}}'));

  it.each<[string, Buffer[]]>([
    ['nothing', [Buffer.alloc(0)]],
    ['random bytes', [Buffer.from('ff00ff00ff00', 'hex')]],
    ['an unknown kind', [encodeFrame(99 as FrameKind, 1)]],
    ['a response that is not JSON', [encodeFrame(FrameKind.head, 1, Buffer.from('{'))]],
    ['a response to no request', [response(7)]],
    ['a body of no request', [encodeFrame(FrameKind.data, 7, Buffer.from('x'))]],
    ['a second response', [response(1), response(1)]],
    ['more credit than a window', [encodeCredit(1, windowBytes)]],
    [
      'more of a body than was asked for',
      [
        response(1),
        ...Array.from({ length: 6 }, () => encodeFrame(FrameKind.data, 1, Buffer.alloc(65_536))),
      ],
    ],
    ['a frame that is too large', [Buffer.alloc(maxFrameBytes * 100)]],
  ])('ends the connection of that agent alone at %s', async (_what, frames) => {
    const liar = await connect(() => new Promise(() => undefined));
    const honest = await connect(() => Promise.resolve(text(200, 'ok')));
    const answer = liar.link.send(head(), undefined, never()).then(({ body }) => read(body));
    const failed = expect(answer).rejects.toMatchObject({ reason: 'gone', isSent: true });
    await until(() => liar.agent.requests === 1);
    for (const frame of frames) liar.agentSocket.send(frame);
    await failed;
    expect(await liar.link.ended).toMatch(/the peer sent|Max payload/);
    const { body } = await honest.link.send(head(), undefined, never());
    expect([String(await read(body)), honest.link.isOpen]).toEqual(['ok', true]);
  });

  it('does not take a status that is none', async () => {
    const { link } = await connect(() => Promise.resolve({ ...text(200, ''), status: 1_000 }));
    await expect(link.send(head(), undefined, never())).rejects.toThrow('no valid status');
  });
});

describe('the handshake', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const facts = {
    version: '1',
    host_name: 'h\0st',
    started_at: 'now',
    allow_addresses: ['GET https://a'],
    vault: {},
  };
  const hello = (nonce: string, credential: string) =>
    writeHello({ protocol: 1, instance: 'i', facts }, { privateKey, nonce, credential });

  it('proves that the agent has its key, for one challenge and one credential', () => {
    const nonce = makeNonce();
    const message = hello(nonce, 'c');
    const found = readHello(message, { nonce, credential: 'c' });
    expect(found).toMatchObject({ protocol: 1, instance: 'i', facts: { host_name: 'hst' } });
    expect(fingerprint(found.key)).toMatch(/^[\w-]{43}$/);
    for (const other of [
      { nonce: makeNonce(), credential: 'c' },
      { nonce, credential: 'd' },
    ])
      expect(() => readHello(message, other)).toThrow('did not prove');
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
    expect(() => readHello({ ...message, key }, { nonce, credential: 'c' })).toThrow();
    expect(() => readHello({}, { nonce, credential: 'c' })).toThrow('who it is');
  });

  it('reads counters of an agent that lies', () => {
    expect(readStats({ requests: -1, failures: 'x', in_bytes: 1e300, out_bytes: 5 })).toEqual({
      requests: 0,
      failures: 0,
      in_bytes: 0,
      out_bytes: 5,
    });
  });
});
