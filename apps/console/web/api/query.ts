import { QueryClient, QueryObserver, type QueryObserverResult } from '@tanstack/query-core';
import { effect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { OperationId, Result } from '#contract';
import { call, RequestError } from './client.js';
import type { Input } from './operations.js';
import { session } from './session.js';

const retried = new Set([0, 502, 503, 504]);

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: 'always', // the service may be on this machine
      retry: (failures, error) =>
        failures < 2 && error instanceof RequestError && retried.has(error.problem.status),
      retryDelay: (failures) => 500 * 2 ** failures,
      refetchIntervalInBackground: false,
    },
  },
});
// The documents of the API do not change while the service runs, and are large.
for (const id of ['meta_engine_openapi_spec', 'meta_management_openapi_spec'])
  cache.setQueryDefaults([id], { staleTime: Infinity, gcTime: Infinity });
cache.mount();
// Another session must not see what this one has read.
effect(() => {
  if (session.value === undefined) cache.clear();
});

const maxPollMs = 120_000;

/** Result of a read; `data` stays while it is read again, also when that fails. */
export type Read<Id extends OperationId> = QueryObserverResult<Result<Id>, Error>;

/**
 * Reads an operation for a component.
 * @param pollMs interval of reading it again while the tab is visible, doubled on errors
 * @param isWanted whether to read it at all
 */
export function useRead<Id extends OperationId>(
  id: Id,
  input: Input = {},
  pollMs?: number,
  isWanted = true,
): Read<Id> {
  const options = {
    enabled: isWanted,
    queryKey: [id, input] as readonly unknown[],
    queryFn: ({ signal }: { signal: AbortSignal }) => call(id, input, signal),
    refetchInterval: (query: { state: { fetchFailureCount: number; status: string } }) => {
      if (pollMs === undefined) return false;
      const failures = query.state.status === 'error' ? query.state.fetchFailureCount : 0;
      return Math.min(maxPollMs, pollMs * 2 ** failures);
    },
  };
  const key = JSON.stringify(options.queryKey);
  const [observer] = useState(() => new QueryObserver<Result<Id>, Error>(cache, options));
  const [, render] = useState({});
  useEffect(() => observer.subscribe(() => render({})), [observer]);
  useEffect(() => observer.setOptions(options), [observer, key, pollMs, isWanted]);
  return observer.getOptimisticResult(cache.defaultQueryOptions(options));
}
