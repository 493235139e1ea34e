import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Cancellation } from './cancellation.js';

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
    const ended = this.send(subject, chunksOf(body), cancellation).finally(() => {
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
    chunks: AsyncGenerator<Uint8Array>,
    cancellation: Cancellation,
  ): Promise<void> {
    const asked = this.connection.subscribe(subject);
    const stop = () => asked.unsubscribe();
    let idle = setTimeout(stop, idleMs);
    cancellation.onCancel(stop);
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

/** The chunks of a stream on offer, asked for one ahead. @param cancel runs when the reader stops early. */
export async function* receiveStream(
  connection: NatsConnection,
  subject: string,
  cancellation: Cancellation,
  cancel: () => void,
): AsyncGenerator<Uint8Array> {
  const ask = () => connection.request(subject, undefined, { timeout: idleMs });
  let next = ask();
  let complete = false;
  try {
    for (;;) {
      const { data } = await next;
      cancellation.throwIfCancelled();
      const [mark] = data;
      const rest = data.subarray(1);
      if (mark !== chunkMark) {
        complete = true;
        if (mark === errorMark)
          throw new Error(`the stream broke off: ${Buffer.from(rest).toString()}`);
        return;
      }
      next = ask();
      yield rest;
    }
  } finally {
    next.catch(() => undefined); // asked ahead and not needed
    if (!complete) cancel();
  }
}
