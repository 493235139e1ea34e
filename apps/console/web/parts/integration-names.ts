import type { ManagementSchemas } from '#contract';

export type Status = ManagementSchemas['Status'];

/** Name of the integration of a status for people. */
export function nameOf({ integration, integration_id }: Status): string {
  return integration?.fullname ?? integration?.name ?? integration_id;
}

/** Address of the page of an integration. */
export function pageOf({ account_id, integration_id }: Status): string {
  return `/integrations/${account_id}/${integration_id}`;
}
