import type { Metrics } from '#observe';
import type { Keyring, Keys } from '#secrets';

/** Shows the ids of the keys that a process seals with now: of data, of each domain whose key it was given, and of the bus. Never a key. */
export function showKeys(metrics: Metrics, ring: Keyring, bus: Keys): void {
  metrics.gaugeBy(
    'onefold_key_in_use',
    'The ids of the keys that the process seals with now; always 1.',
    ['use', 'key'],
    () => [
      ...(ring.isComplete ? [[['data', ring.current.id], 1] as const] : []),
      ...ring.givenDomains.map(
        (domain) => [[domain, ring.forDomain(domain).current.id], 1] as const,
      ),
      [['bus', bus.current.id], 1] as const,
    ],
  );
}
