export { deliveryView, readAttempts, readDeliveryQuery, replayDeliveries } from './deliveries.js';
export { checkReachableUrl, checkWebhookUrl } from './webhook-url.js';
export { OrganizationWebhooksModule } from './organization-webhooks.module.js';
