import type { ManagementSchemas } from '#contract';
import type { OperationExecution } from '#store';

type Execution = ManagementSchemas['OperationExecutionEvent'];

/** A run of a job in responses. */
export function executionView(execution: OperationExecution): Execution {
  return {
    execution_id: execution.id,
    operation_id: execution.operationId,
    started_at: execution.name,
    completed_at: execution.completedAt.toISOString(),
    account_id: execution.accountId,
    integration_id: execution.integrationId,
    operation: execution.operation,
    trigger_type: execution.triggerType,
    trigger_source: execution.triggerSource,
    status: execution.status as Execution['status'],
    records_processed: execution.recordsProcessed,
    cpu_time: execution.cpuTime,
    in_bytes: execution.inBytes,
    duration: execution.duration,
    ...present({
      integration_point_id: execution.integrationPointId,
      initial_cursor: execution.initialCursor,
      final_cursor: execution.finalCursor,
      error: execution.error,
    }),
  };
}

function present<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null),
  ) as Partial<T>;
}
