import type { FakeDocument } from '../document/fake-document.js';
import type { ActiveFault } from './faults.js';
import { FakeRefusal, type FakeResponse } from './messages.js';
import type { RequestScope } from './request-scope.js';

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
    case 'limited': {
      const wait = fault.seconds ?? 1;
      const reset = Math.ceil(scope.now / 1_000) + wait;
      scope.set('limit', { limit: 1, remaining: 0, wait, reset });
      throw new FakeRefusal('limited', `wait ${wait} s`);
    }
    case 'expired':
      if (document.auth !== undefined) throw new FakeRefusal('expired_token');
      return;
    default: {
      const error = document.faults.get(fault.kind)?.error;
      if (error !== undefined) throw new FakeRefusal(error, 'a fault of the test');
    }
  }
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
