import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Lets pages of the allowed origins read the response. @returns true if the request comes from one */
export function allowOrigin(
  origins: readonly string[],
  { headers: { origin } }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (origins.length === 0 || origin === undefined) return false;
  response.setHeader('vary', 'origin');
  if (!origins.includes(origin)) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader(
    'access-control-expose-headers',
    'x-request-id, retry-after, ratelimit, ratelimit-policy',
  );
  return true;
}

/** Answers the preflight request of a browser. @param allow the methods of the path @param own further headers */
export function answerOptions(
  { headers }: IncomingMessage,
  response: ServerResponse,
  allow: string,
  own?: OutgoingHttpHeaders,
): void {
  response.setHeader('allow', allow);
  if (response.hasHeader('access-control-allow-origin')) {
    response.setHeader('access-control-allow-methods', allow);
    const wanted = headers['access-control-request-headers'];
    if (wanted !== undefined) response.setHeader('access-control-allow-headers', wanted);
    response.setHeader('access-control-max-age', '600');
  }
  response.writeHead(204, own).end();
}
