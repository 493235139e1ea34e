import type { Result } from '#contract';
import { Checks } from './checks.js';
import { sentence } from './sentence.js';
import { Exact } from './time.js';

/** A verification that the provider has passed. */
export interface Passed {
  at: string;
  result: Result<'integrations_verify'>;
}

/** Says that a configuration works, or what was not tried, and when. */
export function PassedNote({ at, result }: Passed) {
  const notes = result.messages?.problems ?? [];
  return (
    <div class={notes.length === 0 ? 'note good' : 'note'} role="status">
      {notes.length === 0 ? (
        <p>The provider accepts the configuration.</p>
      ) : (
        notes.map((one, index) => <p key={index}>{sentence(one.message)}</p>)
      )}
      {result.checks && result.checks.length > 0 && <Checks checks={result.checks} />}
      <small>
        Checked <Exact time={at} />
      </small>
    </div>
  );
}
