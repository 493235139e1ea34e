import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { useRead } from '../api/query.js';
import { environment, place, setSearch } from '../location.js';
import { RecordList } from '../parts/record-list.js';
import { Action } from '../parts/action.js';
import { Id } from '../parts/copy.js';
import { DemoBadge } from '../parts/demo.js';
import { accountsOfEnvironment, Environment, environmentName } from '../parts/environment.js';
import { Link } from '../parts/link.js';
import { pageSize, usePages } from '../parts/pager.js';
import { ProblemBox } from '../parts/problem.js';
import { Ago } from '../parts/time.js';
import { useDeletion } from '../parts/use-deletion.js';
import { nameContains } from '../parts/account-names.js';
import { CreateAccount } from '../parts/create-account.js';
import { DeleteAccount } from '../parts/delete-account.js';
import { StateCounts, useStateCounts } from './accounts/state-counts.js';
import { useAsked } from '../parts/use-asked.js';

type Account = Result<'accounts_list'>['result'][number];

export function AccountsScreen() {
  const name = place.value.search.get('name') ?? '';
  const limit = environment.value;
  const pages = usePages();
  const [isCreating, setCreating] = useState(false);
  useAsked(() => setCreating(true));
  const deletion = useDeletion('accounts_delete', (account: Account, onClose) => (
    <DeleteAccount account={account} onClose={onClose} />
  ));
  const filter = [nameContains(name) ?? [], accountsOfEnvironment()].flat();
  const query = { limit: pageSize, filter, start_after: pages.startAfter };
  const accounts = useRead('accounts_list', { query });
  const counts = useStateCounts((accounts.data?.result ?? []).map(({ id }) => id));
  return (
    <>
      <h1 tabIndex={-1}>Accounts</h1>
      <p class="lead">
        An account is one of your customers. Their integrations and credentials belong to it.
      </p>
      <div class="toolbar">
        <label>
          Name contains
          <input
            type="search"
            value={name}
            onInput={(event) => setSearch({ name: event.currentTarget.value, after: '' }, true)}
          />
        </label>
        <Action operation="accounts_create" kind="primary" onClick={() => setCreating(true)}>
          New account
        </Action>
      </div>
      {isCreating && <CreateAccount onClose={() => setCreating(false)} />}
      {deletion.dialog}
      {counts.error !== null && (
        <ProblemBox error={counts.error} onRetry={() => void counts.refetch()} />
      )}
      <RecordList
        of={accounts}
        lines={8}
        columns={['Account', 'Environment', 'Integrations', 'Labels', 'Created', 'Change']}
        empty={
          name === '' && limit === ''
            ? 'There are no accounts yet. Create one for your first customer.'
            : `No account${limit === '' ? '' : ` in ${environmentName(limit)}`}${name === '' ? '' : ` has a name that contains “${name}”`}.`
        }
        pages={pages}
        cursor={({ name }) => name}
      >
        {(one) => (
          <tr key={one.id}>
            <th scope="row">
              <Link to={`/accounts/${one.id}`}>
                <bdi>{one.fullname}</bdi>
              </Link>{' '}
              <DemoBadge of={one} />
              <br />
              <Id value={one.id} />
            </th>
            <td>
              <Environment name={one.environment} />
            </td>
            <td>
              <StateCounts accountId={one.id} counts={counts} />
            </td>
            <td>
              <bdi>{(one.labels ?? []).join(', ') || '–'}</bdi>
            </td>
            <td>
              <Ago time={one.created_at} />
            </td>
            <td>
              <span class="changes">
                <Link
                  to={`/integrations/new?account=${one.id}`}
                  aria-label={`Connect a system of ${one.fullname}`}
                >
                  Connect a system
                </Link>
                {deletion.button(one)}
              </span>
            </td>
          </tr>
        )}
      </RecordList>
    </>
  );
}
