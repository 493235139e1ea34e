import { randomBytes } from 'node:crypto';

/** The secrets of a sign-on by OpenID Connect, sealed until the provider answers. */
export interface OidcSecrets {
  /** Code verifier of PKCE (RFC 7636). */
  verifier: string;
  nonce: string;
}

export function createOidcSecrets(): OidcSecrets {
  return { verifier: randomText(), nonce: randomText() };
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}
