/** Headers of one connection (RFC 9110, 7.6.1), and those that the agent's own HTTP client writes. */
export const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
]);

/** True for a name that a request may have as a header of its own, which decides nothing about where it goes and how it ends. */
export function isOwnHeader(name: string): boolean {
  const key = name.toLowerCase();
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !hopHeaders.has(key) && key !== 'content-length';
}
