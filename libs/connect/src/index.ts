export { ConnectModule, type ConnectOptions } from './connect.module.js';
export { documentOf as mappingDocument } from './documents.js';
export { Connector } from './connector.js';
export type { IntegrationState } from './integration-state.js';
export type { Mapping, Native } from './native.js';
export {
  type Action,
  type Manifest,
  type Outcome,
  type Provider,
  type ProviderCall,
  type ProviderOperation,
} from './provider.js';
export { type Records } from './records.js';
export { type CallUsage, type Counted, Usage } from './usage.js';
export { type UsageStore, UsageWriter } from './usage-writer.js';
