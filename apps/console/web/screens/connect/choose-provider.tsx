import { useState } from 'preact/hooks';
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
import { Loaded } from '../../parts/loaded.js';
import { Monogram } from '../../parts/monogram.js';
import { ProofMark } from '../../parts/proof.js';
import { isReleased, NotForProduction, StageMark } from '../../parts/released.js';
import type { Account } from './account.js';

/** The second step: domain, then provider. A search looks in every domain. */
export function ChooseProvider({ account }: { account: Account }) {
  const connectors = useRead('capabilities_list_connectors', { query: { expand: 'providers' } });
  return (
    <Loaded of={connectors} lines={8}>
      {({ result }) => (
        <Choose
          domains={result.filter((one) => one.provider_ids.length > 0)}
          isProduction={account.environment === 'prod'}
        />
      )}
    </Loaded>
  );
}

interface ChooseProps {
  domains: readonly Domain[];
  /** Whether the customer is in production, who is not offered mocks and drafts. */
  isProduction: boolean;
}

function Choose({ domains, isProduction }: ChooseProps) {
  const [text, setText] = useState('');
  const domain = place.value.search.get('domain') ?? '';
  const isSearched = text.trim() !== '';
  const found = withProviders(
    domains.filter(({ id }) => isSearched || domain === '' || id === domain),
    (one) => isNamed(one, text.trim()),
  );
  const mocks = useMocksHidden(found);
  const released = useReleased(found);
  const { shown } = isProduction ? released : mocks;
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
        {isProduction ? <ReleaseSwitch {...released} /> : <MockSwitch {...mocks} />}
        {shown.length === 0 && (
          <p class="empty card">
            {isProduction && released.left > 0
              ? 'What is called like this is not for production.'
              : `No provider of this installation is called “${text}”. A provider document of your own can add it.`}
          </p>
        )}
        <DomainSections
          domains={shown}
          tile={(one) => <Tile provider={one} isMarked={isProduction && !isReleased(one)} />}
        />
      </div>
    </div>
  );
}

/** Leaves out what is not for production, unless the address says that it is shown. */
function useReleased(domains: ReturnType<typeof withProviders>) {
  const isShown = place.value.search.get('unreleased') === 'shown';
  const released = domains
    .map((one) => ({ ...one, providers: one.providers.filter(isReleased) }))
    .filter(({ providers }) => providers.length > 0);
  const left = countOf(domains) - countOf(released);
  return { isShown, shown: isShown ? domains : released, left };
}

/** Says that customers in production are not offered everything, and shows the rest. @param left number of those that can be hidden */
function ReleaseSwitch({ isShown, left }: { isShown: boolean; left: number }) {
  if (left === 0) return null;
  const what = left === 1 ? 'one system is' : `${left} systems are`;
  return (
    <p class="hint">
      The customer is in production, and {what} not for production: mocks, custom providers in
      development, and those that nothing has shown to work.{' '}
      <button
        type="button"
        class="small"
        onClick={() => setSearch({ unreleased: isShown ? '' : 'shown' })}
      >
        {isShown ? 'Hide them' : 'Show them all the same'}
      </button>
    </p>
  );
}

function Tile({ provider, isMarked }: { provider: Provider; isMarked: boolean }) {
  const { id, fullname, vendor, description, proof } = provider;
  return (
    <button type="button" class="tile" onClick={() => setSearch({ provider: id })}>
      <Monogram id={id} name={fullname} />
      <span>
        <strong>{fullname}</strong>
        <StageMark of={provider} />
        <ProofMark proof={proof} />
        {isMarked && <NotForProduction />}
        <small>
          {vendor === fullname ? '' : `${vendor}. `}
          {description}
        </small>
      </span>
    </button>
  );
}
