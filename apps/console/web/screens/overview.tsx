import { useRead } from '../api/query.js';
import { Chart } from '../parts/chart.js';
import { environment } from '../location.js';
import { environmentName } from '../parts/environment.js';
import { Loaded } from '../parts/loaded.js';
import { Alarms } from './overview/alarms.js';
import { Attention } from './overview/attention.js';
import { ByState } from './overview/by-state.js';
import { EndingCredentials } from './overview/ending-credentials.js';
import { EndingTokens } from './overview/ending-tokens.js';
import { FirstSteps } from './overview/first-steps.js';

const pollMs = 15_000;

export function OverviewScreen() {
  const series = useRead('status_get_timeseries', {}, pollMs);
  return (
    <>
      <h1 tabIndex={-1}>Overview</h1>
      {environment.value === '' ? (
        <FirstSteps />
      ) : (
        <p class="lead">
          Integrations and credentials of {environmentName(environment.value)} accounts. Requests,
          alarms and tokens are those of the whole organization.
        </p>
      )}
      <section aria-labelledby="by-state">
        <h2 id="by-state">Integrations by state</h2>
        <ByState />
      </section>
      <div class="columns">
        <Attention />
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
