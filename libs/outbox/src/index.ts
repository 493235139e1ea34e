export {
  type CompletedJob,
  emitEvents,
  emitOperationComplete,
  emitTest,
  type EventTools,
  type OrganizationEvent,
} from './organization-events.js';
export {
  releaseHeld,
  releasePeriodMs,
  sendDeliveries,
  stopWaiting,
  wakeEndpoints,
  wakeLater,
} from './waiting-deliveries.js';
export { emitProviderMessage, type ProviderMessage } from './provider-messages.js';
export {
  endGrants,
  endGrantsOfSubOrganization,
  endRevocation,
  findRevocation,
  type GrantRevocation,
  isNeededYet,
  revokeGrant,
  revokeLater,
} from './grant-revocations.js';
export { callsOf } from './calls-of.js';
export { keepReceivers } from './keep-receivers.js';
export {
  endRemoval,
  findRemoval,
  inherit,
  removalsOf,
  removeLater,
  removeWebhook,
  takeRemovals,
  type WebhookRemoval,
} from './webhook-removals.js';
