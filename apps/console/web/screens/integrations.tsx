import { useState } from 'preact/hooks';
import { environment, go, place } from '../location.js';
import { Action } from '../parts/action.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { Pager, usePages } from '../parts/pager.js';
import { stateOf } from '../parts/state.js';
import { type IntegrationFilter, readFilter, useFiltered } from './integrations/filter.js';
import { IntegrationFilters } from './integrations/integration-filters.js';
import { Total } from './integrations/total.js';
import { StatusTable } from './status-table.js';

const pollMs = 15_000;

/** The integrations with their states; the filters are in the address. */
export function IntegrationsScreen() {
  const { search } = place.value;
  const filter = readFilter(search);
  const [isPaused, setPaused] = useState(false);
  const pages = usePages();
  const { read, last, size } = useFiltered(filter, pages.startAfter, isPaused ? undefined : pollMs);
  const isFiltered =
    environment.value !== '' || Object.values(filter).some((value) => value !== '');
  return (
    <>
      <h1 tabIndex={-1}>Integrations</h1>
      <div class="toolbar">
        <IntegrationFilters filter={filter} />
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
      <Loaded of={read} lines={10}>
        {({ result }) => (
          <>
            {result.length === 0 ? (
              <p class="empty card">
                {isFiltered ? (
                  <>
                    {emptyText(filter, size)} <Link to="/integrations?environment=">Show all</Link>
                  </>
                ) : (
                  <>
                    There are no integrations yet.{' '}
                    <Link to="/integrations/new">Connect a system</Link> of a customer.
                  </>
                )}
              </p>
            ) : (
              <StatusTable statuses={result} />
            )}
            <Pager pages={pages} size={size} last={last} />
            <Total filter={filter} />
          </>
        )}
      </Loaded>
    </>
  );
}

function emptyText(filter: IntegrationFilter, size: number): string {
  const others = Object.entries(filter).filter(([name, value]) => name !== 'state' && value !== '');
  if (others.length === 0 && filter.state === '')
    return 'No integration belongs to an account of this environment.';
  if (others.length === 0 && environment.value === '')
    return `No integration is in the state “${stateOf(filter.state).label}”.`;
  return `No integration is like this${size > 0 ? ' on this page' : ''}.`;
}
