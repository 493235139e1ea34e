import type { Value } from '@onefold/mapping';
import type { AsyncOperation } from '#store';

interface Place {
  runId: string;
  job: Pick<AsyncOperation, 'id' | 'integrationId' | 'operation'>;
  startedAt: Date;
}

/**
 * Adds the marks of a full snapshot to a page: its first batch begins with one, its last ends with one. A consumer that has both deletes
 * what was not between them; a snapshot that has no end was not complete.
 * @param records how many the snapshot has, with this page; undefined if it is not the last
 */
export function addMarks(
  rows: readonly Value[],
  { page, records }: { page: number; records: number | undefined },
  place: Place,
): Value[] {
  return [
    ...(page === 0 ? [markOf('snapshot_begin', place)] : []),
    ...rows,
    ...(records === undefined ? [] : [markOf('snapshot_end', place, { records })]),
  ];
}

function markOf(
  type: string,
  { runId, job, startedAt }: Place,
  more: Record<string, Value> = {},
): Value {
  return {
    type,
    snapshot_id: runId,
    operation_id: job.id,
    operation: job.operation,
    integration_id: job.integrationId,
    started_at: startedAt.toISOString(),
    ...more,
  };
}
