export { checkWebhookUrl } from './webhook-url.js';
export { OrganizationWebhooksModule } from './organization-webhooks.module.js';
