import type { Cancellation } from '../cancellation.js';
import type { Inbox } from './inbox.js';
import type { NatsLink } from './nats-link.js';
import type { Peers } from './peers/peers.js';
import { Kind, type Opened } from '../messages/sealed-message.js';
import { observeStream } from '../observe-stream.js';

// The sender of a stream offers it under its own subject; the reader requests chunk after chunk, so that no more is in flight than it
// reads. The head of a chunk is `more`, `end`, or `error` with its text in the body.
const maxChunkBytes = 256 * 1024;
/** How long a reader may request nothing, or a source send nothing. */
const idleMs = 60_000;

/** The streams that a process offers and reads. */
export class NatsStreams {
  private readonly open = new Set<Promise<void>>();

  constructor(
    private readonly link: NatsLink,
    private readonly inbox: Inbox,
    private readonly peers: Peers,
  ) {}

  /**
   * Offers a stream.
   * @param reader the process that reads it, if known; otherwise the first one that requests a chunk
   * @param done called when the stream has ended for any reason
   * @returns the subject for requesting chunks
   */
  offer(
    body: AsyncIterable<Uint8Array> | Uint8Array,
    cancellation: Cancellation,
    reader?: string,
    done: () => void = () => undefined,
  ): string {
    const offered = new OfferedStream(this.link, this.inbox, this.peers, body, cancellation);
    if (reader !== undefined) offered.follow(reader);
    const ended = offered.ended.finally(() => {
      this.open.delete(ended);
      done();
    });
    this.open.add(ended);
    return offered.subject;
  }

  /** Resolves when all offered streams have ended. */
  async finished(): Promise<void> {
    await Promise.allSettled(this.open);
  }

  /**
   * Reads a stream that another process offers, requesting one chunk ahead.
   * @param cancel called when the reader stops early or the call is cancelled, even while no chunk is requested
   */
  read(
    offered: { subject: string; peer: string },
    cancellation: Cancellation,
    cancel: () => void,
  ): AsyncIterableIterator<Uint8Array> {
    cancellation.onCancel(cancel);
    return observeStream(this.receive(offered, cancellation), {
      ended: (how) => {
        cancellation.offCancel(cancel);
        if (how !== 'complete') cancel();
      },
    });
  }

  private async *receive(
    { subject, peer }: { subject: string; peer: string },
    cancellation: Cancellation,
  ): AsyncGenerator<Uint8Array> {
    const chunks = new Chunks(this.link, this.inbox, this.peers, subject, peer);
    try {
      let next = chunks.ask();
      for (;;) {
        const { head, body } = await orCancelled(next, cancellation);
        if (head === 'end') return;
        if (head === 'error')
          throw new Error(`the stream broke off: ${Buffer.from(body).toString()}`);
        next = chunks.ask();
        yield body;
      }
    } finally {
      chunks.close();
    }
  }
}

/** Requests the chunks of a stream, one at a time. */
class Chunks {
  private readonly reply: string;
  private readonly unwatch: () => void;
  private waiting: { settle: (chunk: Opened) => void; fail: (reason: Error) => void } | undefined;
  private failure: Error | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly link: NatsLink,
    private readonly inbox: Inbox,
    peers: Peers,
    private readonly subject: string,
    peer: string,
  ) {
    this.reply = inbox.expect({
      kinds: [Kind.chunk],
      receive: (chunk) => {
        clearTimeout(this.timer);
        this.waiting?.settle(chunk);
        this.waiting = undefined;
      },
      absent: () => peers.suspect(peer),
    });
    this.unwatch = peers.watch(peer, (reason) => this.fail(reason));
  }

  ask(): Promise<Opened> {
    const asked = new Promise<Opened>((settle, fail) => {
      if (this.failure !== undefined) return fail(this.failure);
      this.waiting = { settle, fail };
      this.timer = setTimeout(() => this.fail(new Error('the stream is silent')), idleMs);
      this.link.publish(Kind.question, { subject: this.subject, reply: this.reply }, { head: '' });
    });
    asked.catch(() => undefined); // requested ahead, and possibly not needed
    return asked;
  }

  close(): void {
    clearTimeout(this.timer);
    this.unwatch();
    this.inbox.forget(this.reply);
  }

  private fail(reason: Error): void {
    clearTimeout(this.timer);
    this.failure = reason;
    this.waiting?.fail(reason);
    this.waiting = undefined;
  }
}

/** An offered stream. It ends with its source, with its call, or when its reader has ended. */
class OfferedStream {
  readonly subject: string;
  readonly ended: Promise<void>;
  private readonly source: AsyncIterableIterator<Uint8Array> | Uint8Array;
  private readonly chunks: AsyncGenerator<Uint8Array>;
  private readonly stopped = (): void => this.stop();
  private readonly settled: (result: Promise<void>) => void;
  private idle: NodeJS.Timeout;
  private unwatch: (() => void) | undefined;
  private isOver = false;
  /** The subject for the next chunk while it is being read. */
  private asked: string | undefined;

  constructor(
    private readonly link: NatsLink,
    private readonly inbox: Inbox,
    private readonly peers: Peers,
    body: AsyncIterable<Uint8Array> | Uint8Array,
    private readonly cancellation: Cancellation,
  ) {
    this.source =
      body instanceof Uint8Array ? body : observeStream(body, { ended: () => undefined });
    this.chunks = chunksOf(this.source);
    let settle: (result: Promise<void>) => void = () => undefined;
    this.ended = new Promise<void>((resolve) => (settle = resolve));
    this.settled = settle;
    this.subject = inbox.expect({
      kinds: [Kind.question],
      receive: ({ sender }, reply) => {
        this.follow(sender);
        if (reply !== undefined && this.asked === undefined) void this.answer(reply);
      },
    });
    this.idle = setTimeout(this.stopped, idleMs);
    cancellation.onCancel(this.stopped);
    if (cancellation.reason !== undefined) this.stop();
  }

  /** Ends the stream when its reader does. */
  follow(reader: string): void {
    if (!this.isOver) this.unwatch ??= this.peers.watch(reader, this.stopped);
  }

  private async answer(reply: string): Promise<void> {
    clearTimeout(this.idle);
    this.asked = reply;
    try {
      const result = (await this.chunks.next()) as IteratorResult<Uint8Array, undefined>;
      const isLast = result.done === true;
      this.send(reply, isLast ? 'end' : 'more', result.value);
      if (isLast) this.stop();
      else if (!this.isOver) this.idle = setTimeout(this.stopped, idleMs);
    } catch (error) {
      this.send(
        reply,
        'error',
        Buffer.from(error instanceof Error ? error.message : String(error)),
      );
      this.stop();
    }
  }

  private send(reply: string, head: string, body?: Uint8Array): void {
    if (this.asked !== reply) return; // it has been notified of the end
    this.asked = undefined;
    this.link.publish(Kind.chunk, { subject: reply }, { head, body });
  }

  private stop(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.idle);
    this.cancellation.offCancel(this.stopped);
    this.unwatch?.();
    this.inbox.forget(this.subject);
    if (this.asked !== undefined) this.send(this.asked, 'error', Buffer.from('it was given up'));
    this.settled(this.release());
  }

  private async release(): Promise<void> {
    await this.chunks.return(undefined).catch(() => undefined); // the source failed, and the reader was notified
    // A generator that never ran has not released its source.
    if (!(this.source instanceof Uint8Array)) await this.source.return?.();
  }
}

async function* chunksOf(body: AsyncIterable<Uint8Array> | Uint8Array): AsyncGenerator<Uint8Array> {
  const pieces = body instanceof Uint8Array ? [body] : body;
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += maxChunkBytes)
      yield piece.subarray(at, at + maxChunkBytes);
}

/** The sender of a cancelled stream does not answer requests. */
function orCancelled<T>(work: Promise<T>, cancellation: Cancellation): Promise<T> {
  cancellation.throwIfCancelled();
  return new Promise((settle, fail) => {
    cancellation.onCancel(fail);
    work.then(settle, fail).finally(() => cancellation.offCancel(fail));
  });
}
