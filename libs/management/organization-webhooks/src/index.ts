export { OrganizationWebhooksModule } from './organization-webhooks.module.js';
