import type { Provider, ProviderOperation } from '#connect';
import type { Store } from '#store';
import { conversationOperations } from './conversations.js';
import { directoryOperations } from './directory.js';
import { manifest } from './manifest.js';
import { documents } from './mappings.js';
import type { MockOperation, MockOperations } from './mock-operation.js';
import { Records } from './records.js';
import { ticketOperations } from './tickets.js';

export const operations: MockOperations = {
  ...ticketOperations,
  ...conversationOperations,
  ...directoryOperations,
};

/** Ticketing system for demonstrations and tests: it stores its records in the service's own database. */
export function mockTicketing(store: Store): Provider {
  return {
    type: manifest.type,
    manifest,
    mappings: documents,
    storesRecords: true,
    operations: Object.fromEntries(
      Object.entries(operations).map(([id, operation]) => [id, withRecords(operation, store)]),
    ),
  };
}

function withRecords(operation: MockOperation, store: Store): ProviderOperation {
  const { current, run, ...description } = operation;
  return {
    ...description,
    ...(current === undefined
      ? {}
      : { current: (call) => current({ call, records: new Records(store, call), request: {} }) }),
    run: (call, request) => run({ call, records: new Records(store, call), request }),
  };
}
