import { randomBytes } from 'node:crypto';

/** Secrets of a sign-on through OpenID Connect, encrypted until the provider responds. */
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
