import { rowsOf, type Statements } from '#queue';

/** Numbers of jobs of all organizations. */
export interface JobCounts {
  waiting: number;
  running: number;
  failing: number;
  /** Seconds that the oldest run has waited for its turn. */
  oldestSeconds: number;
}

/** Counts the runs of jobs of all organizations. */
export async function countJobs(statements: Statements): Promise<JobCounts> {
  const found = await statements.query(
    `select waiting::int, running::int, failing::int, oldest_seconds as "oldestSeconds" from onefold_job_counts()`,
    [],
  );
  return rowsOf<JobCounts>(found)[0] ?? { waiting: 0, running: 0, failing: 0, oldestSeconds: 0 };
}
