import { useState } from 'preact/hooks';
import { call } from '../api/client.js';
import { cache, useRead } from '../api/query.js';
import { place, setSearch } from '../location.js';
import { Action } from '../parts/action.js';
import { announce } from '../parts/announce.js';
import { Id } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Environment } from '../parts/environment.js';
import { Loaded } from '../parts/loaded.js';
import { Pager, pageSize, usePages } from '../parts/pager.js';
import { ProblemBox } from '../parts/problem.js';
import { Ago } from '../parts/time.js';

export function AccountsScreen() {
  const name = place.value.search.get('name') ?? '';
  const pages = usePages();
  const [isCreating, setCreating] = useState(false);
  const accounts = useRead('accounts_list', {
    query: {
      limit: pageSize,
      filter: name === '' ? undefined : `fullname[like]"%${name.replaceAll(/["\\%_]/g, '\\$&')}%"`,
      start_after: pages.startAfter,
    },
  });
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
      <Loaded of={accounts} lines={8}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty card">
              {name === ''
                ? 'There are no accounts yet. Create one for your first customer.'
                : `No account has a name that contains “${name}”.`}
            </p>
          ) : (
            <>
              <div class="wide card">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Account</th>
                      <th scope="col">Environment</th>
                      <th scope="col">Labels</th>
                      <th scope="col">Created</th>
                      <th scope="col">Id</th>
                    </tr>
                  </thead>
                  <tbody>
                    {result.map((one) => (
                      <tr key={one.id}>
                        <th scope="row" dir="auto">
                          {one.fullname}
                        </th>
                        <td>
                          <Environment name={one.environment} />
                        </td>
                        <td dir="auto">{(one.labels ?? []).join(', ') || '–'}</td>
                        <td>
                          <Ago time={one.created_at} />
                        </td>
                        <td>
                          <Id value={one.id} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pager pages={pages} size={result.length} last={result.at(-1)?.name} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** The key makes a request that is sent twice create one account. */
function CreateAccount({ onClose }: { onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const [name, setName] = useState('');
  const [fullname, setFullname] = useState('');
  const [environment, setEnvironment] = useState('test');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const create = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const body = { name, environment, ...(fullname === '' ? {} : { fullname }) };
      const { account } = (await call('accounts_create', { body, idempotencyKey: key })).result;
      await cache.invalidateQueries({ queryKey: ['accounts_list'] });
      announce(`The account ${account.fullname} was created`);
      onClose();
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      setBusy(false);
    }
  };
  return (
    <Dialog title="New account" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void create();
        }}
      >
        <label>
          Name
          <input
            required
            value={name}
            aria-describedby="account-name-hint"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <p class="hint" id="account-name-hint">
          For your programs: it is unique, such as <code>acme</code>.
        </p>
        <label>
          Full name (optional)
          <input
            dir="auto"
            value={fullname}
            onInput={(event) => setFullname(event.currentTarget.value)}
          />
        </label>
        <label>
          Environment
          <select
            value={environment}
            onChange={(event) => setEnvironment(event.currentTarget.value)}
          >
            <option value="test">test</option>
            <option value="prod">prod</option>
          </select>
        </label>
        {error && <ProblemBox error={error} />}
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {isBusy ? 'Creating …' : 'Create account'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
