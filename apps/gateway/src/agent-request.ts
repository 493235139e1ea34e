import type { IncomingMessage } from 'node:http';
import { connectPath } from '#bridge';
import { maxHeaders } from './refuse-protocol.js';

/** True for a request of an agent that opens its connection. */
export function isAgentRequest({ method, url, headers, rawHeaders }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    url?.split('?', 1)[0] === connectPath &&
    rawHeaders.length <= 2 * maxHeaders
  );
}
