import { useState } from 'preact/hooks';
import { useRead } from '../../api/query.js';
import { place, setSearch } from '../../location.js';
import {
  type Domain,
  DomainSections,
  isNamed,
  MockSwitch,
  type Provider,
  useMocksHidden,
  withProviders,
} from '../../parts/domains.js';
import { Field } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { Monogram } from '../../parts/monogram.js';
import { ProofMark } from '../../parts/proof.js';

/** The second step: domain, then provider. A search looks in every domain. */
export function ChooseProvider() {
  const connectors = useRead('capabilities_list_connectors', { query: { expand: 'providers' } });
  return (
    <Loaded of={connectors} lines={8}>
      {({ result }) => <Choose domains={result.filter((one) => one.provider_ids.length > 0)} />}
    </Loaded>
  );
}

function Choose({ domains }: { domains: readonly Domain[] }) {
  const [text, setText] = useState('');
  const domain = place.value.search.get('domain') ?? '';
  const isSearched = text.trim() !== '';
  const mocks = useMocksHidden(
    withProviders(
      domains.filter(({ id }) => isSearched || domain === '' || id === domain),
      (one) => isNamed(one, text.trim()),
    ),
  );
  const { shown } = mocks;
  return (
    <div class="catalogue">
      <div class="domains" role="group" aria-label="Domain">
        {[{ id: '', fullname: 'All domains' }, ...domains].map(({ id, fullname }) => (
          <button
            key={id}
            type="button"
            class="quiet"
            aria-pressed={id === domain}
            onClick={() => {
              setText('');
              setSearch({ domain: id });
            }}
          >
            {fullname}
          </button>
        ))}
      </div>
      <div class="offers">
        <Field label="Find a system" type="search" value={text} onInput={setText} />
        <MockSwitch {...mocks} />
        {shown.length === 0 && (
          <p class="empty card">
            No provider of this installation is called “{text}”. A provider document of your own can
            add it.
          </p>
        )}
        <DomainSections domains={shown} tile={(one) => <Tile provider={one} />} />
      </div>
    </div>
  );
}

const notes: Record<string, string> = {
  'in-development': 'In development',
  'pre-release': 'Pre-release',
  deprecated: 'Deprecated',
  internal: 'Internal',
};

function Tile({ provider }: { provider: Provider }) {
  const { id, fullname, vendor, description, release, proof } = provider;
  const note = notes[release?.availability ?? ''];
  return (
    <button type="button" class="tile" onClick={() => setSearch({ provider: id })}>
      <Monogram name={fullname} />
      <span>
        <strong>{fullname}</strong>
        {note !== undefined && <span class="badge">{note}</span>}
        <ProofMark proof={proof} />
        <small>
          {vendor === fullname ? '' : `${vendor}. `}
          {description}
        </small>
      </span>
    </button>
  );
}
