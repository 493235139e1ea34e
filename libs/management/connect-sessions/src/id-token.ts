import type { Manifest } from '#provider-document';

type Declared = NonNullable<Manifest['authorization']>;

/** Properties of the configuration that the claims of the id token give; null where they give none. */
export type ClaimedConfig = Record<string, string> | null;

/** Longer than any id, shorter than what somebody would have to read. */
const maxValueLength = 200;

/** Returns what is asked for: the id token too, where it tells something of the configuration. */
export function askedScopes({ scopes, claims }: Declared): readonly string[] {
  return claims === undefined ? scopes : ['openid', ...scopes];
}

/**
 * Reads the claims that the document names. The token came from the token endpoint itself, over TLS, so its signature is not checked
 * (OpenID Connect Core, 3.1.3.7); it has to be one for the application.
 */
export function readClaims(
  idToken: string,
  clientId: string,
  { claims = {} }: Declared,
): ClaimedConfig {
  const payload = payloadOf(idToken);
  if (![payload['aud']].flat().includes(clientId)) return null;
  const entries = Object.entries(claims).flatMap(([property, claim]) => {
    const value = payload[claim];
    const isShort = typeof value === 'string' && value !== '' && value.length <= maxValueLength;
    return isShort ? [[property, value] as const] : [];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function payloadOf(token: string): Record<string, unknown> {
  try {
    const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {}; // nothing is told by a token that cannot be read
  }
}
