import { useState } from 'preact/hooks';
import type { Result } from '#contract';
import { useRead } from '../api/query.js';
import { place, setSearch } from '../location.js';
import { RecordList } from '../parts/record-list.js';
import { Action } from '../parts/action.js';
import { Id } from '../parts/copy.js';
import { Environment } from '../parts/environment.js';
import { Link } from '../parts/link.js';
import { pageSize, usePages } from '../parts/pager.js';
import { Select } from '../parts/select.js';
import { Ago } from '../parts/time.js';
import { nameContains } from './account-names.js';
import { CreateAccount } from './create-account.js';
import { DeleteAccount } from './delete-account.js';

type Account = Result<'accounts_list'>['result'][number];

export function AccountsScreen() {
  const name = place.value.search.get('name') ?? '';
  const environment = place.value.search.get('environment') ?? '';
  const pages = usePages();
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<Account>();
  const filter = [
    nameContains(name) ?? '',
    environment === '' ? '' : `environment[eq]${environment}`,
  ].filter((one) => one !== '');
  const query = { limit: pageSize, filter, start_after: pages.startAfter };
  const accounts = useRead('accounts_list', { query });
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
        <Select
          label="Environment"
          value={environment}
          onChange={(value) => setSearch({ environment: value, after: '' })}
        >
          {{ '': 'All', test: 'test', prod: 'prod' }}
        </Select>
        <Action operation="accounts_create" kind="primary" onClick={() => setCreating(true)}>
          New account
        </Action>
      </div>
      {isCreating && <CreateAccount onClose={() => setCreating(false)} />}
      {deleted && <DeleteAccount account={deleted} onClose={() => setDeleted(undefined)} />}
      <RecordList
        of={accounts}
        lines={8}
        columns={['Account', 'Environment', 'Labels', 'Created', 'Id', 'Change']}
        empty={
          name === '' && environment === ''
            ? 'There are no accounts yet. Create one for your first customer.'
            : `No account${environment === '' ? '' : ` in ${environment}`} has a name that contains “${name}”.`
        }
        pages={pages}
        cursor={({ name }) => name}
      >
        {(one) => (
          <tr key={one.id}>
            <th scope="row">
              <Link to={`/accounts/${one.id}`}>
                <bdi>{one.fullname}</bdi>
              </Link>
            </th>
            <td>
              <Environment name={one.environment} />
            </td>
            <td>
              <bdi>{(one.labels ?? []).join(', ') || '–'}</bdi>
            </td>
            <td>
              <Ago time={one.created_at} />
            </td>
            <td>
              <Id value={one.id} />
            </td>
            <td>
              <span class="changes">
                <Link
                  to={`/integrations/new?account=${one.id}`}
                  aria-label={`Connect a system of ${one.fullname}`}
                >
                  Connect a system
                </Link>
                <Action
                  operation="accounts_delete"
                  kind="small"
                  name={`Delete ${one.fullname}`}
                  onClick={() => setDeleted(one)}
                >
                  Delete
                </Action>
              </span>
            </td>
          </tr>
        )}
      </RecordList>
    </>
  );
}
