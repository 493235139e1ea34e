import type { ManagementSchemas } from '#contract';
import type { Account } from '#store';
import { recordView } from './record.js';

/** An account in responses, on its own and expanded in other records. */
export function accountView(account: Account): ManagementSchemas['Account'] {
  return {
    ...recordView(account),
    organization_id: account.organizationId,
    environment: account.environment,
    labels: account.labels,
  };
}
