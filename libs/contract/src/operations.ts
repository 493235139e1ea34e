import type { operations as ConnectorOperations } from './generated/connector.js';
import type { operations as ManagementOperations } from './generated/management.js';
import { operationTable } from './generated/operations.js';

/** The generated types of every operation, by operation id. */
export type OperationTypes = ManagementOperations & ConnectorOperations;
export type OperationId = (typeof operationTable)[number]['id'];

/** A query parameter as the contract declares it. */
export interface QueryParameter {
  type: 'string' | 'integer' | 'boolean' | 'array';
  required?: true;
  default?: unknown;
  /** The largest allowed integer. */
  maximum?: number;
  /** The allowed texts; for an array, of each of its values. */
  values?: readonly string[];
}

/** Bounds of a JSON body, checked before anything is built from it. */
export interface BodyLimits {
  maxBytes: number;
  /** Fields of objects and items of arrays, all levels together. */
  maxValues: number;
  /** Objects and arrays within each other. */
  maxDepth: number;
  /** True for bodies that providers write: they may have U+0000 and halves of surrogate pairs, which the API refuses from others. */
  anyText?: boolean;
}

/** One operation of the API: everything that routing, validation, permissions and the bus derive from the contract. */
export interface Operation {
  id: OperationId;
  side: 'management' | 'connector';
  group: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v1/ticketing/tickets/{ticketId}` */
  path: string;
  /** The gateway answers 501 for planned operations. */
  state: 'planned' | 'served';
  maturity: 'stable' | 'beta' | 'alpha' | 'pre-release' | 'in-development' | 'deprecated';
  /** Needs no bearer token. */
  public: boolean;
  /** The token is the query parameter `token`, for senders that cannot set a header. */
  tokenInQuery: boolean;
  /** The permission that the token needs; null if any token of the right scope is enough. */
  permission: { key: string; action: string } | null;
  /** True if the operation supports meta functions. */
  meta: boolean;
  /** True if the operation supports `Idempotency-Key`. */
  creates: boolean;
  /** May poll a provider: its deadline is 300 s instead of 60 s. */
  polls: boolean;
  /** Takes `dry_run`: it changes something at a provider. */
  dryRun: boolean;
  /** Does what cannot be undone, or keeps people from working, such as a quarantine, a wipe or a deletion. */
  dangerous: boolean;
  /** Is called over and over while somebody writes: the audit trail has one record of many calls. */
  previews: boolean;
  /** Any access token may call it, whatever it permits and of either API; tokens of the MCP endpoint may not. */
  anyToken: boolean;
  /** The operation that its 501 names where a provider has that one alone, such as conversations of a user. */
  instead: OperationId | null;
  /** The path parameter that matches the rest of the path, including slashes. */
  multiSegment: string | null;
  /** That parameter names a folder: it may be empty, which is the root. */
  folder: boolean;
  request: 'none' | 'json' | 'multipart';
  bodyRequired: boolean;
  /** Null where the operation takes no JSON body. */
  limits: BodyLimits | null;
  query: Readonly<Record<string, QueryParameter>>;
  response: {
    status: number;
    kind: 'none' | 'json' | 'binary';
    /** The field of a JSON response that has the record or records; null if the response itself is the record. */
    record: string | null;
    /** True if the response has a cursor, which is empty on the last page. */
    cursor: boolean;
    /** True if the response has a `status` beside the records: PENDING while the provider has not finished, then COMPLETE. */
    progress: boolean;
  };
  /** The field that a list of a connector is ordered by if neither the caller nor the provider says more; null without one. */
  order: string | null;
  /** JSON Pointers of secret request fields; `*` stands for any key or index. */
  secrets: readonly string[];
  /** JSON Pointers of request fields with customers' records, which the audit trail does not store. */
  unaudited: readonly string[];
  /** True if the response may contain a secret that is returned only once. */
  issues: boolean;
  /** Top-level fields of a connector's request body whose values are enumerated. */
  enums: readonly string[];
  /** Top-level fields of a connector's request body; none if it is free. */
  fields: readonly string[];
  /** JSON Pointers of the fields of the result that no caller may change. */
  readOnly: readonly string[];
}

/** Every operation of both APIs by its id. */
export const operations: ReadonlyMap<OperationId, Operation> = new Map(
  operationTable.map((operation) => [operation.id, operation as Operation]),
);

/** The media type of the answer to `dry_run=true`, which `assemble.mjs` writes into the contract. */
export const dryRunType = 'application/vnd.onefold.dry-run+json';

/** The domains of integrations: the groups of the connector API that a provider can belong to. */
export const domains: ReadonlySet<string> = new Set(
  [...operations.values()]
    .filter(({ side }) => side === 'connector')
    .map(({ group }) => group)
    .filter((group) => !['hooks', 'integrationWebhooks', 'operations'].includes(group)),
);

/** The domains with at least one served operation. */
export const servedDomains: readonly string[] = [
  ...new Set(
    [...operations.values()]
      .filter(({ side, state }) => side === 'connector' && state === 'served')
      .map(({ group }) => group)
      .filter((group) => domains.has(group)),
  ),
].sort();

/** Returns the operation with an id. @throws Error for an id that the contract does not contain */
export function operationOf(id: OperationId): Operation {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`unknown operation ${id}`);
  return operation;
}

/** Deadline of uploads. An upload fails long before it when its bytes stop arriving. */
const maxUploadMs = 6 * 3_600_000;

/** Milliseconds that an operation may take when its provider is not polled. */
export const unpolledMs = 60_000;

/** Milliseconds an operation may take, from the moment that the gateway has read its request to its answer. */
export function budgetMs(operation: Operation): number {
  if (operation.request === 'multipart') return maxUploadMs;
  return operation.polls ? 300_000 : unpolledMs;
}
