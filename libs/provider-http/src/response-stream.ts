import type { Readable } from 'node:stream';
import { ResponseTooLarge } from './read-body.js';

export interface StreamOptions {
  mostBytes: number | undefined;
  /** Ends it, whether it is read or not. */
  signal: AbortSignal;
  /** Makes of what it broke off with what its reader gets. */
  failure: (error: unknown, bytes: number) => Error;
  /** Once, when it has ended: with what it broke off with, unless its reader left or its call was given up. */
  ended: (broken?: Error) => void;
}

/** The body of an answer that is handed on as it comes. Whoever has it reads it to its end, or lets go of it by `return()`. */
export function responseStream(
  body: Readable,
  { mostBytes = Infinity, signal, failure, ended }: StreamOptions,
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
        if (bytes > mostBytes) throw new ResponseTooLarge(mostBytes);
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
