export { IntegrationWebhooksModule } from './integration-webhooks.module.js';
