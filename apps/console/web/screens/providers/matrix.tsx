import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { place, setSearch } from '../../location.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { saveAs } from '../../parts/save-as.js';
import { Select } from '../../parts/select.js';
import { Toned } from '../../parts/state.js';
import { useApiDocument } from '../../api/api-documents.js';
import { proofs } from '../../parts/proof.js';

type Provider = Result<'capabilities_list_providers'>['result'][number];
type Operation = NonNullable<Provider['operations']>[number];

/** Which provider of a domain can do what; as a file too, so that nobody keeps a list of their own. */
export function MatrixScreen() {
  const connectors = useRead('capabilities_list_connectors');
  const domain = place.value.search.get('domain') ?? 'ticketing';
  return (
    <>
      <p class="crumbs">
        <Link to="/providers">Providers</Link>
      </p>
      <h1 tabIndex={-1}>Operations by provider</h1>
      <Loaded of={connectors} lines={10}>
        {({ result }) => (
          <>
            <div class="toolbar">
              <Select
                label="Domain"
                value={domain}
                onChange={(value) => setSearch({ domain: value })}
              >
                {Object.fromEntries(
                  result
                    .filter((one) => one.provider_ids.length > 0)
                    .map(({ id, fullname }) => [id, fullname]),
                )}
              </Select>
            </div>
            <OfDomain domain={domain} />
          </>
        )}
      </Loaded>
    </>
  );
}

function OfDomain({ domain }: { domain: string }) {
  const providers = useRead('capabilities_list_providers', { query: { expand: 'operations' } });
  const { api } = useApiDocument('meta_engine_openapi_spec');
  return (
    <Loaded of={providers} lines={10}>
      {({ result }) => (
        <Matrix
          domain={domain}
          providers={result.filter(({ connector_id: id }) => id === domain)}
          stateOf={(id) => api?.operations.get(id)?.state ?? 'served'}
        />
      )}
    </Loaded>
  );
}

interface MatrixProps {
  domain: string;
  providers: readonly Provider[];
  /** State of an operation in the document of the API, such as `planned`. */
  stateOf: (operationId: string) => string;
}

function Matrix({ domain, providers, stateOf }: MatrixProps) {
  const ids = [...new Set(providers.flatMap((one) => (one.operations ?? []).map(({ id }) => id)))];
  const operationOf = (provider: Provider, id: string) =>
    provider.operations?.find((one) => one.id === id);
  if (providers.length === 0)
    return <p class="empty card">This domain has no provider in this installation.</p>;
  const save = () => {
    const rows = [
      ['Operation', ...providers.map(({ fullname }) => fullname)],
      ['How proven', ...providers.map(({ proof }) => (proof ? proofs[proof].label : '–'))],
      ...ids.map((id) => [id, ...providers.map((one) => textOf(operationOf(one, id)))]),
    ];
    const csv = rows.map((row) => row.map(quoted).join(',')).join('\r\n');
    saveAs(new Blob([csv], { type: 'text/csv' }), `${domain}-operations.csv`);
  };
  return (
    <>
      <div class="buttons start">
        <button type="button" onClick={save}>
          Download as CSV
        </button>
        <button type="button" onClick={() => window.print()}>
          Print
        </button>
      </div>
      <div class="wide card matrix" tabIndex={0} role="region" aria-label="Operations by provider">
        <table>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              {providers.map(({ id, fullname, proof }) => (
                <th scope="col" key={id}>
                  <Link to={`/providers/${id}`}>{fullname}</Link>
                  {proof && (
                    <>
                      <br />
                      <small>{proofs[proof].label}</small>
                    </>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ids.map((id) => (
              <tr key={id}>
                <th scope="row">
                  <code>{id}</code>
                  {stateOf(id) !== 'served' && <span class="badge">{stateOf(id)}</span>}
                </th>
                {providers.map((one) => (
                  <td key={one.id}>
                    <Cell operation={operationOf(one, id)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Cell({ operation }: { operation: Operation | undefined }) {
  if (operation?.supported !== true) return <Toned tone="none">No</Toned>;
  const { required_fields: required, filters, orders } = operation;
  const names = (list: readonly { name: string }[] | null | undefined) =>
    (list ?? []).map(({ name }) => name).join(', ');
  const about = [
    ['needs', required?.join(', ') ?? ''],
    ['filters', names(filters)],
    ['orders', names(orders)],
  ].filter(([, text]) => text !== '');
  return (
    <>
      <Toned tone="good">Yes</Toned>
      {about.map(([name, text]) => (
        <small key={name}>
          <br />
          {name}: {text}
        </small>
      ))}
    </>
  );
}

function textOf(operation: Operation | undefined): string {
  if (operation?.supported !== true) return 'no';
  const needed = operation.required_fields ?? [];
  return needed.length === 0 ? 'yes' : `yes, needs ${needed.join(', ')}`;
}

/** A field of CSV. One that begins like a formula gets a quote before it, so that no spreadsheet runs it. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
