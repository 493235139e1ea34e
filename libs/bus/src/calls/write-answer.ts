import type { ApiError } from '#contract';
import type { Outgoing } from '../transport.js';

const noHeaders: Record<string, string> = {};
/** The headers of most responses. Their heads are serialized once per status. */
const jsonHeaders = Object.freeze({ 'content-type': 'application/json' });
const jsonHeads = new Map<number, string>();

/** A response before it is serialized. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Outgoing['body'];
  /** Present if the call failed. */
  failure?: ApiError;
}

/** Writes a value as the body of a response. */
export function json(
  status: number,
  value: unknown,
  headers: Record<string, string> = noHeaders,
): Answer & { body: Buffer } {
  return {
    status,
    headers: headers === noHeaders ? jsonHeaders : { ...jsonHeaders, ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** Returns a response as the transport sends it. */
export function outgoing({ status, headers, body }: Answer): Outgoing {
  if (headers !== jsonHeaders) return { head: JSON.stringify({ status, headers }), body };
  let head = jsonHeads.get(status);
  if (head === undefined) jsonHeads.set(status, (head = JSON.stringify({ status, headers })));
  return { head, body };
}
