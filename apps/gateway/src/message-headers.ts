import type { IncomingMessage } from 'node:http';

/** Headers of the connection, of proxies before the gateway, and with credentials: they are not part of a provider's message. */
const notOfMessage =
  /^(?:authorization|connection|cookie|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|forwarded|(?:proxy|x-forwarded|x-real|cf)-.*)$/;

/** Returns the headers of a provider's webhook message, which its signature and its events are read from. */
export function messageHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !notOfMessage.test(name) ? [[name, value]] : [],
    ),
  );
}
