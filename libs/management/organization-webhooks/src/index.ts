export { checkWebhookUrl } from './webhook-url.js';
export {
  type CompletedJob,
  emitEvents,
  emitOperationComplete,
  type EventTools,
  type OrganizationEvent,
} from './organization-events.js';
export { sendDeliveries, wakeLater } from './waiting-deliveries.js';
export { OrganizationWebhooksModule } from './organization-webhooks.module.js';
