import type { ResolvedIntegration } from '#bus';
import type { OperationId, VerificationCheck } from '#contract';
import type { Clock } from '#config';
import type { Value } from '@onefold/mapping';
import type { OperationDescription, ProviderDescription } from '#provider-document';
import type { UploadedFile } from '#provider-http';
import type { Filter, Order } from '#query';
import type { Secret } from '#secrets';
import type { Problems } from './problems.js';
import type { HttpCall } from './document/http-call.js';
import type { RehearsedRequest } from './document/rehearsed-request.js';
import type { Mapping, ProviderRecord } from './provider-record.js';

/** A provider whose operations can be run. */
export interface Provider extends ProviderDescription {
  operations: { readonly [Id in OperationId]?: ProviderOperation };
  /** Tries an integration's configuration on the provider. @throws ApiError that says what is missing, with all checks in its context */
  verify?(call: HttpCall): Promise<readonly VerificationCheck[]>;
  /** How the provider reports changes; absent if it does not. */
  webhooks?: ProviderWebhooks;
  /** True if its records are stored with the integration, so that verification finds none before it is stored. */
  storesRecords?: true;
}

/** Webhooks at the provider, and their messages. */
export interface ProviderWebhooks {
  events: readonly string[];
  /** Steps at the provider by hand, where it has no API for this; `{url}` stands for the address. */
  instructions?: string;
  /** Calls of the provider for one webhook; absent where webhooks are made by hand. */
  calls: { readonly [Name in WebhookCallName]?: ProviderOperation };
  /** False if the token in the address is all that is checked. */
  isSigned: boolean;
  /** True if the signature covers the address that the message is sent to. */
  signsAddress: boolean;
  /** Checks a message. @throws ApiError 401 if none of the secrets signed it, or it was sent too long ago */
  check(message: WebhookMessage, secrets: readonly Secret[], now: number): void;
  /** Returns the identity of a message; undefined for messages that are always new. */
  identify(message: WebhookMessage): string | undefined;
  /** Maps a message to our shape; undefined if it is not to be delivered. @throws ApiError 502 */
  map(message: WebhookMessage): ProviderRecord | undefined;
}

export type WebhookCallName = 'register' | 'inspect' | 'unregister';

/** A message of a provider to its webhook. */
export interface WebhookMessage {
  headers: Readonly<Record<string, string>>;
  /** The body as it came. */
  bytes: Uint8Array;
  /** The address that the provider sends to; empty where nothing signs it. */
  url: string;
  config: Record<string, unknown>;
  limits: HttpCall['limits'];
}

/** Finds providers by their ids. */
export interface Providers {
  /** @param document the customer's document, if the provider is not built in */
  find(type: string, document?: ProviderDocument): Promise<Provider | undefined>;
}

export type ProviderDocument = NonNullable<ResolvedIntegration['providerDocument']>;

export interface ProviderOperation extends OperationDescription {
  /** `default:0` of responses: converts a provider record to our shape. */
  response?: Mapping;
  /** `default:0` of bodies: converts our shape to a provider record. */
  request?: Mapping;
  /** Reads the record that a patch changes. Every operation that patches has it. */
  current?(call: ProviderCall): Promise<ProviderRecord>;
  /** Returns the requests that `run` would send; absent where the records are our own. */
  rehearse?(call: ProviderCall, request: MappedRequest): Promise<readonly RehearsedRequest[]>;
  /** @throws RecordChanged when the record of a patch is not any more what `current` returned */
  run(call: ProviderCall, request: MappedRequest): Promise<ProviderResult>;
}

/** The content of a request, in the provider's shape. */
export interface MappedRequest {
  /** The record of a create. */
  body?: ProviderRecord;
  change?: RecordChange;
  /** The file of an upload. The connector closes it. */
  file?: UploadedFile;
  /** Where an earlier request has stopped. */
  paused?: PausedSteps;
}

/** A patch: the record of the provider, and what our shape knows of it before and after. */
export interface RecordChange {
  current: ProviderRecord;
  before: ProviderRecord;
  after: ProviderRecord;
}

/** The record of a patch was changed by somebody else after it was read. */
export class RecordChanged extends Error {
  constructor(options?: ErrorOptions) {
    super('the record has changed since it was read', options);
    this.name = 'RecordChanged';
  }
}

/** Nobody can tell what an earlier call of a create has done; or not yet, but in `waitMs`. */
export class OutcomeUnknown extends Error {
  readonly waitMs: number | undefined;

  constructor({ waitMs, ...options }: ErrorOptions & { waitMs?: number } = {}) {
    super('it is unknown what an earlier call has done', options);
    this.name = 'OutcomeUnknown';
    this.waitMs = waitMs;
  }
}

/**
 * The result of an operation at the provider, in the provider's shape. The connector filters, orders and pages `all`; of `pages` it reads
 * as many as the caller's page needs. A `value` is not a record, and is returned as it is.
 */
export type ProviderResult =
  | { record: ProviderRecord }
  | { records: ProviderRecord[] }
  | { all: ProviderRecord[] }
  | { pages: ListPages }
  | { file: ProviderFile }
  | { value: unknown }
  | { paused: PausedSteps }
  | { none: true };

/** Where an action that waits for the provider goes on: the steps before are not run again. */
export interface PausedSteps {
  step: number;
  steps: Record<string, Value>;
  /** Their status and headers, if the operation reads them. */
  answers?: Record<string, Value> | undefined;
}

/** A file of the provider that is passed on as it arrives. Its reader reads it to the end, or ends it with `return()`. */
export interface ProviderFile {
  /** 206 for the range that the caller asked for. */
  status: 200 | 206;
  headers: Readonly<Record<string, string>>;
  content: AsyncIterableIterator<Uint8Array>;
}

/** A list that the provider returns in pages. */
export interface ListPages {
  /** Maximum number of rows of a page; undefined if the provider returns all rows at once. */
  size: number | undefined;
  /** Maximum number of pages that one call reads; the usual one when absent. */
  maxPages?: number | undefined;
  /** @param position `next` of the previous page; undefined for the first page @param limit number of rows that are needed */
  read(position: unknown, limit: number): Promise<ProviderPage>;
  path: Readonly<Record<string, string>>;
}

export interface ProviderPage {
  rows: ProviderRecord[];
  /** Position of the next page; undefined on the last. */
  next: unknown;
  /** Position by which the page is read again, where it is not that by which it was read. */
  at?: unknown;
  /** Returns the position behind a row of the page, where the provider can continue from each row. */
  after?: (index: number) => unknown;
  /** True if the provider has not finished, so that the caller has to continue later. */
  waits?: boolean;
  /** Ends the list at the provider. It is called after the last page, and only if no cursor leads back to one. */
  end?: () => Promise<void>;
}

/** A call of an operation, as its provider gets it. */
export interface ProviderCall extends HttpCall {
  readonly path: Readonly<Record<string, string>>;
  /** The query parameters of the request, as the contract has them. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly integration: ResolvedIntegration;
  /** The filters and orders that the provider applies. Times are in epoch milliseconds. */
  readonly list: { filters: readonly Filter[]; orders: readonly Order[] };
  readonly clock: Clock;
  /** Informational problems of the response: what was left out or not kept, although the call succeeds. */
  readonly problems: Problems;
  /** The id of a batch of a job, which is the same when the batch comes again. Clients cannot set it. */
  readonly jobBatchId?: string | undefined;
  /** End of polling, in epoch milliseconds. */
  readonly pollUntil: number;
}
