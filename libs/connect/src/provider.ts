import type { ResolvedIntegration } from '#bus';
import type { OperationId } from '#contract';
import type { Clock } from '#config';
import type { Fields, Filter, Order } from '#query';
import type { CredentialAddresses } from './document/credential-addresses.js';
import type { HttpCall } from './document/integration-http.js';
import type { Action, Proof } from './document/source.js';
import type { Mapping, Native } from './native.js';
import type { UploadedFile } from './uploaded-file.js';

/** A provider: what it offers, and the mappings it brings. What it does not offer is absent and answers 501. */
export interface Provider {
  /** The id in `provider_config.type`, such as `ticketing_mock_ticketing`. */
  type: string;
  manifest: Manifest;
  /** JSON Schema of `provider_config`, credentials included; the contract's own when absent. */
  configuration?: Record<string, unknown>;
  /** Where it sends credentials; absent for providers that send none. */
  addresses?(config: Record<string, unknown>): CredentialAddresses;
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

/** What is known of a provider without compiling its document. */
export interface Manifest {
  /** The id in `provider_config.type`, such as `ticketing_mock_ticketing`. */
  type: string;
  version: string;
  fullname: string;
  vendor: string;
  description: string;
  availability:
    'internal' | 'in-development' | 'pre-release' | 'deprecated' | 'generally-available';
  /** What the provider was proven against; absent where there is nothing outside of Onefold to prove. */
  proof?: Proof;
}

export interface ProviderOperation {
  /** What additional mappings call its records. */
  resource: string;
  action: Action;
  /** `default:0` of answers: the provider's shape to ours. */
  response?: Mapping;
  /** `default:0` of bodies: our shape to the provider's. */
  request?: Mapping;
  /** What a list can be filtered and ordered by, in our shape; absent where the contract has no filter. */
  fields?: Fields;
  /** How a list is ordered when the caller does not say; by `id` when absent. */
  order?: string;
  /** The fields of our shape that a patch may not touch. */
  readOnly?: readonly string[];
  /** The fields that `response` fills, as far as they are known. */
  responseFields?: readonly string[];
  /** The fields of our shape that a body needs beside those that the contract needs. */
  requiredFields?: readonly string[];
  /** What the provider filters and orders by itself; nothing when absent. */
  pushes?: { filter(filter: Filter): boolean; order(order: Order): boolean };
  /** True when it may have to wait for work of the provider. */
  polls?: boolean;
  run(call: ProviderCall): Promise<Outcome>;
}

/**
 * What a provider gives back: records in its shape, to be mapped. `all` are then filtered, ordered and cut to a page here;
 * `pages` are read as far as the caller's page needs.
 */
export type Outcome =
  | { record: Native }
  | { records: Native[] }
  | { all: Native[] }
  | { pages: ListPages }
  | { file: AnsweredFile }
  | { none: true };

/** A file of the provider, handed on as it comes. Whoever gets it reads it to its end or lets go of it. */
export interface AnsweredFile {
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
  rows: Native[];
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
  /** The request body in the provider's shape. */
  body(): Native;
  /** The file that the request brings. Whoever asks for it closes it. @throws ApiError when there is none */
  file(): Promise<UploadedFile>;
  /** A record before and after the request's JSON Patch, in the provider's shape: only what our shape knows of it. */
  patch(record: Native): { before: Native; after: Native };
}
