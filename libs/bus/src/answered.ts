import type { Caller } from '#contract';
import type { Bytes } from './bus.js';
import type { Cancellation } from './cancellation.js';
import { watched } from './watched.js';

/** How a call of the API ended, for who counts what ran. */
export interface Answered {
  /** Null on public operations. */
  caller: Caller | null;
  status: number;
  /** Bytes of the request's body. */
  inBytes: number;
  /** Bytes of the answer's body. */
  outBytes: number;
  /** Microseconds it took to write the answer as text. */
  cpuTime: number;
}

/** Tells the size of a body, of bytes at once, of a stream when it has ended; and the error that it broke off with. */
export function measured(
  body: Bytes | undefined,
  tell: (bytes: number, error?: unknown) => void,
): typeof body {
  if (body === undefined || body instanceof Uint8Array) {
    tell(body?.length ?? 0);
    return body;
  }
  let bytes = 0;
  return watched(body, {
    passed: (more) => (bytes += more),
    ended: (how) => (typeof how === 'object' ? tell(bytes, how.error) : tell(bytes)),
  });
}

/** Counts the bytes of a stream as they are read, until the call is given up. */
export async function* counted(
  body: Bytes,
  cancellation: Cancellation,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    cancellation.throwIfCancelled();
    count(chunk.length);
    yield chunk;
  }
}
