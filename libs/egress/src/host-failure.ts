import { EgressProxyFailure } from './egress-proxy.js';

/** Codes of undici for a host that is slow or ends the connection. */
const hostCodes: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/**
 * Describes how a host failed: it refused the connection, ended it or was too slow. Undefined for every other error, such as a
 * request that could not be written: that says nothing about the host.
 */
export function hostFailureOf(error: unknown, timedOut: boolean): string | undefined {
  const ofProxy = proxyFailureIn(error);
  // A target that the proxy refuses has not failed.
  if (ofProxy !== undefined) return ofProxy.isOfTarget ? undefined : ofProxy.message;
  if (timedOut) return 'it did not answer in time';
  const code = codeOf(error);
  // System errors such as ECONNREFUSED, ENOTFOUND and EAI_AGAIN; ours have several words.
  if (code !== undefined && (/^E(?:AI_)?[A-Z]+$/.test(code) || hostCodes.has(code)))
    return `the connection failed (${code})`;
  return undefined;
}

/** Returns the failure of the egress proxy that an error is, or is caused by. */
export function proxyFailureIn(error: unknown): EgressProxyFailure | undefined {
  if (error instanceof EgressProxyFailure) return error;
  return error instanceof Error && error.cause !== undefined
    ? proxyFailureIn(error.cause)
    : undefined;
}

/** False for a request that did not get as far as the host. */
export function wasSent(error: unknown): boolean {
  if (proxyFailureIn(error) !== undefined) return false;
  const code = codeOf(error) ?? '';
  return !['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(code);
}

/** True for what undici says of a host that is too slow. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error)?.endsWith('_TIMEOUT') ?? false;
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
