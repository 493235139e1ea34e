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

/** What goes wrong with the next requests. */
export interface Fault {
  kind: (typeof faultKinds)[number];
  /** How many requests it meets; 1 unless told. */
  times?: number;
  /** Only requests whose `METHOD /path` or body contains this. */
  match?: string;
  /** status: which one, 500 unless told. */
  status?: number;
  /** redirect: where to, a metadata address unless told. */
  location?: string;
  /** huge: how much, 200 MB unless told. */
  bytes?: number;
  /** rate_limit: how long the limit lasts, a second unless told. */
  seconds?: number;
  /** rate_limit: the vendor's usual answer, that of its second kind of limit, or the usual one with an HTTP date. */
  form?: 'usual' | 'secondary' | 'date';
  /** slow: how late the answer is. */
  delay_ms?: number;
}

/** The faults that are waiting for their requests, oldest first. */
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

/** The answer of a fault that still is one of HTTP. */
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
  // HTTP dates have seconds: rounded up, or the limit would be over before it is.
  const date = new Date(Math.ceil(resetsAt / 1_000) * 1_000).toUTCString();
  return { ...answer, headers: { ...answer.headers, 'retry-after': date } };
}

/** Sends what is broken below HTTP; says whether it did. `slow` only waits. */
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

/** Valid JSON as far as it goes, so that only its size is wrong. */
async function sendHuge(response: ServerResponse, bytes: number): Promise<void> {
  const chunk = Buffer.from(`{"filler":"${'x'.repeat(65_500)}"},`);
  function* chunks() {
    yield Buffer.from('[');
    for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
    yield Buffer.from('{}]');
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  await pipeline(Readable.from(chunks()), response).catch(() => undefined); // who hangs up has had enough
}
