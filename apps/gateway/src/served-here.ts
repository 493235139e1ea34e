import type { IncomingMessage } from 'node:http';
import type { BusReply } from '#bus';
import { type Operation, operations, servedDocument } from '#contract';

/** Operations that the gateway answers itself: the OpenAPI documents. */
export const answeredHere = [...operations.values()]
  .filter(({ group }) => group === 'meta')
  .map(({ id }) => id);

/** Responds with the OpenAPI document of an operation of the group `meta`. */
export function serveDocument(
  operation: Operation,
  { headers }: IncomingMessage,
  listens: { host: string; port: number },
): BusReply {
  const side = operation.id === 'meta_management_openapi_spec' ? 'management' : 'connector';
  const serverUrl = `http://${headers.host ?? `${listens.host}:${listens.port}`}`;
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(servedDocument(side, serverUrl)),
  };
}
