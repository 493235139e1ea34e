import type { Result } from '#contract';
import { type Read, useRead } from '../../api/query.js';
import { ofEnvironment } from '../../parts/environment.js';
import { pageSize } from '../../parts/pager.js';

/** Limits of the list; an empty text limits nothing. All of it is in the address. */
export interface IntegrationFilter {
  state: string;
  provider: string;
  domain: string;
  account: string;
}

export function readFilter(search: URLSearchParams): IntegrationFilter {
  const text = (name: string) => search.get(name) ?? '';
  return {
    state: text('state'),
    provider: text('provider'),
    domain: text('domain'),
    account: text('account'),
  };
}

/** Filters of `integrations_list`, which knows providers and domains; states are those of `status_list`. */
export function filtersOfIntegrations({ provider, domain, account }: IntegrationFilter): string[] {
  return [
    ...(provider === '' ? [] : [`provider_type[eq]${provider}`]),
    ...(domain === '' ? [] : [`category[eq]${domain}`]),
    ...(account === '' ? [] : [`account_id[eq]${account}`]),
    ...ofEnvironment(),
  ];
}

interface Filtered {
  read: Read<'status_list'>;
  /** Number of records that the page was made of, and the last of them. */
  size: number;
  last: string | undefined;
}

/**
 * A page of states. With a provider or a domain it is a page of `integrations_list`, whose states are then asked for: of those, the ones in
 * another state than the wanted one are left out.
 */
export function useFiltered(
  filter: IntegrationFilter,
  startAfter: string | undefined,
  pollMs: number | undefined,
): Filtered {
  const isByIntegration = filter.provider !== '' || filter.domain !== '';
  const paged = { limit: pageSize, start_after: startAfter };
  const integrations = useRead(
    'integrations_list',
    { query: { ...paged, filter: filtersOfIntegrations(filter) } },
    undefined,
    isByIntegration,
  );
  const found = integrations.data?.result ?? [];
  const ofState = filter.state === '' ? [] : [`status[eq]${filter.state}`];
  const query = isByIntegration
    ? {
        expand: 'all',
        limit: pageSize,
        filter: [...ofState, `integration_id[in]${found.map(({ id }) => id).join(',')}`],
      }
    : {
        expand: 'all',
        ...paged,
        filter: [
          ...ofState,
          ...(filter.account === '' ? [] : [`account_id[eq]${filter.account}`]),
          ...ofEnvironment(),
        ],
      };
  const isWanted = !isByIntegration || found.length > 0;
  const statuses = useRead('status_list', { query }, pollMs, isWanted);
  if (!isByIntegration) {
    const result = statuses.data?.result ?? [];
    return { read: statuses, size: result.length, last: result.at(-1)?.integration_id };
  }
  const size = found.length;
  const last = found.at(-1)?.name;
  if (size > 0) return { read: statuses, size, last };
  const none: Result<'status_list'> = { result: [] };
  const read = { ...integrations, ...(integrations.data ? { data: none } : {}) };
  return { read: read as Read<'status_list'>, size, last };
}
