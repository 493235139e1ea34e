/** The usage of an integration in one minute, as one process counted it. */
export interface UsageCounts {
  organizationId: string;
  accountId: string;
  integrationId: string;
  /** Its beginning, in epoch milliseconds. */
  minute: number;
  requests: number;
  /** How many of them jobs made. */
  jobRequests: number;
  failed: number;
  /** Microseconds. */
  cpuTime: number;
  dbOps: number;
  apiOps: number;
  inBytes: number;
  outBytes: number;
  /** How many calls took how long: see `countLatency`. */
  latencies?: readonly number[];
}

/** How an integration was found. */
export interface ReportedState {
  integrationId: string;
  status: string;
  error?: string;
  /** The request that showed it. */
  requestId?: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The counters of a process since its last batch. */
export interface UsageBatch {
  /** The process. */
  source: string;
  /** Greater than that of the batch before; the same number counts once, however often it is sent. */
  number: number;
  counts: readonly UsageCounts[];
  /** In the order they were found; of integrations that are among the counts. */
  states: readonly ReportedState[];
}

/** The parameters of `onefold_add_usage`. */
export function usageParameters({ source, number, counts, states }: UsageBatch): unknown[] {
  const rows = counts.map((one) => ({
    organization_id: one.organizationId,
    account_id: one.accountId,
    integration_id: one.integrationId,
    minute: new Date(one.minute),
    requests: one.requests,
    job_requests: one.jobRequests,
    failed: one.failed,
    cpu_time: Math.round(one.cpuTime),
    db_ops: one.dbOps,
    api_ops: one.apiOps,
    in_bytes: one.inBytes,
    out_bytes: one.outBytes,
    latencies: one.latencies,
  }));
  const changes = states.map(({ integrationId, status, error, requestId, at }, position) => ({
    integration_id: integrationId,
    status,
    error,
    request_id: requestId,
    at: new Date(at),
    position,
  }));
  return [source, number, JSON.stringify(rows), JSON.stringify(changes)];
}
