import { type Client, createClient } from './create-client.js';
import * as groups from './generated/groups.js';
import type { ClientOptions } from './send-operation.js';

export * from './generated/groups.js';
export { ApiError, ConnectionError, type Problem, TimeoutError } from './api-error.js';
export { type BoundGroup, type Client, createClient, type Group } from './create-client.js';
export { ListCall } from './list-call.js';
export {
  type ConnectEnd,
  type ConnectOptions,
  type ConnectReason,
  openConnect,
} from './open-connect.js';
export type {
  DryRunOf,
  FileBody,
  Input,
  OperationId,
  RecordOf,
  Result,
} from './operation-types.js';
export type { CallOptions, ClientOptions } from './send-operation.js';
export { verifyWebhook, type WebhookOptions, WebhookRefused } from './verify-webhook.js';

/** A client of every operation of the API. */
export type Onefold = Client<typeof groups>;

/** Makes a client of every operation: `createOnefold({ url, token }).ticketing.queryTickets()`. */
export function createOnefold(options: ClientOptions): Onefold {
  return createClient(options, groups);
}
