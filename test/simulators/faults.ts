import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer, Vendor } from './vendor.js';

export const faultKinds = [
  'status',
  'garbage',
  'half',
  'never',
  'slow',
  'reset',
  'redirect',
  'huge',
  'rate_limit',
] as const;

/** Faults of the next requests. */
export interface Fault {
  kind: (typeof faultKinds)[number];
  /** Number of requests that fail; 1 by default. */
  times?: number;
  /** Limits the fault to requests whose `METHOD /path` or body contains this text. */
  match?: string;
  /** status: the status, 500 by default. */
  status?: number;
  /** redirect: the target, a metadata address by default. */
  location?: string;
  /** huge: the size, 200 MB by default. */
  bytes?: number;
  /** rate_limit: duration of the limit, a second by default. */
  seconds?: number;
  /**
   * rate_limit: the vendor's common response, that of its second kind of limit, or the common one with an HTTP date.
   */
  form?: 'usual' | 'secondary' | 'date';
  /** slow: delay of the response. */
  delay_ms?: number;
}

/** Faults that wait for their requests, oldest first. */
export class Faults {
  private waiting: (Fault & { left: number })[] = [];

  add(fault: Fault): void {
    this.waiting.push({ ...fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.waiting = [];
  }

  take(request: string, body: Buffer): Fault | undefined {
    const fault = this.waiting.find(
      ({ match = '', left }) => left > 0 && (request.includes(match) || body.includes(match)),
    );
    if (fault !== undefined) fault.left -= 1;
    this.waiting = this.waiting.filter(({ left }) => left > 0);
    return fault;
  }
}

/** Returns the response of a fault that is a valid HTTP response. */
export function faultyAnswer(fault: Fault, vendor: Vendor): Answer | undefined {
  if (fault.kind === 'status') return vendor.failure(fault.status ?? 500);
  if (fault.kind === 'redirect')
    return {
      status: 302,
      headers: { location: fault.location ?? 'http://169.254.169.254/latest/meta-data/' },
    };
  if (fault.kind !== 'rate_limit') return undefined;
  const resetsAt = Date.now() + (fault.seconds ?? 1) * 1_000;
  const answer = vendor.limited({ limit: 1, remaining: 0, resetsAt }, fault.form === 'secondary');
  if (fault.form !== 'date') return answer;
  // HTTP dates have seconds; rounded up, because the limit would otherwise end early.
  const date = new Date(Math.ceil(resetsAt / 1_000) * 1_000).toUTCString();
  return { ...answer, headers: { ...answer.headers, 'retry-after': date } };
}

/** Sends a response that is broken below HTTP, and returns whether it did. `slow` only waits. */
export async function breakDown(fault: Fault, response: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'never':
      return true;
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, fault.delay_ms ?? 1_000));
      return false;
    case 'reset':
      response.socket?.resetAndDestroy();
      return true;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('<html>{"not": json');
      return true;
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10_000 });
      response.write('{"id":"1","half":"', () => response.socket?.destroy());
      return true;
    case 'huge':
      await sendHuge(response, fault.bytes ?? 200_000_000);
      return true;
    default:
      return false;
  }
}

/** Valid JSON, so that only its size is wrong. */
async function sendHuge(response: ServerResponse, bytes: number): Promise<void> {
  const chunk = Buffer.from(`{"filler":"${'x'.repeat(65_500)}"},`);
  function* chunks() {
    yield Buffer.from('[');
    for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
    yield Buffer.from('{}]');
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  await pipeline(Readable.from(chunks()), response).catch(() => undefined); // The client has closed the connection.
}
