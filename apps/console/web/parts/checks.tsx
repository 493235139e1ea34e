import type { Problem, Result } from '#contract';
import { sentence } from './sentence.js';
import { Toned } from './state.js';

type Check = NonNullable<Result<'integrations_verify'>['checks']>[number];

/** The calls that tried a configuration, with the permission that each needs at the provider. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <ul class="checks">
      {checks.map(({ needs, passed, message, remediation }, index) => (
        <li key={index}>
          <Toned tone={toneOf(passed)}>{needs}</Toned>
          {passed === null && <p>Not tried: the check before it failed.</p>}
          {message !== undefined && <p>{sentence(message)}</p>}
          {remediation !== undefined && <p>{sentence(remediation)}</p>}
        </li>
      ))}
    </ul>
  );
}

/** The calls of a configuration that the provider refuses; none when one alone says no more than the problem. */
export function checksOf({ context }: Problem): readonly Check[] {
  const checks = context?.checks ?? [];
  return checks.length > 1 ? checks : [];
}

function toneOf(passed: boolean | null) {
  if (passed === null) return 'none';
  return passed ? 'good' : 'bad';
}
