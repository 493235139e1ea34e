import type { Ids } from '#config';
import type { Transaction } from '#store';
import { admitRuns } from '../admit-runs.js';
import { executionIds } from '../execution-ids.js';
import type { Schedule } from './schedule-row.js';
import type { Window } from './windows.js';

/** Stores a run of a schedule, and lets it begin when it is the organization's turn. */
export async function startRun(
  tx: Transaction,
  schedule: Schedule,
  { kind, filters, from }: Window,
  { ids, now }: { ids: Ids; now: Date },
): Promise<void> {
  await tx.query(
    `insert into operation_runs (id, organization_id, operation_id, integration_id, trigger_type, trigger_source, created_at,
       kind, filters, window_from)
     values ($1, $2, $3, $4, 'SCHEDULED', $5, $6, $7, $8, $9)`,
    [
      ids.next(executionIds),
      tx.scope.organizationId,
      schedule.id,
      schedule.integrationId,
      schedule.triggerSource,
      now,
      kind,
      filters,
      from,
    ],
  );
  await admitRuns(tx, now);
}
