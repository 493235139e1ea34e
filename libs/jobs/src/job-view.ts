import type { ManagementSchemas } from '#contract';
import type { AsyncOperation } from '#store';

/** A job in responses of both APIs. */
export function jobView(operation: AsyncOperation): ManagementSchemas['Operation'] {
  const { errors, outputIntegrationId, schedule } = operation;
  return {
    id: operation.id,
    created_at: operation.createdAt.toISOString(),
    updated_at: operation.updatedAt.toISOString(),
    account_id: operation.accountId,
    integration_id: operation.integrationId,
    operation: operation.operation,
    input: operation.input,
    status: operation.status as ManagementSchemas['Operation']['status'],
    cpu_time: operation.cpuTime,
    in_bytes: operation.inBytes,
    ...(errors === null ? {} : { errors }),
    ...(outputIntegrationId === null ? {} : { output_integration_id: outputIntegrationId }),
    ...(schedule === null ? {} : { schedule }),
  };
}
