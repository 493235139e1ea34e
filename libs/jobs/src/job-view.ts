import type { ManagementSchemas } from '#contract';
import type { AsyncOperation, Reader } from '#store';
import { nextTimesOf } from './schedules/schedule-row.js';

type View = ManagementSchemas['Operation'];

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
  return operations.map((operation) => view(operation, times.get(operation.id)));
}

/** A job in responses of both APIs. */
export async function jobView(tx: Reader, operation: AsyncOperation): Promise<View> {
  const [shown] = await jobViews(tx, [operation]);
  return shown as View;
}

function view(operation: AsyncOperation, nextAt: Date | undefined): View {
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
  };
}
