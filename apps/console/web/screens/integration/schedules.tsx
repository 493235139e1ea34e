import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { Operation } from '../../parts/in-words.js';
import { JobStatus } from '../../parts/job-status.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { records, seconds } from '../../parts/numbers.js';
import { Permitted } from '../../parts/permitted.js';
import { Toned } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';
import { Message } from '../../parts/message.js';

const pollMs = 15_000;
const maxRuns = 10;

interface Props {
  integration: Result<'integrations_get'>['result'];
}

/** The schedules of an integration, and the last runs of its jobs. */
export function Schedules({ integration }: Props) {
  const schedules = integration.scheduled_operations ?? [];
  return (
    <div class="columns">
      <section class="card" aria-labelledby="schedules">
        <h2 id="schedules">Schedules</h2>
        {schedules.length === 0 ? (
          <p class="empty">None. A schedule of the integration point reads lists by itself.</p>
        ) : (
          <ul class="lines">
            {schedules.map((one, index) => (
              <li key={index}>
                <Operation id={one.operation} />
                <small>
                  {one.frequency.type}: {one.frequency.value}
                </small>
                {one.enabled === false && <Toned tone="warn">Switched off</Toned>}
              </li>
            ))}
          </ul>
        )}
        <p>
          <Link to="/jobs">Jobs of all integrations</Link>
        </p>
      </section>
      <section class="card" aria-labelledby="runs">
        <h2 id="runs">Last runs</h2>
        <Permitted operation="operations_list_execution_history" what="the runs of jobs">
          <Runs integrationId={integration.id} />
        </Permitted>
      </section>
    </div>
  );
}

function Runs({ integrationId }: { integrationId: string }) {
  const query = { limit: maxRuns, filter: [`integration_id[eq]${integrationId}`] };
  const runs = useRead('operations_list_execution_history', { query }, pollMs);
  return (
    <Loaded of={runs} lines={3}>
      {({ result }) =>
        result.length === 0 ? (
          <p class="empty">No job of this integration has run yet.</p>
        ) : (
          <ol class="lines">
            {result.map((one) => (
              <li key={one.execution_id}>
                <JobStatus status={one.status} />
                <Operation id={one.operation} />
                <small>
                  <Ago time={one.started_at} />, {records(one.records_processed)} in{' '}
                  {seconds(one.duration)}
                </small>
                {one.error && (
                  <p>
                    <Message text={one.error} />
                  </p>
                )}
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}
