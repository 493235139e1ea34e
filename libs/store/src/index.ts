export { Bridge } from './bridge.js';
export { connectDatabase, type DatabaseOptions, migrate } from './data-source.js';
export { Custom } from './custom.js';
export { dataKey } from './data-keys.js';
export {
  Account,
  Credential,
  Integration,
  IntegrationPoint,
  Mapping,
  Member,
  Organization,
  SsoConfiguration,
  type StoredPair,
  Token,
  type TokenRenewal,
} from './entities.js';
export { type CommittedEvent, EventRelay } from './event-relay.js';
export { IdempotencyKey } from './idempotency-key.js';
export { kinds } from './kinds.js';
export { filterCondition } from './filter-condition.js';
export { limitCondition, reachCondition } from './limits.js';
export { type ListParameters, type ListQuery, listQuery, understood } from './list-query.js';
export { AsyncOperation, OperationExecution } from './operation.js';
export { OrganizationWebhook } from './organization-webhook.js';
export { DatabaseUnusable } from './database-unusable.js';
export { openStore } from './open-store.js';
export { isViolation, type Records, type SeenRecord } from './records.js';
export { Role } from './role.js';
export { type Rewrapped, rewrap } from './rewrap.js';
export { type Scope, scopeOf, wholeOrganization } from './scope.js';
export { Store } from './store.js';
export type { TenantRecord } from './tenant-record.js';
export { type Transaction } from './transaction.js';
export type { Access, Attendance, Witness } from './witness.js';
export { type ReportedState, type UsageBatch, type UsageCounts } from './usage.js';
export { IntegrationEvent, IntegrationStatus } from './usage-entities.js';
