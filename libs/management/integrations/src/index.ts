export { checkDocumentOrigins } from './credential-origins.js';
export { customDocuments } from './custom-documents.js';
export {
  createDemonstration,
  type DemonstrationToken,
  demonstrationTokens,
} from './demonstration.js';
export { integrationView } from './integration-view.js';
export { describeIntegration } from './resolve-integration.js';
export { IntegrationsModule } from './integrations.module.js';
export { ProviderCatalog } from './provider-catalog.js';
export { removeWebhooksOf, removeWebhooksOfSubOrganization } from './remove-webhooks.js';
