import type { ComponentChildren } from 'preact';
import type { Result } from '#contract';
import { place, setSearch } from '../location.js';

export type Domain = Result<'capabilities_list_connectors'>['result'][number];
export type Provider = NonNullable<Domain['providers']>[number];

/** Whether the name, vendor or id of a provider has every word of a search. */
export function isNamed({ fullname, vendor, id }: Provider, search: string): boolean {
  const name = `${fullname} ${vendor} ${id}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word));
}

/** Keeps the domains that have providers of a kind, with these alone. */
export function withProviders(
  domains: readonly Domain[],
  isShown: (provider: Provider) => boolean,
): (Domain & { providers: Provider[] })[] {
  return domains
    .map((one) => ({ ...one, providers: (one.providers ?? []).filter(isShown) }))
    .filter(({ providers }) => providers.length > 0);
}

type Shown = readonly (Domain & { providers: Provider[] })[];

/** Leaves mocks out of the domains that have other providers as well, unless the address says that they are shown. */
export function useMocksHidden(domains: Shown) {
  const isShown = place.value.search.get('mocks') === 'shown';
  const others = domains.map((one) => {
    const real = one.providers.filter(({ id }) => !isMock(id));
    return real.length > 0 ? { ...one, providers: real } : one;
  });
  const left = countOf(domains) - countOf(others);
  return { isShown, shown: isShown ? domains : others, left };
}

/** `ticketing_jira_mock`, `ticketing_mock_ticketing` */
export function isMock(id: string): boolean {
  return /^([^_]+)_mock_\1$|_mock$/.test(id);
}

export function countOf(domains: Shown): number {
  return domains.reduce((sum, { providers }) => sum + providers.length, 0);
}

/** Says how many mocks are hidden, and shows them. @param left number of those that can be hidden */
export function MockSwitch({ isShown, left }: { isShown: boolean; left: number }) {
  if (left === 0) return null;
  const what = left === 1 ? 'One mock' : `${left} mocks`;
  return (
    <p class="hint">
      {what} {left === 1 ? 'is' : 'are'} {isShown ? 'shown' : 'hidden'}.{' '}
      <button
        type="button"
        class="small"
        onClick={() => setSearch({ mocks: isShown ? '' : 'shown' })}
      >
        {isShown ? 'Hide mocks' : 'Show mocks'}
      </button>
    </p>
  );
}

interface DomainSectionsProps {
  domains: readonly (Domain & { providers: readonly Provider[] })[];
  /** Shows a provider. */
  tile: (provider: Provider) => ComponentChildren;
}

/** Providers under the names of their domains. */
export function DomainSections({ domains, tile }: DomainSectionsProps) {
  return domains.map(({ id, fullname, description, providers }) => (
    <section key={id} aria-labelledby={`domain-${id}`}>
      <h2 id={`domain-${id}`}>
        {fullname} <small>{description}</small>
      </h2>
      <ul class="tiles wide-tiles">
        {providers.map((one) => (
          <li key={one.id}>{tile(one)}</li>
        ))}
      </ul>
    </section>
  ));
}
