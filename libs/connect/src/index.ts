export { ConnectModule, type ConnectOptions } from './connect.module.js';
export { documentOf as mappingDocument } from './documents.js';
export { Connector } from './connector.js';
export { each } from './document/each.js';
export { documentProvider } from './document/document-provider.js';
export type { Mapping, MappingContext, Native } from './native.js';
export {
  type MappedRequest,
  type Outcome,
  type Provider,
  type ProviderCall,
  type ProviderDocument,
  type ProviderOperation,
  type Providers,
  type RecordChange,
  RecordChanged,
} from './provider.js';
export type { IntegrationState } from './integration-state.js';
export { type CallUsage, type Counted, Usage } from './usage.js';
export { type UsageStore, UsageWriter } from './usage-writer.js';
