/** The id of the account with an organization's own integrations: that of the organization with the prefix of accounts. */
export function ownAccountId(organizationId: string): string {
  return organizationId.replace(/^[a-z]+_/, 'acc_');
}

/** The integration points of that account: integrations of sinks, which get the results of jobs and changes of states. */
export const ownPoints = ['operation-events', 'status-events'] as const;
export type OwnPoint = (typeof ownPoints)[number];
