/** Limits of the list; an empty text limits nothing. All of it is in the address. */
export interface RequestFilter {
  ended: string;
  account: string;
  integration: string;
  operation: string;
  /** Milliseconds. */
  slower: string;
  from: string;
  to: string;
}

export const endings: Readonly<Record<string, { label: string; filters: readonly string[] }>> = {
  '': { label: 'All', filters: [] },
  failed: { label: 'Failed', filters: ['status[gte]400'] },
  caller: { label: 'Failed, by the caller', filters: ['status[gte]400', 'status[lt]500'] },
  system: { label: 'Failed, by the system', filters: ['status[gte]500'] },
  succeeded: { label: 'Succeeded', filters: ['status[lt]400'] },
};

export function readFilter(search: URLSearchParams): RequestFilter {
  const text = (name: string) => search.get(name) ?? '';
  return {
    ended: text('ended'),
    account: text('account'),
    integration: text('integration'),
    operation: text('operation'),
    slower: text('slower'),
    from: text('from'),
    to: text('to'),
  };
}

/** The filters of `requests_list`. */
export function filtersOf(filter: RequestFilter): string[] {
  const { ended, account, integration, operation, slower, from, to } = filter;
  const microseconds = Number(slower) * 1_000;
  return [
    ...(endings[ended]?.filters ?? []),
    ...(account === '' ? [] : [`account_id[eq]${account}`]),
    ...(integration === '' ? [] : [`integration_id[eq]${integration}`]),
    ...(operation === '' ? [] : [`operation[eq]${operation}`]),
    ...(microseconds > 0 ? [`duration[gte]${microseconds}`] : []),
    ...(from === '' ? [] : [`created_at[gte]${from}`]),
    ...(to === '' ? [] : [`created_at[lte]${to}`]),
  ];
}
