import { type Read, useRead } from '../../api/query.js';
import { ofEnvironment } from '../environment.js';
import { pageSize } from '../pager.js';
import { useDelayed } from '../use-delayed.js';
import { contains } from '../account-names.js';

/** Limits and order of the list; an empty text limits nothing. All of it is in the address. */
export interface IntegrationFilter {
  /** A part of the name of an integration or its customer. */
  name: string;
  state: string;
  provider: string;
  domain: string;
  account: string;
  order: string;
}

/** Orders of the list by their name in the address, with what they are called. */
export const orders: Readonly<Record<string, readonly [label: string, ...by: string[]]>> = {
  '': ['Failing first', 'urgency', 'updated_at[desc]'],
  name: ['Name', 'fullname'],
  failures: ['Most failures', 'failed[desc]'],
  requests: ['Most requests', 'requests[desc]'],
  changed: ['Last change', 'updated_at[desc]'],
};

export function readFilter(search: URLSearchParams): IntegrationFilter {
  const text = (name: string) => search.get(name) ?? '';
  return {
    name: text('name'),
    state: text('state'),
    provider: text('provider'),
    domain: text('domain'),
    account: text('account'),
    order: text('order'),
  };
}

/** Filters of `status_list`. */
export function filtersOf(filter: IntegrationFilter): string[] {
  const { name, state, provider, domain, account } = filter;
  const text = name.trim();
  return [
    ...(text === '' ? [] : [contains('names', text)]),
    ...(state === '' ? [] : [`status[eq]${state}`]),
    ...(provider === '' ? [] : [`provider_type[eq]${provider}`]),
    ...(domain === '' ? [] : [`category[eq]${domain}`]),
    ...(account === '' ? [] : [`account_id[eq]${account}`]),
    ...ofEnvironment(),
  ];
}

/** A page of the list; what is typed is searched once somebody pauses. */
export function useFiltered(
  filter: IntegrationFilter,
  startAfter: string | undefined,
  pollMs: number | undefined,
): Read<'status_list'> {
  const name = useDelayed(filter.name);
  const [, ...order] = orders[filter.order] ?? ['', 'urgency'];
  const query = {
    expand: 'all',
    limit: pageSize,
    start_after: startAfter,
    order,
    filter: filtersOf({ ...filter, name }),
  };
  return useRead('status_list', { query }, pollMs);
}
