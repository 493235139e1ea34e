import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Cancellation } from './cancellation.js';
import { watched } from './watched.js';

// Who has a stream offers it under a subject of its own; who wants it asks for chunk after chunk, so that no more is in flight
// than somebody reads. First byte of an answer: 0 a chunk follows, 1 the end, 2 the error text follows.
const chunkMark = 0;
const endMark = 1;
const errorMark = 2;
const longestChunk = 256 * 1024;
/** A reader that asks for nothing this long is gone. */
const idleMs = 60_000;

/** The streams a process has on offer. */
export class StreamSender {
  private readonly open = new Set<Promise<void>>();

  constructor(private readonly connection: NatsConnection) {}

  /** Puts a stream on offer. @param done runs when it has ended, for whatever reason. @returns the subject to ask at. */
  offer(
    body: AsyncIterable<Uint8Array> | Uint8Array,
    cancellation: Cancellation,
    done: () => void = () => undefined,
  ): string {
    const subject = createInbox('onefold-stream');
    const ended = this.send(subject, body, cancellation).finally(() => {
      this.open.delete(ended);
      done();
    });
    this.open.add(ended);
    return subject;
  }

  /** Resolves when every stream has ended. */
  async finished(): Promise<void> {
    await Promise.allSettled(this.open);
  }

  private async send(
    subject: string,
    body: AsyncIterable<Uint8Array> | Uint8Array,
    cancellation: Cancellation,
  ): Promise<void> {
    const source = body instanceof Uint8Array ? body : watched(body, { ended: () => undefined });
    const chunks = chunksOf(source);
    const asked = this.connection.subscribe(subject);
    const stop = () => asked.unsubscribe();
    let idle = setTimeout(stop, idleMs);
    cancellation.onCancel(stop);
    if (cancellation.reason !== undefined) stop();
    try {
      for await (const question of asked) {
        clearTimeout(idle);
        if (!(await answer(question, chunks))) break;
        idle = setTimeout(stop, idleMs);
      }
    } finally {
      clearTimeout(idle);
      cancellation.offCancel(stop);
      asked.unsubscribe();
      await chunks.return(undefined);
      // A generator that never ran has not let go of its source.
      if (!(source instanceof Uint8Array)) await source.return?.();
    }
  }
}

/** @returns whether there is more. */
async function answer(question: Msg, chunks: AsyncGenerator<Uint8Array>): Promise<boolean> {
  try {
    const { value, done } = (await chunks.next()) as IteratorResult<Uint8Array, undefined>;
    question.respond(
      value === undefined ? Buffer.of(endMark) : Buffer.concat([Buffer.of(chunkMark), value]),
    );
    return !done;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    question.respond(Buffer.concat([Buffer.of(errorMark), Buffer.from(text)]));
    return false;
  }
}

async function* chunksOf(body: AsyncIterable<Uint8Array> | Uint8Array): AsyncGenerator<Uint8Array> {
  const pieces = body instanceof Uint8Array ? [body] : body;
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += longestChunk)
      yield piece.subarray(at, at + longestChunk);
}

/**
 * The chunks of a stream on offer, asked for one ahead.
 * @param cancel runs when the reader stops early, or the call is given up: also while nobody asks for a chunk.
 */
export function receiveStream(
  connection: NatsConnection,
  subject: string,
  cancellation: Cancellation,
  cancel: () => void,
): AsyncIterableIterator<Uint8Array> {
  cancellation.onCancel(cancel);
  return watched(receive(connection, subject, cancellation), {
    ended: (how) => {
      cancellation.offCancel(cancel);
      if (how !== 'complete') cancel();
    },
  });
}

async function* receive(
  connection: NatsConnection,
  subject: string,
  cancellation: Cancellation,
): AsyncGenerator<Uint8Array> {
  const ask = () => connection.request(subject, undefined, { timeout: idleMs });
  let next = ask();
  try {
    for (;;) {
      const { data } = await orCancelled(next, cancellation);
      const [mark] = data;
      const rest = data.subarray(1);
      if (mark === endMark) return;
      if (mark === errorMark)
        throw new Error(`the stream broke off: ${Buffer.from(rest).toString()}`);
      next = ask();
      yield rest;
    }
  } finally {
    next.catch(() => undefined); // asked ahead and not needed
  }
}

/** The sender of a stream that was given up answers no more questions. */
function orCancelled<T>(work: Promise<T>, cancellation: Cancellation): Promise<T> {
  cancellation.throwIfCancelled();
  return new Promise((settle, fail) => {
    cancellation.onCancel(fail);
    work.then(settle, fail).finally(() => cancellation.offCancel(fail));
  });
}
