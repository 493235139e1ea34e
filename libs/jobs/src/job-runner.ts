import { Logger } from '@nestjs/common';
import type { Bus } from '#bus';
import type { Clock, Ids } from '#config';
import { operationOf, type OperationId } from '#contract';
import { parseJson, type Value } from '@onefold/mapping';
import { handleTask, type TaskHandler } from '#queue';
import {
  type AsyncOperation,
  type Integration,
  type Store,
  type Transaction,
  wholeOrganization,
} from '#store';
import { callIntegration } from './call-integration.js';
import { endRun } from './end-run.js';
import { admitRuns, continueRun, hasRested, takePlaceAgain } from './admit-runs.js';
import { type Sink, sinkOf } from './find-sink.js';
import { noteError, problemsOf } from './job-errors.js';
import { isFinal, isTooLarge, maxFailingMs, textOf, waitAfter } from './retry.js';
import { type FailureReason, PageFailed } from './page-failed.js';
import { readShrinking } from './read-shrinking.js';
import { type RunPage, runPage } from './run-page.js';
import { describeReachedLimit, limitsOf, type RunLimits } from './run-limits.js';
import { findRun, lockRun, type Run } from './run-row.js';
import type { ScheduleTools } from './schedules/count-failure.js';
import { findSchedule } from './schedules/schedule-row.js';
import { dropSeen, rememberSeen, type Unseen } from './schedules/seen-records.js';
import { addMarks } from './schedules/snapshot-marks.js';
import { writePage, type Written } from './write-page.js';

const log = new Logger('jobs');
/** Wait before the next page when the provider has not finished the one that was asked for. */
const unfinishedMs = 1_000;

export interface JobRunnerParts {
  store: Store;
  bus: Bus;
  clock: Clock;
  ids: Ids;
  /** Maximum number of records of a page; operations may allow fewer. */
  pageRecords: number;
  /** Limits of a run, which its schedule may lower; none when absent. */
  runLimits?: RunLimits;
  /** Counts records that a sink has taken, and their bytes. */
  onRecords: (count: number, bytes: number) => void;
  /** Counts pages that failed. */
  onFailure?: (reason: FailureReason) => void;
  /** Records in the audit trail that a schedule was switched off because its runs failed. */
  recordDisabled?: ScheduleTools['recordDisabled'];
}

/** A job at a page. */
interface Work {
  job: AsyncOperation;
  run: Run;
  integration: Integration;
  sink: Sink;
  /** Where the time is in the records of an increment. */
  timePath: string | null;
}

/** A page that was read. */
interface Page {
  rows: Value[];
  /** Where the next page begins; null after the last. */
  next: string | null;
  /** True if the provider has to be asked again in a moment. */
  isUnfinished: boolean;
  cpuTime: number;
  /** Messages of the response about records that it leaves out or changes. */
  problems: string[];
  /** Tells which records of an increment were not written before; `rows` has those alone. */
  unseen?: Unseen;
}

/**
 * Runs jobs page by page: reads a page of the operation, writes it to the sink, and stores the position of the next in the transaction
 * that acknowledges the batch. A worker that is killed in between repeats at most this batch, with the same id.
 */
export class JobRunner {
  constructor(private readonly parts: JobRunnerParts) {}

  get handlers(): TaskHandler[] {
    return [handleTask(runPage, (task) => this.runPage(task))];
  }

  private async runPage({ organizationId, executionId, page }: RunPage): Promise<void> {
    const { store } = this.parts;
    const scope = wholeOrganization(organizationId);
    const work = await store.write(scope, (tx) => this.begin(tx, executionId, page));
    if (work === undefined) return;
    try {
      const read = await this.leaveOutSeen(work, await this.read(work));
      const { run, sink } = work;
      const sent = await writePage(this.parts.bus, sink, run, this.withMarks(work, read));
      await store.write(scope, (tx) => this.acknowledge(tx, work, read, sent));
      this.parts.onRecords(read.rows.length, sent.bytes);
    } catch (error) {
      if (!(error instanceof PageFailed)) throw error;
      this.parts.onFailure?.(error.reason);
      await store.write(scope, (tx) => this.fail(tx, work, error));
    }
  }

  /** Returns what there is to do; undefined for a run that has ended or is further. */
  private async begin(tx: Transaction, id: string, page: number): Promise<Work | undefined> {
    const now = this.now();
    const run = await findRun(tx, id, page);
    if (run === undefined || run.admittedAt === null) {
      // Its integration may be deleted, and its job with it: then nothing but this task knows that a place is free.
      await admitRuns(tx, now);
      return undefined;
    }
    const job = await tx.operations.get(run.operationId);
    if (hasRested(run)) {
      const locked = await lockRun(tx, id, page);
      if (locked === undefined || !(await takePlaceAgain(tx, locked, job.accountId, now)))
        return undefined;
    }
    const integration = await tx.integrations.get(run.integrationId);
    if (run.startedAt === null) {
      run.startedAt = now;
      await tx.query(
        'update operation_runs set started_at = $3 where organization_id = $1 and id = $2',
        [tx.scope.organizationId, id, now],
      );
      const status = job.status === 'SCHEDULED' ? 'PROCESSING' : job.status;
      await tx.operations.save({ ...job, status, updatedAt: now });
    }
    const sinkId = job.outputIntegrationId ?? '';
    const [integrationOfSink] = await tx.integrations.byIds([sinkId]);
    const sink = integrationOfSink && sinkOf(integrationOfSink);
    if (sink !== undefined) {
      const timePath =
        run.kind === 'increment' ? ((await findSchedule(tx, job.id))?.timePath ?? null) : null;
      return { job, run, integration, sink, timePath };
    }
    await this.cancel(tx, job.id, run, `the sink ${sinkId} was deleted`);
    return undefined;
  }

  private async read({ job, run, integration }: Work): Promise<Page> {
    const operation = operationOf(job.operation as OperationId);
    const { limit } = job.input;
    const filters = [...(job.input.filters ?? []), ...(run.filters ?? [])];
    const { bus, pageRecords } = this.parts;
    const left = typeof limit === 'number' ? limit - run.records : Infinity;
    const maxRecords = Math.min(
      left,
      pageRecords,
      operation.query['limit']?.maximum ?? pageRecords,
    );
    const query = {
      ...(operation.query['cursor'] && run.position !== null && { cursor: run.position }),
      ...(filters.length > 0 && { filter: filters }),
    };
    const read = (limit: number) =>
      callIntegration(bus, integration, run.id, {
        operation: operation.id,
        requestId: run.requestId,
        query: { ...query, ...(operation.query['limit'] && { limit }) },
      });
    const sizes = operation.query['limit'] ? maxRecords : 1;
    const bytes = await readShrinking(read, sizes).catch((error: unknown) => {
      const isLast = isFinal(error) || isTooLarge(error);
      throw new PageFailed('reading', `reading page ${run.page}: ${textOf(error)}`, isLast, error);
    });
    const begun = performance.now();
    const answer = parseJson(Buffer.from(bytes).toString()) as Record<string, Value>;
    const all = (answer['result'] ?? []) as Value[];
    const rows = all.length > left ? all.slice(0, left) : all; // a list without pages returns all that there is
    const cursor = answer['cursor'];
    const isLast = typeof cursor !== 'string' || cursor === '' || rows.length >= left;
    return {
      rows,
      next: isLast ? null : cursor,
      isUnfinished: rows.length === 0,
      cpuTime: performance.now() - begun,
      problems: problemsOf(answer).map((message) => `reading page ${run.page}: ${message}`),
    };
  }

  /** Leaves out records of an increment that an earlier one or a page before has written. */
  private async leaveOutSeen({ job, run, timePath }: Work, page: Page): Promise<Page> {
    if (timePath === null) return page;
    const { store } = this.parts;
    const scope = wholeOrganization(job.organizationId);
    const unseen = await store.read(scope, (tx) =>
      dropSeen(tx, run.operationId, page.rows, timePath),
    );
    return { ...page, rows: unseen.rows, unseen };
  }

  /** Adds the marks of a snapshot to its records. */
  private withMarks({ job, run }: Work, { rows, next }: Page): Value[] {
    if (run.kind !== 'snapshot') return rows;
    const records = next === null ? run.records + rows.length : undefined;
    const place = { runId: run.id, job, startedAt: run.startedAt ?? this.now() };
    return addMarks(rows, { page: run.page, records }, place);
  }

  /** Stores that the sink has the page, and where the next begins. */
  private async acknowledge(
    tx: Transaction,
    { run: { id, page } }: Work,
    { rows, next, isUnfinished, cpuTime, unseen, problems }: Page,
    sent: Written,
  ): Promise<void> {
    const run = await lockRun(tx, id, page);
    if (run === undefined) return; // cancelled or deleted meanwhile, or another worker did the same
    const now = this.now();
    const spent = Math.round((cpuTime + sent.cpuTime) * 1_000);
    run.records += rows.length;
    run.cpuTime += spent;
    run.inBytes += sent.bytes;
    run.position = next ?? run.position;
    if (unseen !== undefined) {
      if (unseen.newest !== null && !(run.newest && run.newest > unseen.newest))
        run.newest = unseen.newest;
      await rememberSeen(tx, run.operationId, unseen);
    }
    const job = await tx.operations.getLocked(run.operationId);
    job.cpuTime += spent;
    job.inBytes += sent.bytes;
    for (const problem of problems) noteError(job, problem);
    if (next === null) {
      await endRun(tx, job, run, { status: 'COMPLETE' }, this.tools);
      return;
    }
    const reached = this.reachedLimit(job, run, page + 1);
    if (reached !== undefined) {
      noteError(job, reached);
      await endRun(tx, job, run, { status: 'CANCELLED', error: reached }, this.tools);
      return;
    }
    await tx.operations.save({ ...job, updatedAt: now });
    await tx.query(
      `update operation_runs set page = page + 1, position = $3, records = $4,
         cpu_time = $5, in_bytes = $6, newest = $7, failures = 0, failing_since = null where organization_id = $1 and id = $2`,
      [tx.scope.organizationId, id, next, run.records, run.cpuTime, run.inBytes, run.newest],
    );
    const runAt = isUnfinished ? new Date(now.getTime() + unfinishedMs) : undefined;
    await continueRun(tx, { id, page: page + 1 }, now, runAt);
  }

  /** Stores why a page failed, and lets it be tried again later without holding a place of the worker. */
  private async fail(
    tx: Transaction,
    { run: { id, page } }: Work,
    error: PageFailed,
  ): Promise<void> {
    const run = await lockRun(tx, id, page);
    if (run === undefined) return;
    const now = this.now();
    const since = run.failingSince ?? now;
    if (error.isFinal || now.getTime() - since.getTime() >= maxFailingMs) {
      await this.cancel(tx, run.operationId, run, error.message);
      return;
    }
    const job = await tx.operations.getLocked(run.operationId);
    noteError(job, error.message);
    await tx.operations.save({ ...job, updatedAt: now });
    const reached = this.reachedLimit(job, run, page);
    if (reached !== undefined) {
      await this.cancel(tx, run.operationId, run, reached);
      return;
    }
    await tx.query(
      'update operation_runs set failures = failures + 1, failing_since = $3 where organization_id = $1 and id = $2',
      [tx.scope.organizationId, id, since],
    );
    const waitMs = waitAfter(error.cause, run.failures, Math.random);
    await continueRun(tx, { id, page }, now, new Date(now.getTime() + waitMs));
  }

  private reachedLimit({ schedule }: AsyncOperation, run: Run, pages: number): string | undefined {
    const { runLimits } = this.parts;
    if (runLimits === undefined) return undefined;
    return describeReachedLimit(run, pages, limitsOf(runLimits, schedule?.run_limits), this.now());
  }

  private async cancel(tx: Transaction, jobId: string, run: Run, reason: string): Promise<void> {
    const job = await tx.operations.getLocked(jobId);
    noteError(job, reason);
    log.warn({ message: 'job cancelled', operation_id: jobId, execution_id: run.id });
    await endRun(tx, job, run, { status: 'CANCELLED', error: reason }, this.tools);
  }

  private get tools(): ScheduleTools {
    const { ids, recordDisabled } = this.parts;
    return { ids, now: () => this.now(), ...(recordDisabled && { recordDisabled }) };
  }

  private now(): Date {
    return new Date(this.parts.clock.now());
  }
}
