import { useState } from 'preact/hooks';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Action, Missing } from '../../parts/action.js';
import { Id } from '../../parts/copy.js';
import { Loaded } from '../../parts/loaded.js';
import { pageSize, usePages } from '../../parts/pager.js';
import { Permitted } from '../../parts/permitted.js';
import { RecordList } from '../../parts/record-list.js';
import { Toned } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';
import { type Bridge, CreateBridge, DeleteBridge, RotateBridge } from './bridge-dialogs.js';

const pollMs = 15_000;

type Open = { kind: 'new' } | { kind: 'rotate' | 'delete'; bridge: Bridge };

/** Groups of agents in the customer's network, by which integrations reach what is not on the internet. */
export function Bridges({ accountId }: { accountId: string }) {
  const [open, setOpen] = useState<Open>();
  const onClose = () => setOpen(undefined);
  return (
    <section class="stack" aria-labelledby="bridges">
      <div class="toolbar">
        <h2 id="bridges">Bridges</h2>
        <Action operation="bridges_create" onClick={() => setOpen({ kind: 'new' })}>
          New bridge
        </Action>
      </div>
      {open?.kind === 'new' && <CreateBridge accountId={accountId} onClose={onClose} />}
      {open?.kind === 'rotate' && (
        <RotateBridge accountId={accountId} {...open} onClose={onClose} />
      )}
      {open?.kind === 'delete' && (
        <DeleteBridge accountId={accountId} {...open} onClose={onClose} />
      )}
      <Permitted operation="bridges_list" what="the bridges">
        <List accountId={accountId} onOpen={setOpen} />
      </Permitted>
    </section>
  );
}

function List({ accountId, onOpen }: { accountId: string; onOpen: (open: Open) => void }) {
  const pages = usePages('bridges');
  const query = { limit: pageSize, start_after: pages.startAfter };
  const bridges = useRead('bridges_list', { path: { accountId }, query });
  return (
    <RecordList
      of={bridges}
      lines={2}
      pages={pages}
      cursor={({ id }) => id}
      columns={['Bridge', 'Agents', 'Labels', 'Last change', 'Change']}
      empty="None: the systems of the customer are reached over the internet. A bridge reaches those that are not on it, by an agent in the customer’s network."
    >
      {(one) => (
        <tr key={one.id}>
          <th scope="row">
            <bdi>{one.fullname}</bdi>
            <br />
            <Id value={one.id} />
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
            <Ago time={one.updated_at} />
          </td>
          <td>
            <Changes bridge={one} onOpen={onOpen} />
          </td>
        </tr>
      )}
    </RecordList>
  );
}

function Changes({ bridge, onOpen }: { bridge: Bridge; onOpen: (open: Open) => void }) {
  return (
    <span class="changes">
      <Action
        operation="bridges_rotate_credential"
        kind="small"
        name={`Replace credential: ${bridge.fullname}`}
        onClick={() => onOpen({ kind: 'rotate', bridge })}
      >
        Replace credential
      </Action>
      <Action
        operation="bridges_delete"
        kind="small"
        name={`Delete ${bridge.fullname}`}
        onClick={() => onOpen({ kind: 'delete', bridge })}
      >
        Delete
      </Action>
    </span>
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
