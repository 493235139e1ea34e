import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { go } from '../../location.js';
import { Action } from '../../parts/action.js';
import { Copy } from '../../parts/copy.js';
import { environmentName } from '../../parts/environment.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Monogram } from '../../parts/monogram.js';
import { Toned } from '../../parts/state.js';
import { Table } from '../../parts/table.js';
import { FormPreview } from './form-preview.js';
import { ProofMark, proofs } from '../../parts/proof.js';

type Provider = Result<'capabilities_get_provider'>['result'];
type Operation = NonNullable<Provider['operations']>[number];

const availabilities: Record<string, string> = {
  'generally-available': 'Available',
  'pre-release': 'Pre-release: it may still change',
  'in-development': 'In development',
  deprecated: 'Deprecated: do not begin with it',
  internal: 'Internal',
};

/** A provider: how it is proven, what it can do, and how somebody gets access at the vendor. */
export function ProviderScreen({ providerId = '' }: Record<string, string>) {
  const query = { expand: ['operations', 'provider_config'] };
  const read = useRead('capabilities_get_provider', { path: { providerId }, query });
  return (
    <>
      <p class="crumbs">
        <Link to="/providers">Providers</Link>
      </p>
      <h1 tabIndex={-1}>{read.data?.result.fullname ?? 'Provider'}</h1>
      <Loaded of={read} lines={8}>
        {({ result }) => (
          <>
            <Head provider={result} />
            <Setup provider={result} />
            <FormPreview provider={result} />
            <Operations provider={result} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Head({ provider }: { provider: Provider }) {
  const { id, fullname, vendor, description, proof, release } = provider;
  return (
    <section class="card stack" aria-label="About it">
      <div class="provider-head">
        <Monogram id={id} name={fullname} />
        <div>
          <p>
            {vendor === fullname ? '' : `${vendor}. `}
            {description}
          </p>
          <small>
            <code>{id}</code> <Copy text={id} name={id} />
          </small>
        </div>
        <Action
          operation="integrations_create"
          kind="primary"
          onClick={() => go(`/integrations/new?provider=${id}`)}
        >
          Connect it
        </Action>
      </div>
      {proof ? (
        <p>
          <ProofMark proof={proof} /> {proofs[proof].explanation}
        </p>
      ) : (
        <p>There is no system behind it: its records are made up, for trials.</p>
      )}
      {release && (
        <p>
          {availabilities[release.availability] ?? release.availability}, for accounts in{' '}
          {release.environments.map(environmentName).join(' and ')}.
        </p>
      )}
    </section>
  );
}

function Setup({ provider: { fullname, setup, operations } }: { provider: Provider }) {
  const ofOperations = new Set((operations ?? []).flatMap((one) => one.needs ?? []));
  const needs = setup?.permissions ?? [...ofOperations];
  if (!setup && needs.length === 0) return null;
  return (
    <section class="card" aria-labelledby="setup">
      <h2 id="setup">How to get access</h2>
      {setup && (
        <ol class="bullets">
          {setup.steps.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ol>
      )}
      {setup?.link !== undefined && (
        <p>
          <a href={setup.link} target="_blank" rel="noopener noreferrer">
            Open {fullname} in a new tab
          </a>
        </p>
      )}
      {needs.length > 0 && (
        <>
          <h3>Permissions to grant there</h3>
          <ul class="bullets">
            {needs.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Operations({ provider: { operations } }: { provider: Provider }) {
  const [isAll, setAll] = useState(false);
  const all = operations ?? [];
  const supported = all.filter((one) => one.supported);
  const shown = isAll ? all : supported;
  return (
    <section class="stack" aria-labelledby="operations">
      <div class="toolbar">
        <h2 id="operations">Operations</h2>
        <span class="hint">
          {supported.length} of the {all.length} of its domain
        </span>
        {supported.length < all.length && (
          <button type="button" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
            Show those that it does not have
          </button>
        )}
      </div>
      {all.length === 0 ? (
        <p class="empty card">It has no operations.</p>
      ) : (
        <Table
          name="Operations"
          columns={[
            'Operation',
            'Supported',
            'Needs there',
            'Needs in a request',
            'Filters',
            'Orders',
          ]}
        >
          {shown.map((one) => (
            <OperationRow key={one.id} operation={one} />
          ))}
        </Table>
      )}
    </section>
  );
}

function OperationRow({ operation }: { operation: Operation }) {
  const { id, fullname, supported, needs, required_fields: required, filters, orders } = operation;
  const namesOf = (list: typeof filters | typeof orders) =>
    (list ?? []).map(({ name }) => name).join(', ') || '–';
  return (
    <tr>
      <th scope="row">
        {fullname && (
          <>
            {fullname}
            <br />
          </>
        )}
        <code>{id}</code>
      </th>
      <td>
        {supported ? <Toned tone="good">Yes</Toned> : <Toned tone="none">Not supported</Toned>}
      </td>
      <td>{needs ?? '–'}</td>
      <td>{required?.join(', ') || '–'}</td>
      <td class="names">{namesOf(filters)}</td>
      <td class="names">{namesOf(orders)}</td>
    </tr>
  );
}
