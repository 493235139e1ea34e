import type { ResolvedIntegration } from '#bus';
import type { OperationId } from '#contract';
import type { Clock } from '#config';
import type { Fields } from '#query';
import type { Mapping, Native } from './native.js';
import type { Records } from './records.js';
import type { CallUsage } from './usage.js';

export type Action = 'query' | 'read' | 'create' | 'patch' | 'delete';

/** A provider: what it offers, and the mappings it brings. What it does not offer is absent and answers 501. */
export interface Provider {
  /** The id in `provider_config.type`, such as `ticketing_mock_ticketing`. */
  type: string;
  manifest: Manifest;
  operations: { readonly [Id in OperationId]?: ProviderOperation };
}

/** What people read of a provider. */
export interface Manifest {
  fullname: string;
  vendor: string;
  description: string;
  availability:
    'internal' | 'in-development' | 'pre-release' | 'deprecated' | 'generally-available';
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
  run(call: ProviderCall): Promise<Outcome>;
}

/** What a provider gives back: records in its shape, to be mapped; `all` are then filtered, ordered and cut to a page here. */
export type Outcome =
  { record: Native } | { records: Native[] } | { all: Native[] } | { none: true };

/** One call of an operation, as a provider sees it. */
export interface ProviderCall {
  readonly path: Readonly<Record<string, string>>;
  readonly integration: ResolvedIntegration;
  /** What a mock keeps. */
  readonly records: Records;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The request body in the provider's shape. */
  body(): Native;
  /** A record with the request's JSON Patch applied to it as our shape shows it, in the provider's shape. */
  patched(record: Native): Native;
  /** What the call uses; here a provider says in which state it found the integration: `usage.report('credentials_refused', why)`. */
  readonly usage: CallUsage;
  /** Tells of an answer of the provider: one more call of it, and for the meta functions, text only when one of them wants it. */
  answered(url: string, answer: unknown): void;
}
