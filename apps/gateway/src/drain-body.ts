import type { IncomingMessage } from 'node:http';

export const drainMs = 10_000;
/** More than the largest JSON body: a client that was refused one can finish sending it, and read why. */
export const maxDrainBytes = 64 * 1_048_576;

/**
 * Reads and drops the rest of a body: it would be taken for the next request of the connection. A client that goes on sending long
 * after the response is cut off.
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
