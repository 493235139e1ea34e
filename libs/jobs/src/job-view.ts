import type { ManagementSchemas } from '#contract';
import type { AsyncOperation, Reader } from '#store';
import { type CurrentRun, currentRunsOf } from './run-row.js';
import { nextTimesOf } from './schedules/schedule-row.js';

type View = ManagementSchemas['Operation'];
type RunView = ManagementSchemas['CurrentRun'];

/** Jobs in responses of both APIs, in the order given. */
export async function jobViews(tx: Reader, operations: readonly AsyncOperation[]): Promise<View[]> {
  const scheduled = operations.filter(({ schedule }) => schedule !== null);
  const times =
    scheduled.length === 0
      ? new Map<string, Date>()
      : await nextTimesOf(
          tx,
          scheduled.map(({ id }) => id),
        );
  const processing = operations.filter(({ status }) => status === 'PROCESSING');
  const runs =
    processing.length === 0
      ? new Map<string, CurrentRun>()
      : await currentRunsOf(
          tx,
          processing.map(({ id }) => id),
        );
  return operations.map((one) => view(one, times.get(one.id), runs.get(one.id)));
}

/** A job in responses of both APIs. */
export async function jobView(tx: Reader, operation: AsyncOperation): Promise<View> {
  const [shown] = await jobViews(tx, [operation]);
  return shown as View;
}

function view(
  operation: AsyncOperation,
  nextAt: Date | undefined,
  run: CurrentRun | undefined,
): View {
  const { errors, outputIntegrationId, schedule } = operation;
  return {
    id: operation.id,
    created_at: operation.createdAt.toISOString(),
    updated_at: operation.updatedAt.toISOString(),
    account_id: operation.accountId,
    integration_id: operation.integrationId,
    operation: operation.operation,
    input: operation.input,
    status: operation.status as View['status'],
    cpu_time: operation.cpuTime,
    in_bytes: operation.inBytes,
    ...(errors === null ? {} : { errors }),
    ...(outputIntegrationId === null ? {} : { output_integration_id: outputIntegrationId }),
    ...(schedule === null ? {} : { schedule }),
    ...(nextAt === undefined ? {} : { next_run_at: nextAt.toISOString() }),
    ...(run === undefined ? {} : { current_run: runView(run) }),
  };
}

function runView({ startedAt, records, inBytes }: CurrentRun): RunView {
  return { started_at: startedAt.toISOString(), records_processed: records, in_bytes: inBytes };
}
