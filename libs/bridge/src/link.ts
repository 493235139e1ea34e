import type { RawData, WebSocket } from 'ws';
import { BridgeFailure } from './failure.js';
import {
  decodeCredit,
  decodeFrame,
  decodeJson,
  encodeCredit,
  encodeFrame,
  encodeReset,
  type Frame,
  FrameKind,
  MalformedFrame,
} from './frames.js';
import {
  maxHeadBytes,
  maxSilenceMs,
  maxUnreadBodyBytes,
  maxUnreadBytes,
  maxWaitingBytes,
  pingIntervalMs,
} from './limits.js';
import { type Stream, type StreamOwner } from './stream.js';

export type LinkMessage = Record<string, unknown>;

/** WebSocket close codes of ours. */
export const closeCodes = { protocolError: 1002, leaving: 1001, refused: 4001 } as const;

/**
 * Many streams over one WebSocket, each with credit in both directions. Both ends check every frame; whatever is not a valid frame
 * of this protocol closes the connection. Neither end trusts the other to stay within its limits.
 */
export abstract class Link implements StreamOwner {
  /** Resolves when the connection has ended, with the reason. */
  readonly ended: Promise<string>;
  /** Milliseconds between a ping and its answer. */
  responseMs: number | undefined;
  protected readonly streams = new Map<number, Stream>();
  private readonly waiting = new Set<() => void>();
  private readonly listeners = new Set<(message: LinkMessage) => void>();
  private readonly timer: NodeJS.Timeout;
  private heardAt = performance.now();
  private pingedAt = 0;
  private reason: string | undefined;
  private isEnded = false;
  private held = 0;

  constructor(private readonly socket: WebSocket) {
    socket.binaryType = 'nodebuffer';
    let settle: (reason: string) => void = () => undefined;
    this.ended = new Promise((resolve) => (settle = resolve));
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('ping', () => {
      this.hear();
      this.endUnread(); // the library has answered
    });
    socket.on('pong', () => {
      this.hear();
      this.responseMs = performance.now() - this.pingedAt;
    });
    socket.on('error', (error) => (this.reason ??= error.message));
    socket.once('close', (code, text) => {
      this.end(this.reason ?? (text.toString() || `the connection was closed (${code})`));
      settle(this.reason as string);
    });
    this.timer = setInterval(() => this.keepAlive(), pingIntervalMs).unref();
    this.ping();
  }

  get isOpen(): boolean {
    return !this.isEnded && this.socket.readyState === this.socket.OPEN;
  }

  /** Number of requests that are not over. */
  get requests(): number {
    return this.streams.size;
  }

  /** Bytes of bodies that wait for their readers. */
  get unreadBytes(): number {
    return this.held;
  }

  /** Listens to messages that concern the connection. @returns a function that stops */
  onMessage(listener: (message: LinkMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Sends a message that concerns the connection. */
  tell(message: LinkMessage): void {
    this.sendFrame(FrameKind.message, 0, Buffer.from(JSON.stringify(message)));
  }

  /** Closes the connection with a word for the peer. Requests that are under way fail. */
  close(code: number, reason: string): void {
    this.reason ??= reason;
    this.end(reason);
    this.socket.close(code, Buffer.from(reason).subarray(0, 120));
    // A peer that does not answer the closing handshake is not waited for.
    setTimeout(() => this.socket.terminate(), 500).unref();
  }

  sendFrame(kind: FrameKind, stream: number, content?: Uint8Array): void {
    this.write(encodeFrame(kind, stream, content));
  }

  sendHead(stream: number, head: object): void {
    const content = Buffer.from(JSON.stringify(head));
    if (content.length > maxHeadBytes)
      throw new BridgeFailure(
        'invalid',
        `method, address and headers have ${content.length} bytes, and a bridge carries ${maxHeadBytes}`,
        false,
      );
    this.sendFrame(FrameKind.head, stream, content);
  }

  grant(stream: number, bytes: number): void {
    this.write(encodeCredit(stream, bytes));
  }

  reset(stream: number, reason: string): void {
    this.write(encodeReset(stream, reason));
  }

  hold(bytes: number): void {
    this.held += bytes;
  }

  async ready(): Promise<void> {
    while (this.socket.bufferedAmount > maxWaitingBytes && !this.isEnded)
      await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  forget(stream: number): void {
    this.streams.delete(stream);
  }

  /** The peer has begun a stream. @throws MalformedFrame if it must not */
  protected abstract begin(id: number, head: Record<string, unknown>): void;
  /** True for a stream that was there before. */
  protected abstract isPast(id: number): boolean;

  private receive(data: RawData, isBinary: boolean): void {
    if (this.isEnded) return;
    this.hear();
    try {
      if (!isBinary) throw new MalformedFrame('a message of text');
      this.accept(decodeFrame(data as Buffer));
    } catch (error) {
      if (!(error instanceof MalformedFrame)) throw error;
      this.close(closeCodes.protocolError, `the peer sent ${error.message}`);
    }
  }

  private accept(frame: Frame): void {
    const { kind, stream: id } = frame;
    if (kind === FrameKind.message) {
      const message = decodeJson(frame);
      for (const listener of [...this.listeners]) listener(message);
      return;
    }
    const stream = this.streams.get(id);
    if (stream === undefined) {
      // Frames that were under way when the stream ended here.
      if (this.isPast(id)) return;
      if (kind !== FrameKind.head) throw new MalformedFrame(`a frame of the unknown stream ${id}`);
      this.begin(id, decodeJson(frame));
      return;
    }
    if (!this.deliver(stream, frame)) throw new MalformedFrame(`more than it may in stream ${id}`);
  }

  private deliver(stream: Stream, frame: Frame): boolean {
    switch (frame.kind) {
      case FrameKind.head:
        return stream.receiveHead(decodeJson(frame));
      case FrameKind.data:
        return stream.receiveData(frame.content) && this.limitUnread(stream);
      case FrameKind.end:
        return stream.receiveEnd();
      case FrameKind.credit:
        return stream.receiveCredit(decodeCredit(frame));
      default:
        stream.fail(new BridgeFailure('unreachable', frame.content.toString(), true));
        return true;
    }
  }

  /** The windows of all streams together are larger than what a connection may hold: the stream that brings too much gives way. */
  private limitUnread(stream: Stream): true {
    if (this.held > maxUnreadBodyBytes)
      stream.abort(
        new BridgeFailure(
          'unreachable',
          `more than ${maxUnreadBodyBytes} bytes of the connection wait for their readers`,
          true,
        ),
      );
    return true;
  }

  private write(frame: Buffer): void {
    if (!this.isOpen) return;
    this.socket.send(frame, { binary: true }, () => this.drain());
    this.endUnread();
  }

  private endUnread(): void {
    if (this.socket.bufferedAmount <= maxUnreadBytes) return;
    this.reason ??= 'the peer reads nothing';
    this.socket.terminate();
  }

  private drain(): void {
    if (this.socket.bufferedAmount > maxWaitingBytes / 2 && !this.isEnded) return;
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }

  private end(reason: string): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.reason = reason;
    clearInterval(this.timer);
    for (const stream of [...this.streams.values()])
      stream.fail(new BridgeFailure('gone', `the agent disconnected: ${reason}`, true));
    this.drain();
  }

  private hear(): void {
    this.heardAt = performance.now();
  }

  private keepAlive(): void {
    if (performance.now() - this.heardAt > maxSilenceMs) {
      this.reason ??= `nothing was heard for ${maxSilenceMs / 1000} s`;
      this.socket.terminate();
    } else this.ping();
  }

  private ping(): void {
    if (!this.isOpen) return;
    this.pingedAt = performance.now();
    this.socket.ping();
  }
}
