import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { useRead } from '../../api/query.js';
import { place, setSearch } from '../../location.js';
import { Field } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';

type Connector = Result<'capabilities_list_connectors'>['result'][number];
type Provider = NonNullable<Connector['providers']>[number];

/** The second step: domain, then provider. A search looks in every domain. */
export function ChooseProvider() {
  const connectors = useRead('capabilities_list_connectors', { query: { expand: 'providers' } });
  return (
    <Loaded of={connectors} lines={8}>
      {({ result }) => <Choose domains={result.filter((one) => one.provider_ids.length > 0)} />}
    </Loaded>
  );
}

function Choose({ domains }: { domains: readonly Connector[] }) {
  const [text, setText] = useState('');
  const domain = place.value.search.get('domain') ?? '';
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = ({ fullname, vendor, id }: Provider) =>
    words.every((word) => `${fullname} ${vendor} ${id}`.toLowerCase().includes(word));
  const shown = domains
    .filter(({ id }) => words.length > 0 || domain === '' || id === domain)
    .map((one) => ({ ...one, providers: (one.providers ?? []).filter(isFound) }))
    .filter(({ providers }) => providers.length > 0);
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
        {shown.length === 0 && (
          <p class="empty card">
            No provider of this installation is called “{text}”. A provider document of your own can
            add it.
          </p>
        )}
        {shown.map(({ id, fullname, description, providers }) => (
          <section key={id} aria-labelledby={`domain-${id}`}>
            <h2 id={`domain-${id}`}>
              {fullname} <small>{description}</small>
            </h2>
            <ul class="tiles wide-tiles">
              {providers.map((one) => (
                <li key={one.id}>
                  <Tile provider={one} />
                </li>
              ))}
            </ul>
          </section>
        ))}
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
  const { id, fullname, vendor, description, release } = provider;
  const note = notes[release?.availability ?? ''];
  return (
    <button type="button" class="tile" onClick={() => setSearch({ provider: id })}>
      <Monogram name={fullname} />
      <span>
        <strong>{fullname}</strong>
        {note !== undefined && <span class="badge">{note}</span>}
        <small>
          {vendor === fullname ? '' : `${vendor}. `}
          {description}
        </small>
      </span>
    </button>
  );
}

/** The first letters of a name in place of a logo, which would be a trademark. */
export function Monogram({ name }: { name: string }) {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => word.charAt(0)) : words;
  return (
    <i class="monogram" aria-hidden="true">
      {letters.join('').slice(0, 2).toUpperCase()}
    </i>
  );
}
