import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const signOnBase = 'onefold_sign_on_';
/** Name of the cookie of an authorization at a provider, before its id. */
export const grantBase = 'onefold_grant_';
/** Browsers accept cookies with this prefix only over https and from the host itself, so a sibling subdomain cannot set one. */
const hostPrefix = '__Host-';
const seconds = 600;

/** A secret that identifies the browser that started a sign-on. */
export function newBrowserSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * One cookie for each sign-on, so that two pages can sign on at the same time. `Lax` cookies are sent when the identity provider redirects
 * the browser back, but not with forms that a foreign page posts.
 */
export function setBrowserSecret(
  response: ServerResponse,
  signOn: string,
  secret: string,
  secure: boolean,
  base = signOnBase,
): void {
  response.setHeader('set-cookie', cookie(base + signOn, secret, seconds, secure));
}

export function clearBrowserSecret(
  response: ServerResponse,
  signOn: string,
  base = signOnBase,
): void {
  const name = base + signOn;
  response.setHeader('set-cookie', [cookie(name, '', 0, false), cookie(name, '', 0, true)]);
}

/** Returns the secret of this browser for a sign-on, and whether it is from a cookie that only this service can set. */
export function browserSecret(
  { headers }: IncomingMessage,
  signOn: string,
  base = signOnBase,
): { secret: string; secure: boolean } {
  const found = { secret: '', secure: false };
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === `${hostPrefix}${base}${signOn}`) return { secret: value, secure: true };
    if (name === `${base}${signOn}`) found.secret = value;
  }
  return found;
}

function cookie(name: string, secret: string, maxAge: number, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
  return secure
    ? `${hostPrefix}${name}=${secret}; ${attributes}; Secure`
    : `${name}=${secret}; ${attributes}`;
}
