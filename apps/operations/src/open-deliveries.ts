import { systemClock } from '#config';
import { allTargets, DeliveryEngine, type EndpointStopped } from '#deliver';
import { createDispatcher, type EgressSettings, openEgress } from '#egress';
import type { Health, Metrics } from '#observe';
import { sendDeliveries, wakeLater } from '#outbox';
import { handleTask, type TaskHandler } from '#queue';
import type { Sealer } from '#secrets';
import { type Store, type Transaction, wholeOrganization } from '#store';
import { recordAlarm } from './record-work.js';

export interface DeliveriesOptions extends EgressSettings {
  store: Store;
  sealer: Sealer;
  metrics: Metrics;
  health: Health;
  signatureHeader: string | undefined;
}

/** Deliveries to webhooks. */
export interface OpenDeliveries {
  handler: TaskHandler;
  /** Begins no further request. */
  drain: () => void;
  close: () => Promise<void>;
}

/** Sends deliveries in tasks of the queue: one task is a turn of a webhook, and enqueues the next turn. */
export function openDeliveries(options: DeliveriesOptions): OpenDeliveries {
  const { store, sealer, metrics } = options;
  const policy = openEgress(options, options.health);
  const dispatcher = createDispatcher(policy);
  const attempts = metrics.counterBy(
    'onefold_delivery_attempts_total',
    'Attempts to deliver an event to a webhook: delivered, or the reason of the failure.',
    'outcome',
  );
  const engine = new DeliveryEngine({
    store,
    clock: systemClock,
    dispatcher,
    policy,
    recordStop,
    targets: allTargets(sealer),
    signatureHeader: options.signatureHeader,
    count: (outcome) => attempts.add(outcome),
    random: Math.random,
  });
  return {
    handler: handleTask(sendDeliveries, async (endpoint) => {
      const next = await engine.run(endpoint);
      if (next === undefined) return;
      const { organizationId, endpointId } = endpoint;
      await store.write(wholeOrganization(organizationId), (tx) => wakeLater(tx, endpointId, next));
    }),
    drain: () => engine.stop(),
    close: async () => {
      await dispatcher.close();
    },
  };
}

/** Records in the audit trail that a webhook was paused or disabled, which no call did. */
async function recordStop(tx: Transaction, { path, health }: EndpointStopped): Promise<void> {
  await recordAlarm(tx, {
    method: 'PATCH',
    path,
    code: `webhook_${health.state}`,
    response: health.stateReason ?? undefined,
  });
}
