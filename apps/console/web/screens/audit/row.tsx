import { Code, Operation } from '../../parts/in-words.js';
import { useRead } from '../../api/query.js';
import { connectorOperations, operationAt } from '../../api/operations.js';
import { place, setSearch } from '../../location.js';
import { Copy } from '../../parts/copy.js';
import { Link } from '../../parts/link.js';
import { LineDifference } from '../../parts/line-difference.js';
import { Loaded } from '../../parts/loaded.js';
import { sentence } from '../../parts/sentence.js';
import { Toned } from '../../parts/state.js';
import { Ago, Exact } from '../../parts/time.js';
import { type AuditRecord, type Change, changesOf, filtersForEarlier, kindOf } from './changes.js';
import { actorOf, type Names } from '../../parts/record-names.js';

const maxEarlier = 100;

interface Props {
  record: AuditRecord;
  names: Names;
}

/** One call: how it ended, what it was, about what, when and by whom. */
export function AuditRow({ record, names }: Props) {
  const { method, path, created_at: at, response, code } = record;
  const known = operationAt(method, path)?.id;
  const operation = known ?? `${method} ${path}`;
  const isOpen = place.value.search.get('open') === at;
  const isEvent = !/^\d+$/.test(code);
  const isChange = !isEvent && method !== 'GET' && kindOf(record) !== 'other';
  return (
    <li>
      <Ending record={record} />
      <strong>
        {isEvent ? <Code of={code} /> : known ? <Operation id={known} /> : <code>{operation}</code>}
      </strong>
      <About record={record} names={names} />
      <small>
        <Ago time={at} /> · <bdi>{actorOf(record, names.members)}</bdi>
      </small>
      {response && <p>{sentence(response)}</p>}
      <details
        class="whole"
        open={isOpen}
        onToggle={({ currentTarget: { open } }) => {
          if (open !== isOpen) setSearch({ open: open ? at : '' }, true);
        }}
      >
        <summary>
          {isChange ? 'What changed' : 'Details'}
          <span class="unseen">
            : {operation}, {at}
          </span>
        </summary>
        {isOpen && <Details record={record} isChange={isChange} />}
      </details>
    </li>
  );
}

function Ending({ record: { audit_type: type, status, code } }: { record: AuditRecord }) {
  if (type === 'ALARM') return <Toned tone="bad">Alarm</Toned>;
  if (status === 'succeeded') return <Toned tone="good">Done</Toned>;
  return status === 'refused' ? (
    <Toned tone="warn">{`Refused, ${code}`}</Toned>
  ) : (
    <Toned tone="bad">{`Failed, ${code}`}</Toned>
  );
}

function About({ record, names }: Props) {
  const { account_id: account, integration_id: integration } = record;
  if (integration && account)
    return (
      <Link to={`/integrations/${account}/${integration}`}>
        <bdi>{names.integrations(integration)}</bdi>
      </Link>
    );
  return account ? <bdi>{names.accounts(account)}</bdi> : null;
}

function Details({ record, isChange }: { record: AuditRecord; isChange: boolean }) {
  const { created_at: at, path, method, remote_addr: from, user_agent: agent, body } = record;
  const kind = kindOf(record);
  return (
    <div class="stack detail">
      {isChange && kind === 'delete' && <p>The record was deleted, with what belongs to it.</p>}
      {isChange && kind !== 'delete' && <Changes record={record} />}
      {!isChange && body !== undefined && body !== null && (
        <pre class="answer" role="group" tabIndex={0} aria-label={`Body of ${at}`}>
          {JSON.stringify(body, null, 2)}
        </pre>
      )}
      <p class="hint">
        <Exact time={at} /> ·{' '}
        <code>
          {method} {path}
        </code>{' '}
        · from {from || 'within'} by {agent || 'an unknown program'}
        {record.request_id && (
          <>
            {' '}
            · request <RequestId record={record} id={record.request_id} />{' '}
            <Copy text={record.request_id} name={`request ${record.request_id}`} />
          </>
        )}
      </p>
    </div>
  );
}

/** Calls of customers' systems are in the request log too, with what the provider was asked. */
function RequestId({ record, id }: { record: AuditRecord; id: string }) {
  const { method, path, user_agent: agent, integration_id: integration } = record;
  const operation = operationAt(method, path)?.id;
  const isOfConnector =
    agent === 'connector' || connectorOperations.some((one) => one.id === operation);
  if (!integration || !isOfConnector) return <code>{id}</code>;
  return (
    <Link to={`/requests/${id}`}>
      <code>{id}</code>
    </Link>
  );
}

/** The trail keeps what was sent, so what a field was before is found in the older records about the same thing. */
function Changes({ record }: { record: AuditRecord }) {
  const isCreate = kindOf(record) === 'create';
  const query = { order: 'created_at[desc]', limit: maxEarlier, filter: filtersForEarlier(record) };
  const earlier = useRead('audit_list', { query }, undefined, !isCreate);
  if (isCreate) return <ChangeTable changes={changesOf(record, [])} isNew record={record} />;
  return (
    <Loaded of={earlier} lines={3}>
      {({ result }) => <ChangeTable changes={changesOf(record, result)} record={record} />}
    </Loaded>
  );
}

interface TableProps {
  record: AuditRecord;
  changes: readonly Change[];
  isNew?: boolean;
}

function ChangeTable({ record, changes, isNew = false }: TableProps) {
  if (changes.length === 0)
    return <p>{isNew ? 'It was created with defaults alone.' : 'No field got another value.'}</p>;
  return (
    <div
      class="wide"
      tabIndex={0}
      role="region"
      aria-label={`What changed at ${record.created_at}`}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {!isNew && <th scope="col">Before</th>}
            <th scope="col">{isNew ? 'Created with' : 'After'}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((one, index) => (
            <tr key={index}>
              <th scope="row">
                <code>{one.field.slice(1)}</code>
              </th>
              <Values change={one} isNew={isNew} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Values({ change: { field, before, after }, isNew }: { change: Change; isNew: boolean }) {
  const isText = (value: unknown) => typeof value === 'string' && value.includes('\n');
  if (!isNew && typeof before === 'string' && typeof after === 'string' && isText(after))
    return (
      <td colSpan={2}>
        <LineDifference before={before} after={after} label={`Lines of ${field} that differ`} />
      </td>
    );
  return (
    <>
      {!isNew && <td>{before === undefined ? <NotKnown /> : <Value value={before} />}</td>}
      <td>{after === undefined ? 'removed' : <Value value={after} />}</td>
    </>
  );
}

function NotKnown() {
  return <small title="No earlier record of the trail has this field.">not in the trail</small>;
}

const whyHidden = 'The trail keeps no secrets, and no fields that the contract does not know.';

function Value({ value }: { value: unknown }) {
  if (value === '[secret]') return <small title={whyHidden}>hidden</small>;
  return <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>;
}
