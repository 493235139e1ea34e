import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChildren } from 'preact';
import { Loaded } from './loaded.js';
import { Pager, type usePages } from './pager.js';
import { Table, type TableProps } from './table.js';

interface Props<One> extends Omit<TableProps, 'children'> {
  of: QueryObserverResult<{ result: readonly One[] }, Error>;
  /** Number of lines that the list will have about. */
  lines?: number;
  /** Says why there is none, and what to do. */
  empty: ComponentChildren;
  pages?: ReturnType<typeof usePages>;
  /** Cursor of the last record, after which the next page begins. */
  cursor?: (last: One) => string;
  /** The row of a record. */
  children: (one: One) => ComponentChildren;
}

/** A list of records as a table with pages; lines in its place while it loads, the problem if that failed. */
export function RecordList<One>(props: Props<One>) {
  const { of, lines = 6, empty, pages, cursor, children, ...table } = props;
  return (
    <Loaded of={of} lines={lines}>
      {({ result }) => {
        const last = result.at(-1);
        return (
          <>
            {result.length === 0 && <p class="empty card">{empty}</p>}
            {result.length > 0 && <Table {...table}>{result.map(children)}</Table>}
            {pages && (
              <Pager pages={pages} size={result.length} last={last && cursor && cursor(last)} />
            )}
          </>
        );
      }}
    </Loaded>
  );
}
