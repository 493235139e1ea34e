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
