import { useState } from 'preact/hooks';
import { environment, go, place } from '../location.js';
import { Action } from '../parts/action.js';
import { Link } from '../parts/link.js';
import { stateOf } from '../parts/state.js';
import { type IntegrationFilter, readFilter } from '../parts/integration-list/filter.js';
import { IntegrationList } from '../parts/integration-list/integration-list.js';
import { IntegrationFilters } from './integrations/integration-filters.js';

const pollMs = 15_000;

/** The integrations with their states, those first that somebody has to act on; filters and order are in the address. */
export function IntegrationsScreen() {
  const filter = readFilter(place.value.search);
  const [isPaused, setPaused] = useState(false);
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
      <IntegrationList
        filter={filter}
        pollMs={isPaused ? undefined : pollMs}
        empty={<Empty filter={filter} />}
      />
    </>
  );
}

function Empty({ filter }: { filter: IntegrationFilter }) {
  const limits = Object.entries(filter)
    .filter(([name, value]) => name !== 'order' && value !== '')
    .map(([name]) => name);
  if (limits.length === 0 && environment.value === '')
    return (
      <>
        There are no integrations yet. <Link to="/integrations/new">Connect a system</Link> of a
        customer.
      </>
    );
  const isByState = limits.join() === 'state' && environment.value === '';
  return (
    <>
      {limits.length === 0
        ? 'No integration belongs to an account of this environment.'
        : isByState
          ? `No integration is in the state “${stateOf(filter.state).label}”.`
          : 'No integration is like this.'}{' '}
      <Link to="/integrations?environment=">Show all</Link>
    </>
  );
}
