import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a token's text begins with: access of an organization, of an integration, of the MCP endpoint; refresh. Scanners find leaked ones by it. */
export const tokenPrefixes = {
  organization: 'ofo_',
  integration: 'ofi_',
  mcp: 'ofm_',
  refresh: 'ofr_',
} as const;
export type TokenPrefix = (typeof tokenPrefixes)[keyof typeof tokenPrefixes];

const pattern = /^(of[oimr]_)([A-Za-z0-9_-]{43})([0-9a-f]{8})$/;

/** A new token: prefix, 32 random bytes in base64url, CRC-32 of both in hexadecimal. */
export function mintToken(prefix: TokenPrefix): string {
  const body = prefix + randomBytes(32).toString('base64url');
  return body + checksum(body);
}

/** True for a text that was minted, by its checksum; says nothing of whether the token is known. */
export function isToken(text: string): boolean {
  const [, prefix, body, sum] = pattern.exec(text) ?? [];
  return prefix !== undefined && body !== undefined && sum === checksum(prefix + body);
}

/** A text with every token in it made unusable, wherever somebody has put one. */
export function maskTokens(text: string): string {
  return text.replaceAll(/(of[a-z]_)[A-Za-z0-9_-]{43}[0-9a-f]{8}/g, `$1${'*'.repeat(8)}`);
}

/** True for a text that has a token in it. */
export function holdsToken(text: string): boolean {
  return maskTokens(text) !== text;
}

/** What is stored of a token: 256 random bits need no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** How a token is shown once it has been given out. */
export function maskToken(prefix: TokenPrefix): string {
  return `${prefix}${'*'.repeat(8)}`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
