import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const base = 'onefold_sign_on_';
/** Browsers take cookies of this name over https from the host itself only: a neighbouring subdomain cannot plant one. */
const hostPrefix = '__Host-';
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
  response.setHeader('set-cookie', cookie(signOn, secret, seconds, secure));
}

export function clearBrowserSecret(response: ServerResponse, signOn: string): void {
  response.setHeader('set-cookie', [cookie(signOn, '', 0, false), cookie(signOn, '', 0, true)]);
}

/** The secret of this browser for a sign-on, and whether it came in a cookie that only we can have set. */
export function browserSecret(
  { headers }: IncomingMessage,
  signOn: string,
): { secret: string; secure: boolean } {
  const found = { secret: '', secure: false };
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === `${hostPrefix}${base}${signOn}`) return { secret: value, secure: true };
    if (name === `${base}${signOn}`) found.secret = value;
  }
  return found;
}

function cookie(signOn: string, secret: string, maxAge: number, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
  return secure
    ? `${hostPrefix}${base}${signOn}=${secret}; ${attributes}; Secure`
    : `${base}${signOn}=${secret}; ${attributes}`;
}
