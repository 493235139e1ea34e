import { Operation } from '../../parts/in-words.js';
import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { useRead } from '../../api/query.js';
import { environment, place, setSearch } from '../../location.js';
import { RecordList } from '../../parts/record-list.js';
import { Action } from '../../parts/action.js';
import { ofEnvironment } from '../../parts/environment.js';
import { JobStatus, jobStatuses } from '../../parts/job-status.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { bytes, rate, records, seconds } from '../../parts/numbers.js';
import { pageSize, usePages } from '../../parts/pager.js';
import { Table } from '../../parts/table.js';
import { Ago } from '../../parts/time.js';
import { useNamesOf } from '../../parts/record-names.js';
import { CancelJob } from './cancel-job.js';
import { StartJob } from './start-job.js';
import { Message } from '../../parts/message.js';
import { useAsked } from '../../parts/use-asked.js';

export type Job = ManagementSchemas['Operation'];
type Run = ManagementSchemas['OperationExecutionEvent'];

const pollMs = 5_000;
const maxRuns = 50;

/** Lists that are read in the background: the jobs, and the runs of all of them. */
export function JobsScreen() {
  const status = place.value.search.get('status') ?? '';
  const pages = usePages();
  const query = {
    limit: pageSize,
    order: 'id[desc]',
    filter: [...(status === '' ? [] : [`status[eq]${status}`]), ...ofEnvironment()],
    start_after: pages.startAfter,
  };
  const jobs = useRead('operations_list', { query }, pollMs);
  const names = useNamesOf('integrations_list', integrationsOf(jobs.data?.result));
  const [isStarting, setStarting] = useState(false);
  useAsked(() => setStarting(true));
  const [cancelled, setCancelled] = useState<Job>();
  return (
    <>
      <h1 tabIndex={-1}>Jobs</h1>
      <p class="lead">Lists of customers’ systems that are read in the background, into a sink.</p>
      <div class="toolbar">
        <label>
          Status
          <select
            value={status}
            onChange={(event) => setSearch({ status: event.currentTarget.value, after: '' })}
          >
            <option value="">All</option>
            {Object.entries(jobStatuses).map(([id, { label }]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <Action operation="operations_create_job" kind="primary" onClick={() => setStarting(true)}>
          Run a job
        </Action>
      </div>
      {isStarting && <StartJob onClose={() => setStarting(false)} />}
      {cancelled && <CancelJob job={cancelled} onClose={() => setCancelled(undefined)} />}
      <RecordList
        of={jobs}
        lines={6}
        columns={['Job', 'Status', 'Integration', 'Schedule', { number: 'Read' }, 'Change']}
        empty={emptyText(status)}
        pages={pages}
        cursor={({ id }) => id}
      >
        {(one) => (
          <JobRow key={one.id} job={one} name={names(one.integration_id)} onCancel={setCancelled} />
        )}
      </RecordList>
      <Runs />
    </>
  );
}

function emptyText(status: string): string {
  if (environment.value !== '') return 'No job of these accounts is like this.';
  if (status !== '') return 'No job has this status.';
  return 'No job has run yet. A schedule of an integration makes one, or run one now.';
}

interface RowProps {
  job: Job;
  name: string;
  onCancel: (job: Job) => void;
}

function JobRow({ job, name, onCancel }: RowProps) {
  const isEnded = job.status === 'COMPLETE' || job.status === 'CANCELLED';
  return (
    <tr>
      <th scope="row">
        <Operation id={job.operation} />
        <br />
        <small>
          <Ago time={job.created_at} />
        </small>
      </th>
      <td>
        <JobStatus status={job.status} />
        {job.errors?.map(({ message }) => (
          <p key={message}>
            <Message text={message} />
          </p>
        ))}
      </td>
      <td>
        <Link to={`/integrations/${job.account_id}/${job.integration_id}`}>
          <bdi>{name}</bdi>
        </Link>
      </td>
      <td>
        {job.schedule ? `${job.schedule.frequency.type}: ${job.schedule.frequency.value}` : 'once'}
        {job.next_run_at && (
          <>
            , next <Ago time={job.next_run_at} />
          </>
        )}
      </td>
      <td class="number">
        {bytes(job.in_bytes)}
        {job.current_run && <Progress run={job.current_run} />}
      </td>
      <td>
        {!isEnded && (
          <Action
            operation="operations_cancel_job"
            kind="small"
            name={`Cancel ${job.operation} of ${name}`}
            onClick={() => onCancel(job)}
          >
            Cancel
          </Action>
        )}
      </td>
    </tr>
  );
}

/** How far a run is, and how fast it reads. */
function Progress({ run }: { run: ManagementSchemas['CurrentRun'] }) {
  const { records_processed: count, started_at: since } = run;
  const speed = rate(count, since);
  return (
    <p>
      {records(count)} so far
      <br />
      <small>
        {speed && `${speed}, `}began <Ago time={since} />
      </small>
    </p>
  );
}

function integrationsOf(rows: readonly { integration_id: string }[] | undefined): string[] {
  return (rows ?? []).map(({ integration_id: id }) => id);
}

function Runs() {
  const query = { limit: maxRuns, filter: ofEnvironment() };
  const runs = useRead('operations_list_execution_history', { query }, pollMs);
  const names = useNamesOf('integrations_list', integrationsOf(runs.data?.result));
  return (
    <section class="stack" aria-labelledby="runs">
      <h2 id="runs">Last runs</h2>
      <Loaded of={runs} lines={4}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty card">
              There was no run{environment.value === '' ? ' yet' : ' in this environment'}.
            </p>
          ) : (
            <Table
              name="Last runs"
              columns={[
                'Operation',
                'Status',
                'Integration',
                'Started',
                { number: 'Took' },
                { number: 'Records' },
              ]}
            >
              {result.map((one) => (
                <RunRow key={one.execution_id} run={one} name={names(one.integration_id)} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </section>
  );
}

function RunRow({ run, name }: { run: Run; name: string }) {
  return (
    <tr>
      <th scope="row">
        <Operation id={run.operation} />
      </th>
      <td>
        <JobStatus status={run.status} />
        {run.error && (
          <p>
            <Message text={run.error} />
          </p>
        )}
      </td>
      <td>
        <bdi>{name}</bdi>
      </td>
      <td>
        <Ago time={run.started_at} />
      </td>
      <td class="number">{seconds(run.duration)}</td>
      <td class="number">{run.records_processed}</td>
    </tr>
  );
}
