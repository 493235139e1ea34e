export type { CompiledQuery } from './document-reader.js';
export type {
  ClientCall,
  ClientFile,
  ClientFunction,
  ClientFunctions,
  ClientRequest,
  ClientResponse,
} from './client-function.js';
export { isOrigin } from './credential-addresses.js';
export { storedKind } from './credential-names.js';
export { compileProvider, compileProviders, openProviders } from './compile-provider.js';
export type {
  CompiledCall,
  CompiledError,
  CompiledOperation,
  CompiledPage,
  CompiledProvider,
  CompiledRequest,
  CompiledSending,
  CompiledStep,
  CompiledVerification,
  CompiledWebhooks,
  CompiledWindow,
} from './compiled-provider.js';
export {
  describeOperation,
  describeProvider,
  type OperationDescription,
  type ProviderDescription,
} from './describe-provider.js';
export { evaluate, evaluateIfPossible, evaluateTemplate, textOf } from './evaluate.js';
export { lazyObject } from './lazy-map.js';
export { listFields } from './list-fields.js';
export {
  domainOf,
  environmentsOf,
  type Manifest,
  type ManifestSource,
  manifestsOf,
} from './manifest.js';
export { strongestProof } from './proof.js';
export {
  describeMock,
  isMadeUp,
  isMockType,
  mockDatasets,
  mockManifest,
  mockType,
} from './mock.js';
export { actionOf } from './operation-names.js';
export { UnusablePathValue } from './path-template.js';
export {
  checkTranslationFile,
  customerTexts,
  missingTranslations,
  readTranslations,
  type Translation,
  type Translations,
} from './translations.js';
export { visibleNames } from './visible-names.js';
export { readFunctions, readProviders } from './read-provider.js';
export { type CredentialKind, credentialKinds } from './source.js';
