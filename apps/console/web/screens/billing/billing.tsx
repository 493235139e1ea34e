import { useMemo } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { useRead } from '../../api/query.js';
import { place, setSearch } from '../../location.js';
import { Loaded } from '../../parts/loaded.js';
import { Permitted } from '../../parts/permitted.js';
import { saveAs } from '../../parts/save-as.js';
import { Select } from '../../parts/select.js';
import { Table } from '../../parts/table.js';
import { Exact } from '../../parts/time.js';
import { parseCsv } from './csv.js';

type Report = ManagementSchemas['Billing'];

const maxReports = 200;
const maxRows = 200;
/** The columns that people look for; the file has all. */
const shown: Record<string, string> = {
  account_name: 'Account',
  integration_name: 'Integration',
  provider_type: 'Provider',
  requests: 'Requests',
  job_requests: 'Of these by jobs',
  failed: 'Failed',
};
const numbers = new Set(['requests', 'job_requests', 'failed']);

/** Shows what was used in each month, by integration; the file is what an invoice is made of. */
export function BillingScreen() {
  return (
    <>
      <h1 tabIndex={-1}>Billing</h1>
      <p class="lead">
        What each integration has used, by month in UTC. Sub-organizations have reports of their
        own.
      </p>
      <Permitted operation="billing_list" what="billing reports">
        <Reports />
      </Permitted>
    </>
  );
}

function Reports() {
  const reports = useRead('billing_list', { query: { limit: maxReports } });
  return (
    <Loaded of={reports} lines={8}>
      {({ result }) =>
        result.length === 0 ? (
          <p class="empty card">There is no report yet. The first begins with the first request.</p>
        ) : (
          <Chosen reports={result.toSorted((one, other) => order(other, one))} />
        )
      }
    </Loaded>
  );
}

/** By the time up to which a report counts, then by its name. */
function order(one: Report, other: Report): number {
  return (
    Date.parse(one.report_date) - Date.parse(other.report_date) || (one.name < other.name ? -1 : 1)
  );
}

function Chosen({ reports }: { reports: readonly Report[] }) {
  const wanted = place.value.search.get('report') ?? '';
  const report = reports.find(({ name }) => name === wanted) ?? reports[0];
  if (report === undefined) return null;
  const names = reports.map((one): [string, string] => [one.name, titleOf(one)]);
  return (
    <>
      <div class="toolbar">
        <Select label="Report" value={report.name} onChange={(name) => setSearch({ report: name })}>
          {Object.fromEntries(names)}
        </Select>
        <button
          type="button"
          onClick={() =>
            saveAs(new Blob([report.csv_data], { type: 'text/csv' }), `${report.name}.csv`)
          }
        >
          Download as CSV
        </button>
      </div>
      <Lines report={report} />
    </>
  );
}

function titleOf({ name, month }: Report): string {
  return month === 'partial' ? `${name}, up to now` : name;
}

function Lines({ report: { name, csv_data: csv, report_date: until } }: { report: Report }) {
  const lines = useMemo(() => parseCsv(csv), [csv]);
  const columns = Object.entries(shown).filter(([key]) => lines[0]?.[key] !== undefined);
  if (lines.length === 0)
    return <p class="empty card">No integration was used in the time of this report.</p>;
  return (
    <>
      <Table
        name={`Report ${name}`}
        columns={columns.map(([key, label]) => (numbers.has(key) ? { number: label } : label))}
      >
        {lines.slice(0, maxRows).map((line, index) => (
          <tr key={index}>
            {columns.map(([key]) => (
              <td key={key} class={numbers.has(key) ? 'number' : undefined} dir="auto">
                {line[key] || '–'}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      <p class="hint">
        {lines.length === 1 ? 'One line' : `${lines.length} lines`}
        {lines.length > maxRows && `, of which the first ${maxRows} are shown`}. Counted up to{' '}
        <Exact time={until} />.
      </p>
    </>
  );
}
