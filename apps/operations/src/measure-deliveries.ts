import type { Metrics } from '#observe';
import type { Store } from '#store';
import { repeat } from './repeat.js';

const intervalMs = 15_000;

/** Registers metrics of the deliveries of all workers, and measures them from time to time. */
export function measureDeliveries(store: Store, metrics: Metrics): { stop: () => void } {
  const known = { waiting: 0, held: 0, oldestSeconds: 0 };
  const measure = async () => {
    const now = new Date();
    const { waiting, held, oldestDue } = await store.deliveryBacklog(now);
    const oldestSeconds =
      oldestDue === undefined ? 0 : (now.getTime() - oldestDue.getTime()) / 1_000;
    Object.assign(known, { waiting, held, oldestSeconds });
  };
  metrics.gauge(
    'onefold_deliveries_waiting',
    'Deliveries that are due or wait for their next attempt.',
    () => known.waiting,
  );
  metrics.gauge(
    'onefold_deliveries_held',
    'Deliveries that wait for paused webhooks.',
    () => known.held,
  );
  metrics.gauge(
    'onefold_delivery_oldest_seconds',
    'Seconds that the oldest delivery has been due.',
    () => known.oldestSeconds,
  );
  return repeat('deliveries not measured', intervalMs, measure);
}
