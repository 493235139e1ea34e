import { Readable } from 'node:stream';
import type { FakeDocument } from '../document/fake-document.js';
import type { ActiveFault } from './faults.js';
import { FakeRefusal, type FakeResponse } from './messages.js';
import type { RequestScope } from './request-scope.js';

const defaultHugeBytes = 200_000_000;
const defaultRedirect = 'http://169.254.169.254/latest/meta-data/';

/** Raises what a fault says instead of the response. @throws FakeRefusal */
export function refuseByFault(
  document: FakeDocument,
  fault: ActiveFault | undefined,
  scope: RequestScope,
): void {
  if (fault === undefined) return;
  switch (fault.kind) {
    case 'status':
      throw new FakeRefusal('failure', 'a fault of the test', { status: fault.status ?? 500 });
    case 'limited':
      reachLimit(fault, scope);
      throw new FakeRefusal('limited', `wait ${fault.seconds ?? 1} s`);
    case 'expired':
      if (document.auth !== undefined) throw new FakeRefusal('expired_token');
      return;
    default: {
      const error = document.faults.get(fault.kind)?.error;
      if (error === undefined) return;
      if (fault.seconds !== undefined) reachLimit(fault, scope);
      throw new FakeRefusal(error, 'a fault of the test');
    }
  }
}

/** Nothing remains of the limit that the response names. */
function reachLimit({ seconds: wait = 1 }: ActiveFault, scope: RequestScope): void {
  const reset = Math.ceil(scope.now / 1_000) + wait;
  scope.set('limit', { limit: 1, remaining: 0, wait, reset });
}

/** Breaks a response, or delays it, as a fault says. */
export function breakResponse(
  response: FakeResponse,
  fault: ActiveFault | undefined,
): FakeResponse {
  switch (fault?.kind) {
    case 'reset':
    case 'half':
    case 'never':
      return { ...response, broken: fault.kind };
    case 'slow':
      return { ...response, delayMs: (fault.seconds ?? 1) * 1_000 };
    case 'garbage':
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from('<html>{"not": json'),
      };
    case 'huge':
      return hugeResponse(fault.bytes ?? defaultHugeBytes);
    case 'redirect':
      return {
        status: 302,
        headers: { location: fault.location ?? defaultRedirect },
        body: new Uint8Array(),
      };
    default:
      return response;
  }
}

/** A response of JSON that is valid but for its size, which is neither said before nor held as a whole. */
function hugeResponse(size: number): FakeResponse {
  const row = Buffer.from(`{"filler":"${'x'.repeat(65_500)}"},`);
  function* rows(): Generator<Buffer> {
    yield Buffer.from('[');
    for (let sent = 0; sent < size; sent += row.length) yield row;
    yield Buffer.from('{}]');
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new Uint8Array(),
    file: { size: undefined, chunks: () => Readable.from(rows()) },
  };
}
