import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import type { WebSocket } from 'ws';
import { windowBytes } from '#bridge';
import { encodeFrame, FrameKind } from '../../libs/bridge/src/frames.js';

/** A WebSocket whose other end is a test. */
export class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  /** Bytes that the peer was allowed to send, by stream. */
  readonly granted = new Map<number, number>();
  /** Bytes of bodies that the link has sent, by stream. */
  readonly sent = new Map<number, number>();
  /** Streams that the link has reset, and those whose bodies it has sent to their end. */
  readonly reset = new Set<number>();
  readonly ended = new Set<number>();

  get asWebSocket(): WebSocket {
    return this as unknown as WebSocket;
  }

  send(frame: Buffer, _options: object, done: () => void): void {
    const [kind, stream] = [frame.readUInt8(0), frame.readUInt32BE(1)];
    if (kind === FrameKind.reset) this.reset.add(stream);
    if (kind === FrameKind.end) this.ended.add(stream);
    if (kind === FrameKind.data) add(this.sent, stream, frame.length - 5);
    if (kind === FrameKind.credit) add(this.granted, stream, frame.readUInt32BE(5));
    queueMicrotask(done);
  }

  receive(frame: Buffer): void {
    if (this.readyState === this.OPEN) this.emit('message', Buffer.from(frame), true);
  }

  ping(): void {}

  close(code: number, reason: Buffer): void {
    if (this.readyState !== this.OPEN) return;
    this.readyState = 3;
    queueMicrotask(() => this.emit('close', code, reason));
  }

  terminate(): void {
    this.close(1006, Buffer.alloc(0));
  }
}

function add(sums: Map<number, number>, key: number, more: number): void {
  sums.set(key, (sums.get(key) ?? 0) + more);
}

const heads = [
  { status: 200, headers: {} },
  { status: 200, headers: { 'content-length': '3', host: 'b' } },
  { status: 99, headers: null },
  { failure: { reason: 'refused', message: 7 } },
  { failure: null, status: 600 },
  ...['read', 'ignore', 'never', 'throw', 'answer'].flatMap((name) => [
    { method: 'POST', url: `http://host/${name}`, headers: { host: 'b' }, has_body: true },
    { method: 'GET', url: `http://host/${name}`, has_body: false, timeout_ms: 'x' },
  ]),
  { method: 'get', url: 7, secrets: [{}] },
  { headers: ['a'], status: '200' },
].map((head) => JSON.stringify(head));

const texts = (...some: string[]) => fc.constantFrom(...some.map((text) => Buffer.from(text)));
const sizes = (...some: number[]) =>
  fc.constantFrom(...some.map((size) => Buffer.alloc(size, 'x')));
const credits = [0, 1, 1_000, windowBytes, windowBytes + 1, 0xffff_ffff].map((bytes) => {
  const content = Buffer.alloc(4);
  content.writeUInt32BE(bytes);
  return content;
});
const stream = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 5, 6, 0xffff_ffff) },
);
const frame = (kind: number, content: fc.Arbitrary<Buffer>) =>
  fc.tuple(stream, content).map(([id, bytes]) => encodeFrame(kind as FrameKind, id, bytes));

/** Frames of a peer that sends what it likes, of which most are valid, so that sequences of them are long. */
export const hostileFrames = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: frame(FrameKind.head, texts(...heads)) },
    { weight: 1, arbitrary: frame(FrameKind.head, texts('[]', '{', 'null', '')) },
    { weight: 20, arbitrary: frame(FrameKind.data, sizes(1, 100, 9_000, 65_536)) },
    { weight: 1, arbitrary: frame(FrameKind.data, sizes(0, 65_537)) },
    { weight: 5, arbitrary: frame(FrameKind.end, sizes(0)) },
    { weight: 5, arbitrary: frame(FrameKind.credit, fc.constantFrom(...credits)) },
    { weight: 2, arbitrary: frame(FrameKind.reset, sizes(0, 9, 1_024)) },
    { weight: 2, arbitrary: frame(FrameKind.message, texts('{"type":"stats","stats":7}', '{}')) },
    { weight: 1, arbitrary: frame(7, sizes(0, 3, 1_025)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) },
  ),
  { maxLength: 60 },
);
