import { useRead } from '../api/query.js';
import { Chart } from '../parts/chart.js';
import { environment } from '../location.js';
import { environmentName, ofEnvironment } from '../parts/environment.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { State, stateOf, states } from '../parts/state.js';
import { Ago } from '../parts/time.js';
import { Alarms } from './overview/alarms.js';
import { EndingCredentials } from './overview/ending-credentials.js';
import { EndingTokens } from './overview/ending-tokens.js';
import { FirstSteps } from './overview/first-steps.js';
import { nameOf, pageOf, type Status } from './integration-names.js';

const pollMs = 15_000;
const maxStatuses = 200;
const maxListed = 6;

export function OverviewScreen() {
  const query = { expand: 'all', limit: maxStatuses, filter: ofEnvironment() };
  const statuses = useRead('status_list', { query }, pollMs);
  const series = useRead('status_get_timeseries', {}, pollMs);
  return (
    <>
      <h1 tabIndex={-1}>Overview</h1>
      {environment.value === '' ? (
        <FirstSteps statuses={statuses.data?.result} />
      ) : (
        <p class="lead">
          Integrations and credentials of {environmentName(environment.value)} accounts. Requests,
          alarms and tokens are those of the whole organization.
        </p>
      )}
      <section aria-labelledby="by-state">
        <h2 id="by-state">Integrations by state</h2>
        <Loaded of={statuses} lines={3}>
          {({ result }) => <ByState statuses={result} />}
        </Loaded>
      </section>
      <div class="columns">
        <section class="card" aria-labelledby="attention">
          <h2 id="attention">Needs attention</h2>
          {statuses.error !== null && statuses.data === undefined ? (
            <p class="empty">It is not known while the states cannot be read.</p>
          ) : (
            <Loaded of={statuses}>{({ result }) => <Attention statuses={result} />}</Loaded>
          )}
        </section>
        <section class="card" aria-labelledby="last-hour">
          <h2 id="last-hour">Last hour</h2>
          <Loaded of={series} lines={5}>
            {({ result }) => <Chart points={result.series} caption="Requests per minute" />}
          </Loaded>
        </section>
      </div>
      <div class="columns thirds">
        <EndingCredentials />
        <EndingTokens />
        <Alarms />
      </div>
    </>
  );
}

function ByState({ statuses }: { statuses: readonly Status[] }) {
  const counts = Object.keys(states).map(
    (name) => [name, statuses.filter(({ status }) => status === name).length] as const,
  );
  return (
    <>
      <ul class="tiles">
        {counts.map(([name, count]) => (
          <li key={name} class={count === 0 ? 'zero' : stateOf(name).tone}>
            <Link to={`/integrations?state=${name}`}>
              <b>{count}</b>
              <State name={name} />
            </Link>
          </li>
        ))}
      </ul>
      {statuses.length === maxStatuses && (
        <p class="hint">Of the first {maxStatuses} integrations. The list has all of them.</p>
      )}
    </>
  );
}

function Attention({ statuses }: { statuses: readonly Status[] }) {
  const order = Object.keys(states);
  const wrong = statuses
    .filter(({ status }) => ['bad', 'warn'].includes(stateOf(status).tone))
    .sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  if (wrong.length === 0)
    return (
      <p class="empty">Nothing. No provider refuses a call of an integration at the moment.</p>
    );
  return (
    <>
      <ul class="lines">
        {wrong.slice(0, maxListed).map((one) => (
          <li key={one.integration_id}>
            <Link to={pageOf(one)}>
              <bdi>{nameOf(one)}</bdi>
            </Link>
            <State name={one.status} />
            <small>
              <bdi>{one.account?.fullname ?? one.account_id}</bdi> · <Ago time={one.updated_at} />
            </small>
          </li>
        ))}
      </ul>
      {wrong.length > maxListed && (
        <p class="hint">And {wrong.length - maxListed} more in the list.</p>
      )}
    </>
  );
}
