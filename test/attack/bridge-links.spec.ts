import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  AgentLink,
  type AgentRequest,
  type AgentResponse,
  maxStreams,
  maxUnreadBodyBytes,
  ServerLink,
  windowBytes,
} from '#bridge';
import { decodeFrame, encodeFrame, FrameKind } from '../../libs/bridge/src/frames.js';
import { FakeSocket, hostileFrames } from './hostile-frames.js';

const request = {
  method: 'POST',
  url: 'http://host/',
  headers: {},
  hasBody: false,
  timeoutMs: 1_000,
};
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const sockets: FakeSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

function openSocket(): FakeSocket {
  const socket = new FakeSocket();
  sockets.push(socket);
  return socket;
}

/** State of one stream after some frames (libs/bridge/README.md). */
class StreamModel {
  hasHead = false;
  isReceived = false;
  isReset = false;
  data = 0;
  credit = 0;
}

/** The protocol, by which a peer may send a frame or not. It knows no more than the peer. */
class PeerModel {
  private readonly streams = new Map<number, StreamModel>();

  /** @param opens true for the peer whose heads begin streams */
  constructor(
    private readonly socket: FakeSocket,
    private readonly opens: boolean,
    private last: number,
  ) {
    for (let id = 1; id <= last; id += 1) this.streams.set(id, new StreamModel());
  }

  /** @returns whether the frame breaks the protocol; `undefined` where the link may have ended the stream by itself */
  breaks(bytes: Buffer): boolean | undefined {
    let frame;
    try {
      frame = decodeFrame(bytes);
    } catch {
      return true;
    }
    const { kind, stream: id, content } = frame;
    if (kind === FrameKind.message) return !isObject(content);
    const stream = this.streams.get(id);
    if (stream === undefined) return this.begins(kind, id, content);
    const isOver = stream.isReset || (stream.isReceived && this.hasSent(id));
    if (this.socket.reset.has(id) || isOver) return undefined;
    return this.changes(stream, kind, content, id);
  }

  /** The requests of the gateway have no bodies, so that each has been sent at once. */
  private hasSent(id: number): boolean {
    return !this.opens || this.socket.ended.has(id);
  }

  private begins(kind: FrameKind, id: number, content: Buffer): boolean {
    if (id !== 0 && id <= this.last) return false;
    if (!this.opens || kind !== FrameKind.head || id === 0 || !isObject(content)) return true;
    const stream = new StreamModel();
    stream.hasHead = true;
    this.streams.set(id, stream);
    this.last = id;
    return false;
  }

  private changes(stream: StreamModel, kind: FrameKind, content: Buffer, id: number): boolean {
    switch (kind) {
      case FrameKind.head: {
        const isBroken = stream.hasHead || !isObject(content);
        stream.hasHead = true;
        return isBroken;
      }
      case FrameKind.data:
        stream.data += content.length;
        return (
          !stream.hasHead ||
          stream.isReceived ||
          content.length === 0 ||
          stream.data > windowBytes + (this.socket.granted.get(id) ?? 0)
        );
      case FrameKind.end: {
        const isBroken = !stream.hasHead || stream.isReceived;
        stream.isReceived = true;
        return isBroken;
      }
      case FrameKind.credit:
        if (content.length !== 4) return true;
        stream.credit += content.readUInt32BE(0);
        return stream.credit > (this.socket.sent.get(id) ?? 0); // more than the window, which was full
      default:
        stream.isReset = true;
        return false;
    }
  }
}

function isObject(content: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(content.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Sends frames one by one, and compares the link with the model after each. */
async function sendAll(
  link: AgentLink | ServerLink,
  socket: FakeSocket,
  model: PeerModel,
  frames: readonly Buffer[],
): Promise<void> {
  for (const [at, frame] of frames.entries()) {
    const isBroken = model.breaks(frame);
    socket.receive(frame);
    const isOpen = link.isOpen;
    if (isBroken !== undefined && isOpen === isBroken)
      throw new Error(`frame ${at} ${isBroken ? 'was taken' : 'ended the link'}`);
    if (link.unreadBytes > maxUnreadBodyBytes) throw new Error(`${link.unreadBytes} bytes unread`);
    await settled();
    if (!isOpen) return;
  }
}

/** Readers of a response: to the end, not at all, and up to the first piece. */
const readers: ((body: AsyncIterable<Uint8Array>) => Promise<unknown>)[] = [
  readAll,
  async () => undefined,
  async (body) => {
    for await (const piece of body) return piece;
    return undefined;
  },
  readAll,
];

async function readAll(body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of body) bytes += piece.length;
  return bytes;
}

it('a gateway takes from an agent what the protocol allows, ends the link at anything else, and keeps nothing of it', async () => {
  const bystander = openSocket();
  const other = new AgentLink(bystander.asWebSocket);
  await fc.assert(
    fc.asyncProperty(hostileFrames, async (frames) => {
      const socket = openSocket();
      const link = new AgentLink(socket.asWebSocket);
      const sent = readers.map((read) =>
        link.send(request, undefined, new AbortController().signal).then(({ body }) => read(body)),
      );
      const ends = Promise.allSettled(sent);
      await settled();
      await sendAll(link, socket, new PeerModel(socket, false, readers.length), frames);
      socket.terminate();
      await link.ended;
      expect((await ends).map(({ status }) => typeof status)).toHaveLength(readers.length);
      expect(link.requests).toBe(0);
    }),
    { numRuns: 300 },
  );
  const answered = other.send(request, undefined, new AbortController().signal);
  bystander.receive(encodeFrame(FrameKind.head, 1, Buffer.from('{"status":204,"headers":{}}')));
  expect(await answered).toMatchObject({ status: 204 });
});

it('an agent takes from a server what the protocol allows, ends the link at anything else, and keeps nothing of it', async () => {
  await fc.assert(
    fc.asyncProperty(hostileFrames, async (frames) => {
      const socket = openSocket();
      let running = 0;
      const link = new ServerLink(socket.asWebSocket, async (one) => {
        running += 1;
        return await answer(one).finally(() => (running -= 1));
      });
      await sendAll(link, socket, new PeerModel(socket, true, 0), frames);
      socket.terminate();
      await link.ended;
      await settled();
      expect([running, link.requests, link.unreadBytes]).toEqual([0, 0, 0]);
    }),
    { numRuns: 300 },
  );
});

/** A handler of an agent, by the name in the path. */
async function answer({ url, body, signal }: AgentRequest): Promise<AgentResponse> {
  const name = new URL(url).pathname;
  if (name === '/throw') throw new Error('the handler has failed');
  if (name === '/read' && body !== undefined) await readAll(body);
  if (name === '/never')
    await new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  return { status: 200, headers: {}, body: name === '/answer' ? Buffer.alloc(400_000) : undefined };
}

describe('streams that nobody reads', () => {
  /** Fills the windows of all streams of a link. */
  function fill(socket: FakeSocket): void {
    for (let id = 1; id <= maxStreams; id += 1)
      for (let bytes = 0; bytes < windowBytes; bytes += 65_536)
        socket.receive(encodeFrame(FrameKind.data, id, Buffer.alloc(65_536)));
  }

  it('hold no more than 32 MiB of a gateway: those that bring more fail, and the link goes on', async () => {
    const socket = openSocket();
    const link = new AgentLink(socket.asWebSocket);
    const { signal } = new AbortController();
    const responses = Promise.all(
      Array.from({ length: maxStreams }, () => link.send(request, undefined, signal)),
    );
    for (let id = 1; id <= maxStreams; id += 1)
      socket.receive(encodeFrame(FrameKind.head, id, Buffer.from('{"status":200,"headers":{}}')));
    const bodies = (await responses).map(({ body }) => body);
    fill(socket);
    expect(link.isOpen).toBe(true);
    expect(link.unreadBytes).toBe(maxUnreadBodyBytes);
    expect(link.requests).toBe(maxUnreadBodyBytes / windowBytes);
    await expect(readAll(bodies.at(-1) as AsyncIterable<Uint8Array>)).rejects.toThrow(
      'wait for their readers',
    );
    for (const body of bodies) await body[Symbol.asyncIterator]().return?.();
    expect([link.unreadBytes, link.requests]).toEqual([0, 0]);
  });

  it('hold no more than 32 MiB of an agent', async () => {
    const socket = openSocket();
    const link = new ServerLink(socket.asWebSocket, answer);
    const head = { method: 'POST', url: 'http://host/never', headers: {}, has_body: true };
    for (let id = 1; id <= maxStreams; id += 1)
      socket.receive(encodeFrame(FrameKind.head, id, Buffer.from(JSON.stringify(head))));
    fill(socket);
    expect(link.isOpen).toBe(true);
    expect(link.unreadBytes).toBe(maxUnreadBodyBytes);
    socket.terminate();
    await link.ended;
    await settled();
    expect([link.unreadBytes, link.requests]).toEqual([0, 0]);
  });
});
