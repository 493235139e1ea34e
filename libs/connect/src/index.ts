export { ConnectModule, type ConnectOptions } from './connect.module.js';
export { documentOf as mappingDocument } from './documents.js';
export { Connector } from './connector.js';
export { each } from './document/each.js';
export { compileProvider, compileProviders } from './document/compile-provider.js';
export type { Action } from './document/source.js';
export type {
  ClientCall,
  ClientFunction,
  ClientFunctions,
  ClientRequest,
  ClientResponse,
} from './document/client-function.js';
export type { CompiledProvider } from './document/compiled-provider.js';
export {
  describeProvider,
  type OperationDescription,
  type ProviderDescription,
} from './document/describe-provider.js';
export { documentProvider } from './document/document-provider.js';
export { type Manifest, type ManifestSource, manifestsOf } from './document/manifest.js';
export { readFunctions, readProviders } from './document/read-provider.js';
export type { Mapping, MappingContext, Native } from './native.js';
export {
  type Outcome,
  type Provider,
  type ProviderCall,
  type ProviderDocument,
  type ProviderOperation,
  type Providers,
} from './provider.js';
export type { IntegrationState } from './integration-state.js';
export { type CallUsage, type Counted, Usage } from './usage.js';
export { type UsageStore, UsageWriter } from './usage-writer.js';
