import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GrantBrowser } from '#bus';
import { browserSecret, grantBase, setBrowserSecret } from './sign-on-cookie.js';

// Authorizations at providers are bound to the browsers that began them (RFC 9700, 4.7), by a cookie for each `state`. Otherwise somebody
// could begin one, let another person decide about it, and have the access of that person.

/** Binds an authorization to the browser of a response. @param secure whether browsers reach the service over HTTPS */
export function bindGrant(response: ServerResponse, state: string, secure: boolean): void {
  const { id, secret } = namesOf(state);
  setBrowserSecret(response, id, secret, secure, grantBase);
}

/** Tells whether a browser began an authorization: `secure` by a cookie that only this service can set. */
export function readGrantBrowser(request: IncomingMessage, state: string): GrantBrowser {
  const { id, secret } = namesOf(state);
  const found = browserSecret(request, id, grantBase);
  const [sent, wanted] = [Buffer.from(found.secret), Buffer.from(secret)];
  if (sent.length !== wanted.length || !timingSafeEqual(sent, wanted)) return 'another';
  return found.secure ? 'secure' : 'same';
}

/** The cookie of a `state`. It need not be secret from whoever knows the `state`, who can set no cookie in the browser of another. */
function namesOf(state: string): { id: string; secret: string } {
  const hash = createHash('sha256').update(state).digest('base64url');
  return { id: hash.slice(0, 16), secret: hash.slice(16) };
}
