export { ConnectModule, type ConnectOptions } from './connect.module.js';
export { customerMapping } from './records/customer-mapping.js';
export { Connector } from './connector.js';
export { mapConcurrently } from './document/map-concurrently.js';
export { DryRunReply } from './dry-run-reply.js';
export { Drift } from './drift/drift.js';
export { documentProvider } from './document/document-provider.js';
export { type InformationalProblem, Problems } from './problems.js';
export type { OperationResult } from './map-response.js';
export type { Mapping, MappingContext, ProviderRecord } from './provider-record.js';
export {
  type MappedRequest,
  type ProviderResult,
  type Provider,
  type ProviderCall,
  type ProviderDocument,
  type ProviderOperation,
  type Providers,
  type RecordChange,
  RecordChanged,
} from './provider.js';
export { type RecordCheckOptions, RecordChecks } from './records/record-checks.js';
export type { IntegrationState } from './integrations/integration-state.js';
export { RequestLog } from './request-log/request-log.js';
export { CallUsage, type Counted, Usage } from './usage/usage.js';
export { type UsageStore, UsageWriter } from './usage/usage-writer.js';
export { IntegrationWebhooks, type WebhookFacts } from './integrations/integration-webhooks.js';
export { runOnce } from './writes/idempotency.js';
export type { WebhookMessage } from './provider.js';
