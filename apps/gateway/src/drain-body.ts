import type { IncomingMessage } from 'node:http';

const drainMs = 10_000;

/**
 * Reads and drops the rest of a body: it would be taken for the next request of the connection. A client that goes on sending long
 * after the response is cut off.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), drainMs).unref();
  request.once('close', () => clearTimeout(timer));
  request.unpipe().resume();
}
