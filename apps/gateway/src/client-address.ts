import type { IncomingMessage } from 'node:http';

/** Who calls, behind so many proxies. */
export function clientAddress({ headers, socket }: IncomingMessage, proxyHops: number): string {
  const forwarded = proxyHops > 0 ? headers['x-forwarded-for'] : undefined;
  const hops = forwarded === undefined ? [] : [forwarded].flat().join(',').split(',');
  return hops.at(-proxyHops)?.trim() || (socket.remoteAddress ?? '');
}
