import { defineTask, enqueue } from '#queue';
import type { Transaction } from '#store';

export interface RunPage {
  organizationId: string;
  executionId: string;
  page: number;
}

/** Reads a page of a job and writes it to the sink. A run that was admitted has one such task at any time. */
export const runPage = defineTask<RunPage>('jobs.run_page');

export async function enqueuePage(
  tx: Transaction,
  executionId: string,
  page: number,
  runAt?: Date,
): Promise<void> {
  const { organizationId } = tx.scope;
  await enqueue(tx, runPage, { organizationId, executionId, page }, { ...(runAt && { runAt }) });
}
