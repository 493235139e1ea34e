export {
  connectDatabase,
  type DatabaseOptions,
  measurePool,
  migrate,
  openPool,
  pendingMigrations,
} from './data-source.js';
export { dataKey, type KeyOwner, keysInUseQuery } from './data-keys.js';
export { ChangeFeed, type ConfirmedChanges, feedLimits } from './change-feed.js';
export { type CommittedEvent, EventRelay } from './event-relay.js';
export { type HeldKey, IdempotencyKey } from './idempotency-key.js';
export { defineKind, type RecordKind } from './define-kind.js';
export { kinds } from './kinds.js';
export { tenantFields } from './kind-parts.js';
export { Account } from './kinds/accounts.js';
export { Bridge } from './kinds/bridges.js';
export { Credential } from './kinds/credentials.js';
export { Custom } from './kinds/custom-providers.js';
export { Delivery } from './kinds/deliveries.js';
export { IntegrationPoint } from './kinds/integration-points.js';
export { IntegrationEvent, IntegrationStatus } from './kinds/integration-usage.js';
export { IntegrationWebhook, WebhookReceiver } from './kinds/integration-webhooks.js';
export { Integration, type Recording } from './kinds/integrations.js';
export { AsyncOperation, type JobSchedule, OperationExecution } from './kinds/jobs.js';
export { Mapping } from './kinds/mappings.js';
export { Member } from './kinds/members.js';
export { RequestRecord, type StoredExchange } from './kinds/request-records.js';
export { OrganizationWebhook } from './kinds/organization-webhooks.js';
export { Role } from './kinds/roles.js';
export { SsoConfiguration } from './kinds/sso-configurations.js';
export { type StoredPair, Token, type TokenRenewal } from './kinds/tokens.js';
export { Organization, organizationIds } from './organization.js';
export { filterCondition } from './filter-condition.js';
export { limitCondition, reachCondition } from './limits.js';
export { type ListParameters, type ListQuery, listQuery, understood } from './list-query.js';
export { DatabaseUnusable, explainDatabaseError } from './database-unusable.js';
export { openStore } from './open-store.js';
export type { LoggedRequest, RecordedCall, RecordedRun, SealedBodies } from './logged-request.js';
export {
  isViolation,
  maxCountedRows,
  type Records,
  type SeenRecord,
  type Total,
} from './records.js';
export { type Rewrapped, rewrap } from './rewrap.js';
export { ownAccountId, type OwnPoint, ownPoints } from './own-account.js';
export { sealForDomains } from './seal-for-domains.js';
export { type Scope, scopeOf, wholeOrganization } from './scope.js';
export { maxRecentRequests, Store } from './store.js';
export { storableText } from './storable-text.js';
export type { TenantRecord } from './tenant-record.js';
export { type Reader, type Transaction } from './transaction.js';
export { DatabaseUnavailable } from './unavailable.js';
export type {
  Access,
  TransactionHooks,
  CommitStatement,
  TransactionObserver,
} from './transaction-observer.js';
export {
  type DriftKind,
  maxDriftOfIntegration,
  type ReportedDrift,
  type StoredDrift,
} from './drift.js';
export { type ReportedState, type UsageBatch, type UsageCounts } from './usage.js';
export { countLatency, percentileOf } from './latencies.js';
export * as accountQueries from './queries/accounts.js';
export * as alarmMailQueries from './queries/alarm-mails.js';
export type { ChangedState, MailPace } from './queries/alarm-mails.js';
export * as bridgeAgentQueries from './queries/bridge-agents.js';
export * as bridgeQueries from './queries/bridges.js';
export * as authorizationQueries from './queries/connect-authorizations.js';
export * as grantQueries from './queries/credential-grants.js';
export * as renewalQueries from './queries/credential-renewals.js';
export * as credentialQueries from './queries/credentials.js';
export * as customProviderQueries from './queries/custom-providers.js';
export * as deliveryQueries from './queries/deliveries.js';
export * as endpointQueries from './queries/delivery-endpoints.js';
export * as integrationPointQueries from './queries/integration-points.js';
export * as integrationQueries from './queries/integrations.js';
export * as logonAttemptQueries from './queries/logon-attempts.js';
export * as memberQueries from './queries/members.js';
export * as organizationQueries from './queries/organizations.js';
export * as providerLimitQueries from './queries/provider-limits.js';
export * as providerTokenQueries from './queries/provider-tokens.js';
export * as requestBodyQueries from './queries/request-bodies.js';
export * as signOnQueries from './queries/sign-ons.js';
export * as tokenQueries from './queries/tokens.js';
export * as usageQueries from './queries/usage.js';
