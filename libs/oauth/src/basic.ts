/** Encodes a client id or secret of OAuth 2 before base64 (RFC 6749, 2.3.1, and appendix B), but for what no form has to encode. */
export function formEncode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[!'()]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/**
 * Returns the header by which a client of OAuth 2 shows who it is. `-`, `_`, `.`, `~` and `*` stay as they are: servers which do not
 * decode the two parts take most secrets then, and those that do take all.
 */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  const pair = `${formEncode(clientId)}:${formEncode(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
