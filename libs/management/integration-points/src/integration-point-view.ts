import type { ManagementSchemas } from '#contract';
import type { IntegrationPoint } from '#store';
import { recordView } from '#management/core';

/** An integration point in responses, on its own and expanded in integrations. */
export function integrationPointView(
  point: IntegrationPoint,
): ManagementSchemas['IntegrationPoint'] {
  return {
    ...recordView(point),
    connector: point.connector as ManagementSchemas['CategoryId'],
    environments: point.environments,
    ...(point.description === null ? {} : { description: point.description }),
    ...(point.mappings === null ? {} : { mappings: point.mappings as never }),
    ...(point.additionalMappings === null
      ? {}
      : { additional_mappings: point.additionalMappings as never }),
    ...(point.scheduledOperations === null
      ? {}
      : { scheduled_operations: point.scheduledOperations as never }),
  };
}
