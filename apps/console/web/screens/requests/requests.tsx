import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { environment, place } from '../../location.js';
import { CallCells } from '../../parts/call-cells.js';
import { ofEnvironment } from '../../parts/environment.js';
import { Link } from '../../parts/link.js';
import { seconds } from '../../parts/numbers.js';
import { pageSize, usePages } from '../../parts/pager.js';
import { Permitted } from '../../parts/permitted.js';
import { RecordList } from '../../parts/record-list.js';
import { Ago } from '../../parts/time.js';
import { useNamesOf } from '../../parts/record-names.js';
import { filtersOf, readFilter } from './filters.js';
import { RequestFilters } from './request-filters.js';

const pollMs = 15_000;

/** Calls of customers' systems, as the request log has them; the filters are in the address. */
export function RequestsScreen() {
  return (
    <>
      <h1 tabIndex={-1}>Requests</h1>
      <p class="lead">
        Calls of customers’ systems: each that failed, the last 50 of every integration, and some of
        the others. What the service itself refused, and calls of the management API, are in the{' '}
        <Link to="/audit?what=all">audit trail</Link>.
      </p>
      <Permitted operation="requests_list" what="the request log">
        <List />
      </Permitted>
    </>
  );
}

type Row = Result<'requests_list'>['result'][number];

function List() {
  const filter = readFilter(place.value.search);
  const pages = usePages();
  const query = {
    limit: pageSize,
    filter: [...filtersOf(filter), ...ofEnvironment()],
    start_after: pages.startAfter,
  };
  const requests = useRead('requests_list', { query }, pages.number === 1 ? pollMs : undefined);
  const rows: readonly Row[] = requests.data?.result ?? [];
  const integrations = useNamesOf(
    'integrations_list',
    rows.map((one) => one.integration_id),
  );
  const accounts = useNamesOf(
    'accounts_list',
    rows.map((one) => one.account_id),
  );
  const isFiltered =
    environment.value !== '' || Object.values(filter).some((value) => value !== '');
  return (
    <>
      <RequestFilters filter={filter} />
      <RecordList
        of={requests}
        lines={10}
        columns={['Call', 'Ended', 'Integration', 'Account', 'When', { number: 'Took' }]}
        empty={
          isFiltered ? (
            <>
              No call of the log is like this. <Link to="/requests?environment=">Show all</Link>
            </>
          ) : (
            <>
              No call was made yet. The <Link to="/explorer">explorer</Link> makes one.
            </>
          )
        }
        pages={pages}
        cursor={({ id }) => id}
      >
        {(one) => (
          <tr key={one.id}>
            <CallCells call={one} />
            <td>
              <Link to={`/integrations/${one.account_id}/${one.integration_id}`}>
                <bdi>{integrations(one.integration_id)}</bdi>
              </Link>
            </td>
            <td>
              <bdi>{accounts(one.account_id)}</bdi>
            </td>
            <td>
              <Ago time={one.created_at} />
            </td>
            <td class="number">{seconds(one.duration)}</td>
          </tr>
        )}
      </RecordList>
    </>
  );
}
