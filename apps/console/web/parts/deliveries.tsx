import type { ManagementSchemas } from '#contract';
import { call } from '../api/client.js';
import { cache } from '../api/query.js';
import { Action } from './action.js';
import { announce } from './announce.js';
import { useAttempt } from './attempt.js';
import { seconds } from './numbers.js';
import { ProblemBox } from './problem.js';
import { sentence } from './sentence.js';
import { Toned } from './state.js';
import { Ago, Exact } from './time.js';

type Delivery = ManagementSchemas['Delivery'];

const statuses = {
  waiting: { label: 'Waiting', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
} as const;

interface Props {
  deliveries: readonly Delivery[];
  /** The operation that sends some again, and the records that its path names. */
  replay: {
    operation: 'organizationWebhooks_replay_deliveries' | 'integrations_replay_deliveries';
    path: Record<string, string>;
    /** The operation whose result changes with it. */
    listedBy: string;
  };
}

/** Deliveries with their attempts and bodies, the newest first. */
export function Deliveries({ deliveries, replay: { operation, path, listedBy } }: Props) {
  const { run, isBusy, error } = useAttempt();
  const replay = (id: string) =>
    run(async (signal) => {
      await call(operation, { path, body: { delivery_ids: [id] } }, signal);
      await cache.invalidateQueries({ queryKey: [listedBy] });
      announce('It is sent again');
    });
  return (
    <>
      {error && <ProblemBox error={error} />}
      <ol class="lines">
        {deliveries.map((one) => (
          <li key={one.id}>
            <Toned tone={statuses[one.status].tone}>{statuses[one.status].label}</Toned>
            <strong>{one.event}</strong>
            <small>
              <Ago time={one.created_at} /> ·{' '}
              {one.attempts.length === 1 ? '1 attempt' : `${one.attempts.length} attempts`}
              {one.next_attempt_at && (
                <>
                  , next <Ago time={one.next_attempt_at} />
                </>
              )}
            </small>
            <Action
              operation={operation}
              kind="small"
              name={`Send again: ${one.event} ${one.id}`}
              isBusy={isBusy}
              onClick={() => void replay(one.id)}
            >
              Send again
            </Action>
            <Details delivery={one} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Details({ delivery: { id, event, attempts, payload } }: { delivery: Delivery }) {
  return (
    <details class="whole">
      <summary>
        Attempts and body<span class="unseen"> of {`${event} ${id}`}</span>
      </summary>
      <ol class="lines">
        {attempts.map((one) => (
          <li key={one.number}>
            <strong>{one.status_code ?? 'No response'}</strong>
            <small>
              <Exact time={one.started_at} /> · {seconds(one.duration)}
            </small>
            {one.error && <p>{sentence(one.error)}</p>}
            {one.response && (
              <pre role="group" tabIndex={0} aria-label={`Response ${one.number}`}>
                {one.response}
              </pre>
            )}
          </li>
        ))}
      </ol>
      <pre class="answer" role="group" tabIndex={0} aria-label={`Body of ${id}`}>
        {JSON.stringify(payload, null, 2)}
      </pre>
    </details>
  );
}
