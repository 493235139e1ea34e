import { call } from '../../api/client.js';
import { useState } from 'preact/hooks';
import { cache, useRead } from '../../api/query.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { bytes, seconds } from '../../parts/numbers.js';
import { type Passed, PassedNote } from '../../parts/passed.js';
import { ProblemBox } from '../../parts/problem.js';
import { State, stateOf } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';
import { Waiting } from '../../parts/waiting.js';
import { Drift } from './drift.js';
import { LastFailure } from './last-failure.js';

interface Props {
  path: { accountId: string; integrationId: string };
}

const pollMs = 15_000;
const turns: Record<string, string> = {
  customer: 'The customer has to act.',
  provider: 'Wait for the provider.',
  host: 'You have to act.',
};

/** The state of an integration, whose turn it is, and why its last call failed. */
export function Health({ path }: Props) {
  const status = useRead('status_get', { path: { ...path } }, pollMs);
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">Health</h2>
      <Loaded of={status}>
        {({ result }) => (
          <>
            <p class="headline">
              <State name={result.status} />{' '}
              <small>
                since <Ago time={result.updated_at} />
              </small>
            </p>
            <p>
              {stateOf(result.status).explanation}{' '}
              <strong>{turns[stateOf(result.status).turn]}</strong>
            </p>
            {result.status === 'new' ? (
              <p class="empty">
                The first call with a token of this integration appears here within seconds.{' '}
                <Link to={`/explorer?integration=${path.accountId}/${path.integrationId}`}>
                  Try it
                </Link>
              </p>
            ) : (
              <LastFailure path={path} />
            )}
            <dl class="facts">
              <Fact name="Requests" value={result.requests} />
              <Fact name="Of them by jobs" value={result.job_requests ?? 0} />
              <Fact name="Failed" value={result.failed} />
              <Fact name="Time of mapping" value={seconds(result.cpu_time)} />
              <Fact name="Bytes in" value={bytes(result.in_bytes)} />
              <Fact name="Bytes out" value={bytes(result.out_bytes)} />
            </dl>
            <Drift findings={result.drift ?? []} />
          </>
        )}
      </Loaded>
      <Verify path={path} />
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string | number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Asks the provider whether the stored configuration works. That may take a minute, so it says how long it runs, and can be cancelled. */
function Verify({ path }: Props) {
  const [passed, setPassed] = useState<Passed>();
  const { since, isBusy, error, run, cancel } = useAttempt();
  const verify = () =>
    run(async (signal) => {
      setPassed(undefined);
      const input = { path: { ...path } };
      const result = await call('integrations_verify_existing', input, signal);
      setPassed({ at: new Date().toISOString(), result });
      announce('The check has passed');
      void cache.invalidateQueries({ queryKey: ['status_get'] });
    });
  return (
    <div class="verify">
      <Action
        operation="integrations_verify_existing"
        kind="primary"
        isBusy={isBusy}
        onClick={() => void verify()}
      >
        Verify now
      </Action>
      {since !== undefined && (
        <Waiting since={since} onCancel={cancel}>
          Asking the provider …
        </Waiting>
      )}
      {passed && <PassedNote {...passed} />}
      {error && <ProblemBox error={error} />}
    </div>
  );
}
