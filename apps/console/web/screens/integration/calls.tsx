import { useState } from 'preact/hooks';
import { useRead } from '../../api/query.js';
import { CallCells } from '../../parts/call-cells.js';
import { Chart } from '../../parts/chart.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { seconds } from '../../parts/numbers.js';
import { Permitted } from '../../parts/permitted.js';
import { Table } from '../../parts/table.js';
import { Ago } from '../../parts/time.js';

const pollMs = 15_000;
const maxListed = 10;
const intervals = { minute: 'Last hour', hour: 'Last day', day: 'Last 30 days' } as const;
type Interval = keyof typeof intervals;

interface Props {
  path: { accountId: string; integrationId: string };
}

/** Calls over time, and the last ones. */
export function Calls({ path }: Props) {
  const [interval, setInterval] = useState<Interval>('minute');
  return (
    <>
      <section class="card" aria-labelledby="requests">
        <h2 id="requests">Requests</h2>
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
      </section>
      <section class="stack" aria-labelledby="calls">
        <h2 id="calls">Last calls</h2>
        <Permitted operation="requests_list" what="the request log">
          <LastCalls path={path} />
        </Permitted>
      </section>
    </>
  );
}

function Series({ path, interval }: Props & { interval: Interval }) {
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

function LastCalls({ path: { accountId, integrationId } }: Props) {
  const query = { limit: maxListed, filter: [`integration_id[eq]${integrationId}`] };
  const calls = useRead('requests_list', { query }, pollMs);
  return (
    <Loaded of={calls} lines={6}>
      {({ result }) =>
        result.length === 0 ? (
          <p class="empty card">
            No call is in the log. The{' '}
            <Link to={`/explorer?integration=${accountId}/${integrationId}`}>explorer</Link> makes
            one.
          </p>
        ) : (
          <>
            <Table columns={['Call', 'Ended', 'When', { number: 'Took' }]}>
              {result.map((one) => (
                <tr key={one.id}>
                  <CallCells call={one} />
                  <td>
                    <Ago time={one.created_at} />
                  </td>
                  <td class="number">{seconds(one.duration)}</td>
                </tr>
              ))}
            </Table>
            <p>
              <Link to={`/requests?integration=${integrationId}`}>All its calls, with filters</Link>
            </p>
          </>
        )
      }
    </Loaded>
  );
}
