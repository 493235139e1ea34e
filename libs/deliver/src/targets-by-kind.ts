import type { Sealer } from '#secrets';
import type { DeliveryTargets } from './delivery-targets.js';
import { OrganizationWebhookTargets } from './delivery-targets.js';
import { IntegrationWebhookTargets } from './integration-webhook-targets.js';

/** The addresses of all kinds, told apart by the beginning of their ids. */
export function allTargets(sealer: Sealer): DeliveryTargets {
  const ofOrganizations = new OrganizationWebhookTargets(sealer);
  const ofIntegrations = new IntegrationWebhookTargets(sealer);
  const targetsOf = (endpointId: string): DeliveryTargets =>
    IntegrationWebhookTargets.owns(endpointId) ? ofIntegrations : ofOrganizations;
  return {
    find: (tx, id, now) => targetsOf(id).find(tx, id, now),
    take: (tx, id, now, until) => targetsOf(id).take(tx, id, now, until),
    lock: (tx, id) => targetsOf(id).lock(tx, id),
    save: (tx, id, health) => targetsOf(id).save(tx, id, health),
  };
}
