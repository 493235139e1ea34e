import { type Fields, readFields, textIn } from './read-fields.js';

/** The tokens that a token endpoint issued. */
export interface TokenAnswer {
  accessToken: string;
  refreshToken?: string;
  idToken?: string;
  expiresInSeconds?: number;
  /** Separated by blanks. */
  scope?: string;
}

/**
 * Reads the answer of a token endpoint (RFC 6749, 5.1) as they are in use: an access token is all it needs. Null is as absent, the kind of
 * the token is always Bearer, times may be texts, scopes a list, and the whole a form.
 * @returns undefined for an answer without an access token
 */
export function readTokenAnswer(text: string): TokenAnswer | undefined {
  const fields = readFields(text);
  const accessToken = fields && textIn(fields, ['access_token']);
  if (fields === undefined || accessToken === undefined) return undefined;
  const expiresInSeconds = lifetimeIn(fields);
  const refreshToken = textIn(fields, ['refresh_token']);
  const idToken = textIn(fields, ['id_token']);
  const scope = scopeIn(fields);
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(idToken === undefined ? {} : { idToken }),
    ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
    ...(scope === undefined ? {} : { scope }),
  };
}

function lifetimeIn(fields: Fields): number | undefined {
  const text = textIn(fields, ['expires_in']);
  const seconds = text === undefined ? NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

function scopeIn({ scope }: Fields): string | undefined {
  if (Array.isArray(scope)) return scope.filter((one) => typeof one === 'string').join(' ');
  return typeof scope === 'string' ? scope : undefined;
}
