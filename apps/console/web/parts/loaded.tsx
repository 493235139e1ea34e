import type { ComponentChildren } from 'preact';
import type { OperationId, Result } from '#contract';
import type { Read } from '../api/query.js';
import { ProblemBox } from './problem.js';

interface Props<Id extends OperationId> {
  of: Read<Id>;
  /** Number of lines that the content will have about. */
  lines?: number;
  children: (result: Result<Id>) => ComponentChildren;
}

/** Shows what was read; lines in its place while it loads, the problem if that failed, and both if an older result is there. */
export function Loaded<Id extends OperationId>({ of, lines = 4, children }: Props<Id>) {
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
