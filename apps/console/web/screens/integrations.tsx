import { useState } from 'preact/hooks';
import { useRead } from '../api/query.js';
import { go, place, setSearch } from '../location.js';
import { Action } from '../parts/action.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { Pager, pageSize, usePages } from '../parts/pager.js';
import { stateOf, states } from '../parts/state.js';
import { StatusTable } from './status-table.js';

const pollMs = 15_000;

export function IntegrationsScreen() {
  const state = place.value.search.get('state') ?? '';
  const [isPaused, setPaused] = useState(false);
  const pages = usePages();
  const statuses = useRead(
    'status_list',
    {
      query: {
        expand: 'all',
        limit: pageSize,
        filter: state === '' ? undefined : `status[eq]${state}`,
        start_after: pages.startAfter,
      },
    },
    isPaused ? undefined : pollMs,
  );
  return (
    <>
      <h1 tabIndex={-1}>Integrations</h1>
      <div class="toolbar">
        <label>
          State
          <select
            value={state}
            onChange={(event) => setSearch({ state: event.currentTarget.value, after: '' })}
          >
            <option value="">All</option>
            {Object.entries(states).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          Pause updates
        </button>
        <Action
          operation="integrations_create"
          kind="primary"
          onClick={() => go('/integrations/new')}
        >
          Connect a system
        </Action>
      </div>
      <Loaded of={statuses} lines={10}>
        {({ result }) =>
          result.length === 0 ? (
            <Empty state={state} />
          ) : (
            <>
              <StatusTable statuses={result} />
              <Pager pages={pages} size={result.length} last={result.at(-1)?.integration_id} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Empty({ state }: { state: string }) {
  if (state === '')
    return (
      <p class="empty card">
        There are no integrations yet. <Link to="/integrations/new">Connect a system</Link> of a
        customer.
      </p>
    );
  return (
    <p class="empty card">
      No integration is in the state “{stateOf(state).label}”.{' '}
      <Link to="/integrations">Show all</Link>
    </p>
  );
}
