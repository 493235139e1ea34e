/**
 * Names the queue of tasks that call providers of an organization. One of them runs at a time: a provider that does not answer takes a
 * minute of each, and an organization may have thousands.
 */
export function callsOf(organizationId: string): string {
  return `calls of ${organizationId}`;
}
