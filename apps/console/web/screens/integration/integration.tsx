import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { call } from '../../api/client.js';
import { cache, useRead } from '../../api/query.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { useAttempt } from '../../parts/attempt.js';
import { Chart } from '../../parts/chart.js';
import { Id } from '../../parts/copy.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { bytes, seconds } from '../../parts/numbers.js';
import { type Passed, PassedNote } from '../../parts/passed.js';
import { ProblemBox } from '../../parts/problem.js';
import { State, stateOf } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';
import { Waiting } from '../../parts/waiting.js';
import { Actions } from './actions.js';
import { Connections } from './connections.js';
import { Credentials } from './credentials.js';
import { Drift } from './drift.js';
import { Events } from './events.js';
import { Settings } from './settings.js';
import { Tokens } from './tokens.js';

interface Place {
  accountId: string;
  integrationId: string;
}

const pollMs = 15_000;
const intervals = { minute: 'Last hour', hour: 'Last day', day: 'Last 30 days' } as const;
type Interval = keyof typeof intervals;
const turns: Record<string, string> = {
  customer: 'The customer has to act.',
  provider: 'Wait for the provider.',
  host: 'You have to act.',
};

/** Health and configuration of an integration. */
export function IntegrationScreen(props: Record<string, string>) {
  const { accountId = '', integrationId = '' } = props;
  const path = { accountId, integrationId };
  const read = useRead('integrations_get', { path });
  const account = useRead('accounts_get', { path: { accountId } });
  const integration = read.data?.result;
  return (
    <>
      <p class="crumbs">
        <Link to="/integrations">Integrations</Link>
      </p>
      <h1 tabIndex={-1} dir="auto">
        {integration?.fullname ?? 'Integration'}
      </h1>
      <Loaded of={read} lines={2}>
        {({ result }) => (
          <p class="lead">
            {result.provider_fullname ?? result.provider_type} for{' '}
            <bdi>{account.data?.result.fullname ?? accountId}</bdi> · <Id value={result.id} />
          </p>
        )}
      </Loaded>
      {integration && (
        <>
          <p class="links">
            <Link to={`/explorer?integration=${accountId}/${integrationId}`}>
              Try it in the explorer
            </Link>
            <Link to={`/studio?integration=${accountId}/${integrationId}`}>
              Change its fields in the mapping studio
            </Link>
            <Link to={`/audit?record=${integrationId}`}>Who changed it</Link>
          </p>
          <Health path={path} />
          <div class="columns">
            <Settings key={integration.id} integration={integration} />
            <Credentials integration={integration} />
          </div>
          <Connections integration={integration} />
          <Tokens path={{ accountId: integration.account_id, integrationId: integration.id }} />
          <Configuration integration={integration} />
          <Actions integration={integration} />
        </>
      )}
    </>
  );
}

function Health({ path }: { path: Place }) {
  const input = { path: { ...path } };
  const status = useRead('status_get', input, pollMs);
  const [interval, setInterval] = useState<Interval>('minute');
  const state = status.data?.result.status;
  return (
    <div class="columns">
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
        <Events path={path} />
      </section>
      <section class="card" aria-labelledby="requests">
        <h2 id="requests">Requests</h2>
        {state === 'new' ? (
          <p class="empty">
            Nothing ran yet. The first call with a token of this integration appears here within
            seconds.{' '}
            <Link to={`/explorer?integration=${path.accountId}/${path.integrationId}`}>Try it</Link>
          </p>
        ) : (
          <>
            <div class="switch" role="group" aria-label="Time range">
              {Object.entries(intervals).map(([one, label]) => (
                <button
                  key={one}
                  type="button"
                  aria-pressed={one === interval}
                  onClick={() => setInterval(one as Interval)}
                >
                  {label}
                </button>
              ))}
            </div>
            <Series path={path} interval={interval} />
          </>
        )}
      </section>
    </div>
  );
}

function Series({ path, interval }: { path: Place; interval: Interval }) {
  const input = { path: { ...path }, query: { interval } };
  const series = useRead('status_get_integration_timeseries', input, pollMs);
  return (
    <Loaded of={series} lines={5}>
      {({ result }) => (
        <Chart
          points={result.series}
          caption={`Requests per ${interval}`}
          isByDay={interval === 'day'}
        />
      )}
    </Loaded>
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
function Verify({ path }: { path: Place }) {
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

function Configuration({ integration }: { integration: Result<'integrations_get'>['result'] }) {
  return (
    <section class="card" aria-labelledby="configuration">
      <h2 id="configuration">As JSON</h2>
      <p class="hint">As the API returns it. Secrets are stored apart and are never shown.</p>
      <pre role="group" tabIndex={0} aria-label="Configuration as JSON">
        {JSON.stringify(integration, null, 2)}
      </pre>
    </section>
  );
}
