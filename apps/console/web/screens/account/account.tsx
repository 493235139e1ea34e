import { useState } from 'preact/hooks';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { go } from '../../location.js';
import { Action, Missing } from '../../parts/action.js';
import { Id } from '../../parts/copy.js';
import { Environment } from '../../parts/environment.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Ago, Exact } from '../../parts/time.js';
import { DeleteAccount } from '../delete-account.js';
import { StatusTable } from '../status-table.js';
import { AccountForm } from './account-form.js';

const maxListed = 200;

/** A customer: who they are, their integrations and credentials. */
export function AccountScreen({ accountId = '' }: Record<string, string>) {
  const read = useRead('accounts_get', { path: { accountId } });
  const [isDeleting, setDeleting] = useState(false);
  const account = read.data?.result;
  return (
    <>
      <p class="crumbs">
        <Link to="/accounts">Accounts</Link>
      </p>
      <h1 tabIndex={-1} dir="auto">
        {account?.fullname ?? 'Account'}
      </h1>
      <Loaded of={read} lines={6}>
        {({ result }) => (
          <>
            <p class="lead">
              <Environment name={result.environment} /> · <Id value={result.id} /> · created{' '}
              <Ago time={result.created_at} />
            </p>
            <p class="links">
              <Link to={`/integrations/new?account=${result.id}`}>Connect a system</Link>
              <Link to={`/audit?record=${result.id}`}>Who changed it</Link>
            </p>
            <Integrations accountId={result.id} />
            <Credentials accountId={result.id} />
            <AccountForm key={result.updated_at} account={result} />
            <section class="card" aria-labelledby="delete">
              <h2 id="delete">Delete it</h2>
              <p>Its integrations and credentials go with it; you are told which before.</p>
              <p class="buttons">
                <Action operation="accounts_delete" kind="danger" onClick={() => setDeleting(true)}>
                  Delete account
                </Action>
              </p>
            </section>
            {isDeleting && (
              <DeleteAccount
                account={result}
                onClose={() => setDeleting(false)}
                onDeleted={() => go('/accounts')}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function Integrations({ accountId }: { accountId: string }) {
  const query = { expand: 'all', limit: maxListed, filter: `account_id[eq]${accountId}` };
  const statuses = useRead('status_list', { query }, 15_000);
  return (
    <section class="stack" aria-labelledby="integrations">
      <h2 id="integrations">Integrations</h2>
      <Loaded of={statuses} lines={3}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty card">
              No system of this customer is connected.{' '}
              <Link to={`/integrations/new?account=${accountId}`}>Connect one</Link>
            </p>
          ) : (
            <>
              <StatusTable statuses={result} isOfOneAccount />
              {result.length === maxListed && <p class="hint">The first {maxListed}.</p>}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** Credentials of the account itself, which several integrations may use; those of one integration are on its page. */
function Credentials({ accountId }: { accountId: string }) {
  const isPermitted = mayCall('credentials_list');
  const input = { path: { ownerId: accountId }, query: { limit: maxListed } };
  const credentials = useRead('credentials_list', input, undefined, isPermitted);
  return (
    <section class="stack" aria-labelledby="credentials">
      <h2 id="credentials">Credentials</h2>
      {!isPermitted && (
        <p class="empty card">
          <Missing operation="credentials_list" />
        </p>
      )}
      {isPermitted && (
        <Loaded of={credentials} lines={2}>
          {({ result }) =>
            result.length === 0 ? (
              <p class="empty card">
                The account has no credential of its own. Those that belong to one integration are
                on its page.
              </p>
            ) : (
              <Table columns={['Credential', 'Kind', 'Expires', 'Id']} name="Credentials">
                {result.map((one) => (
                  <tr key={one.id}>
                    <th scope="row">
                      <bdi>{one.fullname}</bdi>
                    </th>
                    <td>
                      <code>{one.config?.type ?? '–'}</code>
                    </td>
                    <td>{one.expires ? <Exact time={one.expires} /> : 'never'}</td>
                    <td>
                      <code>{one.id}</code>
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Loaded>
      )}
    </section>
  );
}
