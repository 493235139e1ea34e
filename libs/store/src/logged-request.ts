import type { ManagementSchemas } from '#contract';
import type { StoredExchange } from './kinds/request-records.js';

/** A call that a connector has answered, as it is sent to the database. */
export interface LoggedRequest {
  id: string;
  organization_id: string;
  account_id: string;
  integration_id: string;
  request_id: string;
  token_id?: string;
  operation: string;
  provider?: string;
  dry_run: boolean;
  status: number;
  /** Microseconds. */
  duration: number;
  in_bytes: number;
  out_bytes: number;
  mappings: readonly string[];
  exchanges: readonly StoredExchange[];
  omitted_exchanges: number;
  problem?: { type: string; message?: string };
  /** True for one that is kept only while it is among the last of its integration. */
  recent: boolean;
  created_at: Date;
}

/** Bodies of a call, as they are sent to the database. */
export interface SealedBodies {
  /** The id of the call's record. */
  id: string;
  organization_id: string;
  integration_id: string;
  /** A {@link RecordedCall}, sealed for the account. */
  sealed: string;
}

/** The bodies of a call, without secrets, and how it is run again. */
export interface RecordedCall {
  bodies: Omit<ManagementSchemas['RequestBodies'], 'expires_at'>;
  /** The run of the operation; in words, why it cannot be repeated. */
  run: RecordedRun | string;
}

/** The input of a run of an operation, beside the bodies. */
export interface RecordedRun {
  /** The operation that ran, which the domain `custom` has in the path. */
  as: string;
  raw: boolean;
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  meta: readonly string[];
  batchId?: string;
  /** Epoch milliseconds of its begin. */
  at: number;
}
