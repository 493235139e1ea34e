import { session } from './session.js';

/** Where a page of the host learns how the session ended. The rest of the address, such as a state of the host's own, stays as it is. */
export function returnAddress(
  returnUrl: string,
  sessionId: string,
  status: 'complete' | 'cancelled',
): string {
  const url = new URL(returnUrl);
  url.searchParams.set('connect_session', sessionId);
  url.searchParams.set('status', status);
  return url.href;
}

/** Goes back to the page of the host, if the session has one. The service took it only from the origins that the organization lists. */
export function leave(status: 'complete' | 'cancelled'): void {
  const { return_url: returnUrl, id } = session.peek() ?? {};
  if (returnUrl && id !== undefined) location.replace(returnAddress(returnUrl, id, status));
}
