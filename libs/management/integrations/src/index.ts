export { checkDocumentOrigins } from './credential-origins.js';
export { integrationView } from './integration-view.js';
export { IntegrationsModule } from './integrations.module.js';
