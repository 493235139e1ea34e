import type { ApiError, Call, Caller, OperationId } from '#contract';
import type { Bytes } from '../bus.js';
import type { Cancellation } from '../cancellation.js';
import { observeStream } from '../observe-stream.js';

/** The end of an API call, for counting usage and the request log. */
export interface FinishedCall {
  operation: OperationId;
  requestId: string;
  /** Absent if its body could not be read. */
  call: Call | undefined;
  durationMs: number;
  /** Why the call failed, if it did. */
  failure: ApiError | undefined;
  /** Null on public operations. */
  caller: Caller | null;
  status: number;
  /** The response body; absent if there is none, or it is a stream. */
  answer: Uint8Array | undefined;
  /** Size of the request body in bytes. */
  inBytes: number;
  /** Size of the response body in bytes. */
  outBytes: number;
  /** Microseconds spent on serializing the response. */
  cpuTime: number;
}

/** Reports the size of a body (of a stream at its end) and the error with which it broke off. */
export function reportSize(
  body: Bytes | undefined,
  tell: (bytes: number, error?: unknown) => void,
): typeof body {
  if (body === undefined || body instanceof Uint8Array) {
    tell(body?.length ?? 0);
    return body;
  }
  let bytes = 0;
  return observeStream(body, {
    passed: (more) => (bytes += more),
    ended: (how) => (typeof how === 'object' ? tell(bytes, how.error) : tell(bytes)),
  });
}

/** Counts the bytes of a stream as they are read, until the call is cancelled. */
export async function* countBytes(
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
