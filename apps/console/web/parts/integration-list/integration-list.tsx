import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Loaded } from '../loaded.js';
import { Pager, usePages } from '../pager.js';
import { StatusTable } from './status-table.js';
import { type IntegrationFilter, useFiltered } from './filter.js';
import { Total } from './total.js';
import { VerifyChosen } from './verify-chosen.js';

interface Props {
  filter: IntegrationFilter;
  /** Interval of reading it again; undefined while that is paused. */
  pollMs: number | undefined;
  isOfOneAccount?: boolean;
  /** Says why there is none. */
  empty: ComponentChildren;
}

/** A page of integrations, of which those that somebody chooses can be verified. */
export function IntegrationList({ filter, pollMs, isOfOneAccount = false, empty }: Props) {
  const pages = usePages();
  const read = useFiltered(filter, pages.startAfter, pollMs);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return (
    <Loaded of={read} lines={isOfOneAccount ? 3 : 10}>
      {({ result }) => (
        <>
          {result.length === 0 ? (
            <p class="empty card">{empty}</p>
          ) : (
            <>
              <VerifyChosen statuses={result} ids={ids} onChoose={setIds} />
              <StatusTable
                statuses={result}
                isOfOneAccount={isOfOneAccount}
                chosen={ids}
                onChoose={setIds}
              />
            </>
          )}
          <Pager pages={pages} size={result.length} last={result.at(-1)?.integration_id} />
          <Total filter={filter} />
        </>
      )}
    </Loaded>
  );
}
