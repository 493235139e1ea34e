import type { Ids } from '#config';
import { type AsyncOperation, kinds, type Transaction } from '#store';
import { admitRuns } from './admit-runs.js';
import { executionIds } from './execution-ids.js';

export interface NewJob {
  accountId: string;
  integrationId: string;
  operation: string;
  input: AsyncOperation['input'];
  /** The integration that results are written to. */
  sinkId: string;
  /** The id of the request. */
  requestId: string;
}

/** Stores a job and lets its run begin, in the transaction of its request. */
export async function createJob(
  tx: Transaction,
  { accountId, integrationId, operation, input, sinkId, requestId }: NewJob,
  { ids, now }: { ids: Ids; now: Date },
): Promise<AsyncOperation> {
  const { organizationId } = tx.scope;
  const id = ids.next(kinds.operations);
  const job: AsyncOperation = {
    id,
    name: id,
    organizationId,
    accountId,
    integrationId,
    operation,
    input,
    status: 'SCHEDULED',
    errors: null,
    cpuTime: 0,
    inBytes: 0,
    outputIntegrationId: sinkId,
    schedule: null,
    createdAt: now,
    updatedAt: now,
  };
  await tx.operations.insert(job);
  await tx.query(
    `insert into operation_runs (id, organization_id, operation_id, integration_id, trigger_type, trigger_source, created_at,
       request_id)
     values ($1, $2, $3, $4, 'API', 'manual', $5, $6)`,
    [ids.next(executionIds), organizationId, id, integrationId, now, requestId],
  );
  await admitRuns(tx, now);
  return job;
}
