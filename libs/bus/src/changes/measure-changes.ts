import type { Metrics } from '#observe';
import type { RecordChanges } from './record-changes.js';

/** Registers the metric of whether the changes are known that answers of look-ups depend on. */
export function measureChanges(
  metrics: Metrics,
  lookups: 'tokens' | 'integrations',
  changes: RecordChanges,
): void {
  metrics.gaugeBy(
    'onefold_changes_known',
    '1 for how far a process knows the changes that look-ups depend on: `certain`; `idle`, when nothing is looked up; `starting` and `unheard`, when management did not confirm them and look-ups are remembered for a second only.',
    ['lookups', 'state'],
    () => [[[lookups, changes.certainty], 1]],
  );
}
