import { useState } from 'preact/hooks';
import type { OperationId, Result } from '#contract';
import { Action } from '../../parts/action.js';
import { Confirm } from '../../parts/confirm.js';
import { DemoBadge } from '../../parts/demo.js';
import { Link } from '../../parts/link.js';
import { deleteRecord } from '../../parts/use-deletion.js';
import { WhatGoes } from '../../parts/delete-account.js';

type Account = Result<'accounts_list'>['result'][number];

const lists: OperationId[] = ['accounts_list', 'integrations_list', 'status_list', 'tokens_list'];

/** Says which data is made up, and removes it. */
export function DemoData({ accounts }: { accounts: readonly Account[] }) {
  const [isRemoving, setRemoving] = useState(false);
  if (accounts.length === 0) return null;
  const remove = async (signal: AbortSignal) => {
    for (const { id, fullname } of accounts)
      await deleteRecord('accounts_delete', { path: { accountId: id }, fullname, lists }, signal);
    setRemoving(false);
  };
  return (
    <section class="card demo-data" aria-label="Demo data">
      <p>
        {accounts.map((one) => (
          <span key={one.id}>
            <Link to={`/accounts/${one.id}`}>
              <bdi>{one.fullname}</bdi>
            </Link>{' '}
            <DemoBadge of={one} />{' '}
          </span>
        ))}
        Its systems are mocks, and their records are made up.
      </p>
      <Action operation="accounts_delete" kind="small" onClick={() => setRemoving(true)}>
        Remove the demo data
      </Action>
      {isRemoving && (
        <Confirm
          title="Remove the demo data?"
          operation="accounts_delete"
          action="Remove the demo data"
          work={remove}
          onClose={() => setRemoving(false)}
        >
          {accounts.map(({ id, fullname }) => (
            <div key={id}>
              <p>
                <strong dir="auto">{fullname}</strong>
              </p>
              <WhatGoes accountId={id} />
            </div>
          ))}
        </Confirm>
      )}
    </section>
  );
}
