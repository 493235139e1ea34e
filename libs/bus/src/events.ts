/** What is told to every process. Each names what changed, never how: listeners ask again. */
export interface Events {
  /** Tokens were revoked, renewed or changed; all of an organization's when no ids are given. */
  'token.changed': { organizationId: string; tokenIds?: readonly string[] };
  /** An integration, its point, its credentials or its mappings changed; all of an organization's when no id is given. */
  'integration.changed': { organizationId: string; integrationId?: string };
}
