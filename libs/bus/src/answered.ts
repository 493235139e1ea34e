import type { Caller } from '#contract';
import type { Bytes } from './bus.js';

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

/** Tells the size of a body: of bytes at once, of a stream when it has ended. */
export function measured(body: Bytes | undefined, tell: (bytes: number) => void): typeof body {
  if (body === undefined || body instanceof Uint8Array) {
    tell(body?.length ?? 0);
    return body;
  }
  return passed(body, tell);
}

async function* passed(
  body: AsyncIterable<Uint8Array>,
  tell: (bytes: number) => void,
): AsyncIterable<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      yield chunk;
    }
  } finally {
    tell(bytes);
  }
}
