import type { CallAborts } from '#contract';
import type { Readable } from 'node:stream';
import { ResponseTooLarge } from '#egress';

export interface StreamOptions {
  maxBytes: number | undefined;
  /** Ends the stream, whether it is read or not. */
  signal: CallAborts;
  /** Turns the error that ended the stream early into the one that its reader gets. */
  failure: (error: unknown, bytes: number) => Error;
  /** Called once at the end, with the error if the provider ended the stream early. */
  ended: (broken?: Error) => void;
}

/** Body of a response that is passed on as it arrives. Its reader reads it to the end, or ends it with `return()`. */
export function responseStream(
  body: Readable,
  { maxBytes = Infinity, signal, failure, ended }: StreamOptions,
): AsyncIterableIterator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let bytes = 0;
  let over = false;
  const end = (broken?: Error) => {
    if (over) return;
    over = true;
    signal.removeEventListener('abort', giveUp);
    body.destroy();
    ended(broken);
  };
  const giveUp = () => end();
  body.on('error', () => undefined); // its reader hears of it
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        const result = await chunks.next();
        if (result.done === true) {
          if (signal.aborted) throw signal.reason as Error; // destroyed, it looks as if it had ended
          end();
          return { done: true, value: undefined };
        }
        bytes += result.value.length;
        if (bytes > maxBytes) throw new ResponseTooLarge(maxBytes);
        return result;
      } catch (error) {
        if (over) throw error;
        const broken = failure(error, bytes);
        end(broken);
        throw broken;
      }
    },

    async return() {
      end();
      return { done: true, value: undefined };
    },
  };
}
