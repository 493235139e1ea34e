import type { ManagementSchemas } from '#contract';
import type { Account } from '#store';

/** An account as answers show it, on its own and expanded in other records. */
export function accountView(account: Account): ManagementSchemas['Account'] {
  return {
    id: account.id,
    name: account.name,
    fullname: account.fullname,
    organization_id: account.organizationId,
    environment: account.environment,
    labels: account.labels,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}
