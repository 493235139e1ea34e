import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChildren } from 'preact';
import { ProblemBox } from './problem.js';

interface Props<Data> {
  of: QueryObserverResult<Data, Error>;
  /** Number of lines that the content will have about. */
  lines?: number;
  children: (result: Data) => ComponentChildren;
}

/** Shows what was read; lines in its place while it loads, the problem if that failed, and both if an older result is there. */
export function Loaded<Data>({ of, lines = 4, children }: Props<Data>) {
  const { data, error } = of;
  return (
    <>
      {error !== null && <ProblemBox error={error} onRetry={() => void of.refetch()} />}
      {data !== undefined && children(data)}
      {data === undefined && error === null && <Skeleton lines={lines} />}
    </>
  );
}

export function Skeleton({ lines }: { lines: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="unseen">Loading …</span>
      {Array.from({ length: lines }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}
