import { useRead } from '../api/query.js';
import { Chart } from '../parts/chart.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { State, stateOf, states } from '../parts/state.js';
import { Ago } from '../parts/time.js';
import { nameOf, pageOf, type Status } from './integration-names.js';

const pollMs = 15_000;
const maxStatuses = 200;
const maxListed = 6;

export function OverviewScreen() {
  const statuses = useRead('status_list', { query: { expand: 'all', limit: maxStatuses } }, pollMs);
  const series = useRead('status_get_timeseries', {}, pollMs);
  return (
    <>
      <h1 tabIndex={-1}>Overview</h1>
      <section aria-labelledby="by-state">
        <h2 id="by-state">Integrations by state</h2>
        <Loaded of={statuses} lines={3}>
          {({ result }) => <ByState statuses={result} />}
        </Loaded>
      </section>
      <div class="columns">
        <section class="card" aria-labelledby="attention">
          <h2 id="attention">Needs attention</h2>
          <Loaded of={statuses}>{({ result }) => <Attention statuses={result} />}</Loaded>
        </section>
        <section class="card" aria-labelledby="last-hour">
          <h2 id="last-hour">Last hour</h2>
          <Loaded of={series} lines={5}>
            {({ result }) => <Chart points={result.series} caption="Requests per minute" />}
          </Loaded>
        </section>
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
  if (statuses.length === 0) return <FirstSteps />;
  if (wrong.length === 0)
    return (
      <p class="empty">Nothing. No provider refuses a call of an integration at the moment.</p>
    );
  return (
    <>
      <ul class="lines">
        {wrong.slice(0, maxListed).map((one) => (
          <li key={one.integration_id}>
            <Link to={pageOf(one)}>{nameOf(one)}</Link>
            <State name={one.status} />
            <small>
              {one.account?.fullname ?? one.account_id} · <Ago time={one.updated_at} />
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

/** For an organization without integrations. */
function FirstSteps() {
  return (
    <div class="empty">
      <p>This organization has no integrations yet. Three steps show what they do:</p>
      <ol>
        <li>
          <Link to="/integrations/new">Connect a system</Link> of a customer. A provider whose name
          has “mock” in it needs no account anywhere.
        </li>
        <li>
          Read its records in the <Link to="/explorer">explorer</Link>, which writes the command for
          your program.
        </li>
        <li>
          Create a <Link to="/tokens">token</Link> for your backend.
        </li>
      </ol>
    </div>
  );
}
