import { accounts } from './kinds/accounts.js';
import { bridges } from './kinds/bridges.js';
import { credentials } from './kinds/credentials.js';
import { customs } from './kinds/custom-providers.js';
import { deliveries } from './kinds/deliveries.js';
import { integrationPoints } from './kinds/integration-points.js';
import { integrationEvents, integrationStatuses } from './kinds/integration-usage.js';
import { integrationWebhooks, webhookReceivers } from './kinds/integration-webhooks.js';
import { integrations } from './kinds/integrations.js';
import { operationExecutions, operations } from './kinds/jobs.js';
import { mappings } from './kinds/mappings.js';
import { members } from './kinds/members.js';
import { organizationWebhooks } from './kinds/organization-webhooks.js';
import { requestRecords } from './kinds/request-records.js';
import { roles } from './kinds/roles.js';
import { ssoConfigurations } from './kinds/sso-configurations.js';
import { tokens } from './kinds/tokens.js';

/**
 * The kinds of records that several rooms use: a transaction has a property for each. A kind that only one room uses
 * is declared there, with {@link defineKind}, and reached by `tx.records(kind)`.
 */
export const kinds = {
  accounts,
  bridges,
  credentials,
  customs,
  deliveries,
  integrationEvents,
  integrationPoints,
  integrationStatuses,
  integrationWebhooks,
  integrations,
  mappings,
  members,
  operationExecutions,
  operations,
  organizationWebhooks,
  requestRecords,
  roles,
  ssoConfigurations,
  tokens,
  webhookReceivers,
};
