import type { IncomingMessage } from 'node:http';

export const drainMs = 10_000;
/** Larger than any JSON body, so that a client whose body was refused can finish sending it and read the error. */
export const maxDrainBytes = 64 * 1_048_576;

/**
 * Reads and drops the rest of a body, which would otherwise be parsed as the next request of the connection. A client that keeps sending
 * long after the response is disconnected.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  const timer = setTimeout(() => request.destroy(), drainMs).unref();
  request.once('close', () => clearTimeout(timer));
  request
    .unpipe()
    .on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxDrainBytes) request.destroy();
    })
    .resume();
}
