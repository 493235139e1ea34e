import type { ComponentChildren } from 'preact';
import type { Result } from '#contract';

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
