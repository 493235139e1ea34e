export { checkDocumentOrigins } from './credential-origins.js';
export { customDocuments } from './custom-documents.js';
export { integrationView } from './integration-view.js';
export { IntegrationsModule } from './integrations.module.js';
