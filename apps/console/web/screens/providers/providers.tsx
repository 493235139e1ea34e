import { useRead } from '../../api/query.js';
import { place, setSearch } from '../../location.js';
import {
  countOf,
  type Domain,
  DomainSections,
  isNamed,
  MockSwitch,
  type Provider,
  useMocksHidden,
  withProviders,
} from '../../parts/domains.js';
import { Field } from '../../parts/field.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Monogram } from '../../parts/monogram.js';
import { Select } from '../../parts/select.js';
import { ProofMark, proofs } from '../../parts/proof.js';

/** The systems that can be connected, by domain, with how it is proven that they work. */
export function ProvidersScreen() {
  const domains = useRead('capabilities_list_connectors', { query: { expand: 'providers' } });
  return (
    <>
      <h1 tabIndex={-1}>Providers</h1>
      <p class="lead">
        The systems that this installation can connect, and how each is proven.{' '}
        <Link to="/providers/operations">Which can do what</Link>
      </p>
      <Loaded of={domains} lines={10}>
        {({ result }) => (
          <Catalogue domains={result.filter((one) => one.provider_ids.length > 0)} />
        )}
      </Loaded>
    </>
  );
}

function Catalogue({ domains }: { domains: readonly Domain[] }) {
  const { search } = place.value;
  const text = search.get('name') ?? '';
  const domain = search.get('domain') ?? '';
  const proof = search.get('proof') ?? '';
  const mocks = useMocksHidden(
    withProviders(
      domains.filter(({ id }) => domain === '' || id === domain),
      (one) => isNamed(one, text.trim()) && (proof === '' || one.proof === proof),
    ),
  );
  const { shown } = mocks;
  const count = countOf(shown);
  return (
    <>
      <div class="toolbar">
        <Field
          label="Name or vendor"
          type="search"
          value={text}
          onInput={(name) => setSearch({ name }, true)}
        />
        <Select label="Domain" value={domain} onChange={(value) => setSearch({ domain: value })}>
          {{
            '': 'All domains',
            ...Object.fromEntries(
              domains.map(({ id, fullname, provider_ids: ids }) => [
                id,
                `${fullname} (${ids.length})`,
              ]),
            ),
          }}
        </Select>
        <Select label="How proven" value={proof} onChange={(value) => setSearch({ proof: value })}>
          {{
            '': 'All',
            ...Object.fromEntries(Object.entries(proofs).map(([id, { label }]) => [id, label])),
          }}
        </Select>
      </div>
      <p class="hint" role="status">
        {count === 1 ? 'One provider' : `${count} providers`}
      </p>
      <MockSwitch {...mocks} />
      {shown.length === 0 && (
        <p class="empty card">
          No provider is like this. <Link to="/providers">Show all</Link>
        </p>
      )}
      <div class="offers">
        <DomainSections domains={shown} tile={(one) => <Tile provider={one} />} />
      </div>
    </>
  );
}

function Tile({ provider: { id, fullname, vendor, description, proof } }: { provider: Provider }) {
  return (
    <Link to={`/providers/${id}`} class="offer">
      <Monogram id={id} name={fullname} />
      <span>
        <strong>{fullname}</strong>
        <ProofMark proof={proof} />
        <small>
          {vendor === fullname ? '' : `${vendor}. `}
          {description}
        </small>
      </span>
    </Link>
  );
}
