import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefixes of tokens for organizations, integrations, the MCP endpoint, and refresh. Secret scanners find leaked tokens by them. */
export const tokenPrefixes = {
  organization: 'ofo_',
  integration: 'ofi_',
  mcp: 'ofm_',
  refresh: 'ofr_',
} as const;
export type TokenPrefix = (typeof tokenPrefixes)[keyof typeof tokenPrefixes];

const pattern = /^(of[oimr]_)([A-Za-z0-9_-]{43})([0-9a-f]{8})$/;
/** A token within a longer text. */
const anyToken = /(of[a-z]_)[A-Za-z0-9_-]{43}[0-9a-f]{8}/;
const everyToken = new RegExp(anyToken, 'g');

/** Creates a token: prefix, 32 random bytes in base64url, CRC-32 of both in hexadecimal. */
export function mintToken(prefix: TokenPrefix): string {
  const body = prefix + randomBytes(32).toString('base64url');
  return body + checksum(body);
}

/** True for a text with the form and checksum of a token, whether or not the token exists. */
export function isToken(text: string): boolean {
  const [, prefix, body, sum] = pattern.exec(text) ?? [];
  return prefix !== undefined && body !== undefined && sum === checksum(prefix + body);
}

/** Masks every token in a text. */
export function maskTokens(text: string): string {
  return text.replaceAll(everyToken, `$1${'*'.repeat(8)}`);
}

/** True for a text that contains a token. */
export function holdsToken(text: string): boolean {
  return anyToken.test(text);
}

/** Hashes a token for storage. Its 256 random bits need no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns the masked form in which an issued token is displayed. */
export function maskToken(prefix: TokenPrefix): string {
  return `${prefix}${'*'.repeat(8)}`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
