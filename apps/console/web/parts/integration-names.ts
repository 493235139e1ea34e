import type { ManagementSchemas } from '#contract';
import { mayCall } from '../api/permissions.js';
import { useRead } from '../api/query.js';

export type Status = ManagementSchemas['Status'];

/** Name of the integration of a status for people. */
export function nameOf({ integration, integration_id }: Status): string {
  return integration?.fullname ?? integration?.name ?? integration_id;
}

/** Address of the page of an integration. */
export function pageOf({ account_id, integration_id }: Status): string {
  return `/integrations/${account_id}/${integration_id}`;
}

/** Names for people of the integrations with these ids; an id stands for one that is gone or not to be seen. */
export function useIntegrationNames(ids: readonly string[]): (id: string) => string {
  const distinct = [...new Set(ids)].sort();
  const query = { limit: distinct.length, filter: `id[in]${distinct.join(',')}` };
  const isWanted = distinct.length > 0 && mayCall('integrations_list');
  const read = useRead('integrations_list', { query }, undefined, isWanted);
  const names = new Map((read.data?.result ?? []).map(({ id, fullname }) => [id, fullname]));
  return (id) => names.get(id) ?? id;
}
