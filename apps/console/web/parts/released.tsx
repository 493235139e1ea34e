import { mayCall } from '../api/permissions.js';
import { useRead } from '../api/query.js';
import { isMock, type Provider } from './domains.js';
import { Toned } from './state.js';

/** Whether customers in production are offered a provider where nobody names it. */
export function isReleased({ release }: Pick<Provider, 'release'>): boolean {
  return release?.environments.includes('prod') ?? true;
}

/** Says what happens to a customer in production who gets a provider that is not for production. */
export function consequenceOf(providerId: string): string {
  return isMock(providerId)
    ? 'A mock answers with the records of a made-up company: your product shows them to the customer as their own, and what it writes reaches no system.'
    : 'Nothing has shown yet that it works, or its document says that it is being developed: your product may show the customer wrong records, and change the wrong ones in their system.';
}

/**
 * Returns which providers are not for production.
 * @param isWanted false where nobody asks, so that nothing is read
 */
export function useUnreleased(isWanted: boolean): (providerId: string) => boolean {
  const domains = useRead(
    'capabilities_list_connectors',
    { query: { expand: 'providers' } },
    undefined,
    isWanted && mayCall('capabilities_list_connectors'),
  ).data?.result;
  const all = (domains ?? []).flatMap(({ providers }) => providers ?? []);
  const unreleased = new Set<string>(all.flatMap((one) => (isReleased(one) ? [] : one.id)));
  // An installation without mocks may have integrations of them still.
  return (providerId) => isMock(providerId) || unreleased.has(providerId);
}

/** Marks an integration of a customer in production whose provider is not for production. */
export function UnreleasedMark({ providerId }: { providerId: string }) {
  return (
    <Toned tone="warn">{isMock(providerId) ? 'Mock in production' : 'Draft in production'}</Toned>
  );
}

const stages: Record<string, string> = {
  'in-development': 'In development',
  'pre-release': 'Pre-release',
  deprecated: 'Deprecated',
  internal: 'Internal',
};

/** Marks a provider whose document says that it is not finished, or will not stay. */
export function StageMark({ of: { release } }: { of: Pick<Provider, 'release'> }) {
  const stage = stages[release?.availability ?? ''];
  return stage === undefined ? null : <span class="badge">{stage}</span>;
}

/** Marks a provider that customers in production are offered only where somebody names it. */
export function NotForProduction() {
  return <Toned tone="warn">Not for production</Toned>;
}
