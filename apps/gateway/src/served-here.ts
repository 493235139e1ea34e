import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { BusReply } from '#bus';
import { type Operation, operations, servedDocument } from '#contract';
import type { GatewaySettings } from './gateway-settings.js';

/** Operations that the gateway answers itself: the OpenAPI documents. */
export const answeredHere = [...operations.values()]
  .filter(({ group }) => group === 'meta')
  .map(({ id }) => id);

/** Responds with the OpenAPI document of an operation of the group `meta`. */
export function serveDocument(
  operation: Operation,
  { headers }: IncomingMessage,
  settings: GatewaySettings,
): BusReply {
  const side = operation.id === 'meta_management_openapi_spec' ? 'management' : 'connector';
  const serverUrl = ownUrl(headers, settings);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(servedDocument(side, serverUrl)),
  };
}

/** Returns the address of the API: as configured, otherwise as the caller wrote it. */
export function ownUrl(headers: IncomingHttpHeaders, settings: GatewaySettings): string {
  return publicUrl(settings) ?? `http://${headers.host ?? `${settings.host}:${settings.port}`}`;
}

/** Returns the configured address of the API without a slash at its end. */
export function publicUrl({ publicUrl: url }: GatewaySettings): string | undefined {
  return url?.replace(/(?<!\/)\/+$/, '');
}
