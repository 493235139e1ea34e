import type { ResolvedIntegration } from '#bus';
import type { OperationId } from '#contract';
import type { Clock } from '#config';
import type { OperationDescription, ProviderDescription } from '#provider-document';
import type { UploadedFile } from '#provider-http';
import type { Filter, Order } from '#query';
import type { HttpCall } from './document/integration-http.js';
import type { Mapping, ProviderRecord } from './provider-record.js';

/** A provider whose operations can be run. */
export interface Provider extends ProviderDescription {
  operations: { readonly [Id in OperationId]?: ProviderOperation };
  /** Tries an integration's configuration on the provider. @throws ApiError that says what is missing */
  verify?(call: HttpCall): Promise<void>;
}

/** Finds providers by their ids. */
export interface Providers {
  /** @param document the customer's own document, where the provider is not built in */
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
}

/** A patch: the record of the provider, and what our shape knows of it before and after. */
export interface RecordChange {
  current: ProviderRecord;
  before: ProviderRecord;
  after: ProviderRecord;
}

/** The record of a patch was changed by somebody else after it was read. */
export class RecordChanged extends Error {
  constructor() {
    super('the record has changed since it was read');
    this.name = 'RecordChanged';
  }
}

/**
 * What a provider gives back: records in its shape, to be mapped. `all` are then filtered, ordered and cut to a page here;
 * `pages` are read as far as the caller's page needs.
 */
export type ProviderResult =
  | { record: ProviderRecord }
  | { records: ProviderRecord[] }
  | { all: ProviderRecord[] }
  | { pages: ListPages }
  | { file: ProviderFile }
  | { none: true };

/** A file of the provider, handed on as it comes. Whoever gets it reads it to its end or lets go of it. */
export interface ProviderFile {
  headers: Readonly<Record<string, string>>;
  content: AsyncIterableIterator<Uint8Array>;
}

/** A list that the provider gives in pages. */
export interface ListPages {
  /** The most rows a page has; undefined when the provider gives all at once. */
  size: number | undefined;
  /** @param position where the page before said; undefined for the first. @param limit how many rows are of use */
  read(position: unknown, limit: number): Promise<ProviderPage>;
  path: Readonly<Record<string, string>>;
}

export interface ProviderPage {
  rows: ProviderRecord[];
  /** Where the next page is; undefined on the last. */
  next: unknown;
  /** True when the provider is not done with what was asked: the caller goes on later. */
  waits?: boolean;
}

/** One call of an operation, as a provider sees it. */
export interface ProviderCall extends HttpCall {
  readonly path: Readonly<Record<string, string>>;
  /** The query parameters of the request, as the contract has them. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly integration: ResolvedIntegration;
  /** The filters and orders that the provider applies by itself, times as epoch milliseconds. */
  readonly list: { filters: readonly Filter[]; orders: readonly Order[] };
  readonly clock: Clock;
  /** Epoch milliseconds until which the provider may be asked again and again for what it is not done with. */
  readonly pollUntil: number;
}
