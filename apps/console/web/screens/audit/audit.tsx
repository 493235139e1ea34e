import { cache, useRead } from '../../api/query.js';
import { place } from '../../location.js';
import { announce } from '../../parts/announce.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager, pageSize, usePages } from '../../parts/pager.js';
import { Permitted } from '../../parts/permitted.js';
import { AuditFilters } from './audit-filters.js';
import type { AuditRecord } from './changes.js';
import { type AuditFilter, filtersOf, readFilter } from './filters.js';
import { Download } from './download.js';
import { useNames } from '../../parts/record-names.js';
import { AuditRow } from './row.js';

const pollMs = 15_000;

/** Lists who called what, when, and what it changed; the newest first. */
export function AuditScreen() {
  return (
    <>
      <h1 tabIndex={-1}>Audit</h1>
      <p class="lead">
        Every call of the management API, with who made it and how it ended. Nobody can change it.
      </p>
      <Permitted operation="audit_list" what="the audit trail">
        <Trail />
      </Permitted>
    </>
  );
}

function Trail() {
  const filter = readFilter(place.value.search);
  const pages = usePages();
  const filters = filtersOf(filter);
  const query = {
    order: 'created_at[desc]',
    limit: pageSize,
    filter: filters,
    start_after: pages.startAfter,
  };
  const records = useRead('audit_list', { query });
  return (
    <>
      <AuditFilters filter={filter} />
      <Loaded of={records} lines={10}>
        {({ result }) => (
          <>
            {pages.number === 1 && filter.what !== 'all' && filter.to === '' && (
              <Newer filters={filters} newest={result[0]?.created_at} />
            )}
            {result.length === 0 ? <Empty filter={filter} /> : <Records records={result} />}
            <Pager pages={pages} size={result.length} last={result.at(-1)?.created_at} />
            {result.length > 0 && <Download filters={filters} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Records({ records }: { records: readonly AuditRecord[] }) {
  const names = useNames(records);
  return (
    <section class="card" aria-label="Records of the audit trail">
      <ol class="lines trail">
        {records.map((one) => (
          <AuditRow key={one.created_at} record={one} names={names} />
        ))}
      </ol>
    </section>
  );
}

interface NewerProps {
  filters: readonly string[];
  /** Time of the first record of the list. */
  newest: string | undefined;
}

/** Says that there are newer records, and shows them only when somebody asks: nobody who reads loses their place. */
function Newer({ filters, newest }: NewerProps) {
  const filter = newest === undefined ? filters : [...filters, `created_at[gt]${newest}`];
  const query = { limit: pageSize, filter };
  const count = useRead('audit_list', { query }, pollMs).data?.result.length ?? 0;
  if (count === 0) return null;
  const show = () => {
    void cache.invalidateQueries({ queryKey: ['audit_list'] });
    announce('The newest records are shown');
  };
  return (
    <p>
      <button type="button" onClick={show}>
        Show {count < pageSize ? count : `${pageSize} or more`} new
      </button>
    </p>
  );
}

function Empty({ filter }: { filter: AuditFilter }) {
  const isFiltered = Object.values(filter).some((text) => text !== '');
  return (
    <p class="empty card">
      {isFiltered ? (
        <>
          No record of the trail is like this. <Link to="/audit">Show all changes</Link>
        </>
      ) : (
        'Nothing was changed yet.'
      )}
    </p>
  );
}
