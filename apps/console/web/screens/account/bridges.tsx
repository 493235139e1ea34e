import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Missing } from '../../parts/action.js';
import { Id } from '../../parts/copy.js';
import { Loaded } from '../../parts/loaded.js';
import { RecordList } from '../../parts/record-list.js';
import { Toned } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';

const maxListed = 200;
const pollMs = 15_000;

/** Groups of agents in the customer's network, by which integrations reach what is not on the internet; not shown where there is none. */
export function Bridges({ accountId }: { accountId: string }) {
  const isAsked = mayCall('bridges_list');
  const input = { path: { accountId }, query: { limit: maxListed } };
  const bridges = useRead('bridges_list', input, undefined, isAsked);
  if (!bridges.data || bridges.data.result.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="bridges">
      <h2 id="bridges">Bridges</h2>
      <RecordList
        of={bridges}
        columns={['Bridge', 'Agents', 'Labels', 'Id', 'Last change']}
        empty="None."
      >
        {(one) => (
          <tr key={one.id}>
            <th scope="row">
              <bdi>{one.fullname}</bdi>
            </th>
            <td>
              {mayCall('bridges_get_status') ? (
                <Agents accountId={accountId} bridgeId={one.id} />
              ) : (
                <Missing operation="bridges_get_status" />
              )}
            </td>
            <td>
              <bdi>{(one.labels ?? []).join(', ') || '–'}</bdi>
            </td>
            <td>
              <Id value={one.id} />
            </td>
            <td>
              <Ago time={one.updated_at} />
            </td>
          </tr>
        )}
      </RecordList>
    </section>
  );
}

/** The agents of a bridge that are connected now. */
function Agents({ accountId, bridgeId }: { accountId: string; bridgeId: string }) {
  const status = useRead('bridges_get_status', { path: { accountId, bridgeId } }, pollMs);
  return (
    <Loaded of={status} lines={1}>
      {({ result }) =>
        result.length === 0 ? (
          <Toned tone="warn">No agent is connected</Toned>
        ) : (
          <ul class="agents">
            {result.map((one) => (
              <li key={one.agent}>
                <Toned tone={one.last_error ? 'warn' : 'good'}>Connected</Toned>{' '}
                <bdi>{one.host_name}</bdi>
                <br />
                <small>
                  version {one.local_config.version}
                  {one.connected_at && (
                    <>
                      , since <Ago time={one.connected_at} />
                    </>
                  )}
                  , {one.local_stats.failures} of {one.local_stats.requests} requests failed
                </small>
                {one.last_error && <p>{one.last_error}</p>}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
