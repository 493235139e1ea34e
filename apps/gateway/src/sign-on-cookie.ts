import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const prefix = 'onefold_sign_on_';
const path = '/sso';
const seconds = 600;

/** The secret by which a browser is recognized that began a sign-on. */
export function newBrowserSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * One cookie for each sign-on, so that two pages can sign on at once. `Lax`: it comes along when the identity provider sends the
 * browser back, and with nothing a foreign page posts.
 */
export function setBrowserSecret(
  response: ServerResponse,
  signOn: string,
  secret: string,
  secure: boolean,
): void {
  response.setHeader(
    'set-cookie',
    `${prefix}${signOn}=${secret}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
  );
}

export function clearBrowserSecret(response: ServerResponse, signOn: string): void {
  response.setHeader(
    'set-cookie',
    `${prefix}${signOn}=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Lax`,
  );
}

/** The secret of this browser for a sign-on; `''` when it has none. */
export function browserSecret({ headers }: IncomingMessage, signOn: string): string {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === `${prefix}${signOn}`) return value ?? '';
  }
  return '';
}
