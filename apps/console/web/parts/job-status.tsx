import type { ManagementSchemas } from '#contract';
import { Toned } from './state.js';

/** The statuses of jobs and of their runs. */
export const jobStatuses = {
  SCHEDULED: { label: 'Waiting', tone: 'none' },
  PROCESSING: { label: 'Running', tone: 'warn' },
  COMPLETE: { label: 'Complete', tone: 'good' },
  CANCELLED: { label: 'Cancelled', tone: 'bad' },
  DISABLED: { label: 'Switched off', tone: 'warn' },
} as const;

export function JobStatus({ status }: { status: ManagementSchemas['Operation']['status'] }) {
  const { label, tone } = jobStatuses[status];
  return <Toned tone={tone}>{label}</Toned>;
}
