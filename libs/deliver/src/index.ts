export {
  DeliveryEngine,
  type DeliveryParts,
  type Endpoint,
  type EndpointStopped,
} from './delivery-engine.js';
export { type EndpointHealth } from './endpoint-health.js';
export {
  type DeliveryTarget,
  type DeliveryTargets,
  OrganizationWebhookTargets,
} from './delivery-targets.js';
export { allTargets } from './targets-by-kind.js';
export { signDelivery } from './sign-delivery.js';
export { type Relayed, relayMessage } from './relay-message.js';
