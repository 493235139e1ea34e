import type { ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import type { Call, Operation } from '#contract';
import type { MetaCollector } from '#meta';
import type { ListQuery } from './list-query.js';
import type { MappingContext } from './native.js';
import type { ProviderOperation } from './provider.js';
import type { CallUsage } from './usage.js';

/** What is left of a deadline for mapping and sending the answer. */
export const answerMs = 2_000;

/** A call of an operation while it runs: what was asked, of whom, and what is gathered on the way. */
export interface Running {
  call: Call;
  /** Adds the provider's record to each of ours, as `raw_data`. */
  raw: boolean;
  operation: Operation;
  offered: ProviderOperation;
  integration: ResolvedIntegration;
  meta: MetaCollector;
  usage: CallUsage;
  clock: Clock;
  context: MappingContext;
  query: ListQuery;
  /** The caller's poll timeout is longer than the deadline lets it be. */
  capped: boolean;
}
