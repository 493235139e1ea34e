import type { ResolvedIntegration } from '#bus';
import type { Clock } from '#config';
import type { Operation } from '#contract';
import type { MetaCollector } from '#meta';
import type { MemoryLease, Redactor } from '#provider-http';
import type { ConnectorCall } from './connector-call.js';
import type { CallDrift } from './drift/drift.js';
import type { ListQuery } from './lists/list-query.js';
import type { MappingTrace } from './records/mapping-trace.js';
import type { MappingContext } from './provider-record.js';
import type { Problems } from './problems.js';
import type { ProviderOperation } from './provider.js';
import type { KeyedWrite } from './writes/keyed-write.js';
import type { BodyRecording } from './request-log/body-recording.js';
import type { CallUsage } from './usage/usage.js';
import type { DangerousCall } from './writes/dangerous-call.js';

/** Part of a deadline that is reserved for mapping and sending the response. */
export const reservedMs = 2_000;

/** A run of an operation: the request, who offers the operation, and what is collected on the way. */
export interface OperationRun {
  call: ConnectorCall;
  /** How the provider record is added to each of ours, as `raw_data`: as it is, or as JSON text, which OCSF records have there. */
  raw: 'record' | 'text' | undefined;
  operation: Operation;
  /** True if a file is uploaded or downloaded. */
  isFile: boolean;
  /** True if the caller asks what the provider would get. */
  isDryRun: boolean;
  /** Confirms the call, if its operation is dangerous. */
  danger: DangerousCall | undefined;
  offered: ProviderOperation;
  integration: ResolvedIntegration;
  meta: MetaCollector;
  /** Keeps the ways of the records through the mappings, if the request asks for them. */
  trace: MappingTrace | undefined;
  /** Knows the secrets that the run has opened. */
  redactor: Redactor;
  usage: CallUsage;
  /** Counts the memory of what the provider answers, and of the records that are made of it. */
  memory?: MemoryLease | undefined;
  clock: Clock;
  context: MappingContext;
  /** When the run ends: with the call, or after a minute if the operation may poll but this provider does not. */
  deadline: number;
  query: ListQuery;
  /** Facts that the caller has to know beside the result. */
  problems: Problems;
  /** Absent where nobody wants to know. */
  drift: CallDrift | undefined;
  /** Present while the bodies of the integration are recorded. */
  recording?: BodyRecording | undefined;
  /** True if recorded answers stand for the provider. */
  isReplay?: true;
  /** Present for a create with an `Idempotency-Key`. */
  write?: KeyedWrite | undefined;
  /** Why records are not in the result, although the run succeeds. */
  incomplete?: string;
  /** True if the caller's poll timeout exceeds the deadline. */
  capped: boolean;
}
