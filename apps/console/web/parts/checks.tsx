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

/** The calls of a configuration that the provider refuses, without what the problem says itself; none when there is one alone. */
export function checksOf({ context, message, remediation: remedy }: Problem): readonly Check[] {
  const checks = context?.checks ?? [];
  if (checks.length < 2) return [];
  return checks.map(({ message: said, remediation, ...check }) => ({
    ...check,
    ...(said === undefined || message.includes(said) ? {} : { message: said }),
    ...(remediation === undefined || remediation === remedy ? {} : { remediation }),
  }));
}

function toneOf(passed: boolean | null) {
  if (passed === null) return 'none';
  return passed ? 'good' : 'bad';
}
