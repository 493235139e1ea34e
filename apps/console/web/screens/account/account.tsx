import { useState } from 'preact/hooks';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { go, place } from '../../location.js';
import { Action } from '../../parts/action.js';
import { Id } from '../../parts/copy.js';
import { DemoBadge } from '../../parts/demo.js';
import { Environment } from '../../parts/environment.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { pageSize, usePages } from '../../parts/pager.js';
import { Ago } from '../../parts/time.js';
import { AccountCredentials } from '../../parts/credentials/account-credentials.js';
import { ConnectLink } from '../../parts/connect-link.js';
import { DeleteAccount } from '../../parts/delete-account.js';
import { ListControls } from '../../parts/integration-list/controls.js';
import { readFilter } from '../../parts/integration-list/filter.js';
import { IntegrationList } from '../../parts/integration-list/integration-list.js';
import { useNotEnded } from '../../parts/tokens/not-ended.js';
import { OwnTokenList } from '../../parts/tokens/token-list.js';
import { AccountForm } from './account-form.js';
import { Bridges } from './bridges.js';

/** A customer: who they are, their integrations and credentials. */
export function AccountScreen({ accountId = '' }: Record<string, string>) {
  const read = useRead('accounts_get', { path: { accountId } });
  const [isLinking, setLinking] = useState(false);
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
              <Environment name={result.environment} /> <DemoBadge of={result} /> ·{' '}
              <Id value={result.id} /> · created <Ago time={result.created_at} />
            </p>
            <p class="links">
              <Link to={`/integrations/new?account=${result.id}`}>Connect a system</Link>
              <Link to={`/audit?record=${result.id}`}>Who changed it</Link>
            </p>
            <p class="buttons start">
              <Action operation="connect_create_session" onClick={() => setLinking(true)}>
                Link for the customer to connect
              </Action>
            </p>
            {isLinking && <ConnectLink accountId={result.id} onClose={() => setLinking(false)} />}
            <Integrations accountId={result.id} />
            <AccountCredentials accountId={result.id} />
            <Tokens accountId={result.id} />
            <Bridges accountId={result.id} />
            <AccountForm key={result.updated_at} account={result} />
            <section class="card" aria-labelledby="delete">
              <h2 id="delete">Delete it</h2>
              <p>Its integrations and credentials go with it; you are told which before.</p>
              <p class="buttons start">
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
  const filter = { ...readFilter(place.value.search), account: accountId };
  const isFiltered = filter.name !== '' || filter.state !== '';
  return (
    <section class="stack" aria-labelledby="integrations">
      <h2 id="integrations">Integrations</h2>
      <div class="toolbar">
        <ListControls filter={filter} label="Name contains" />
      </div>
      <IntegrationList
        filter={filter}
        pollMs={15_000}
        isOfOneAccount
        empty={
          isFiltered ? (
            'No integration of this customer is like this.'
          ) : (
            <>
              No system of this customer is connected.{' '}
              <Link to={`/integrations/new?account=${accountId}`}>Connect one</Link>
            </>
          )
        }
      />
    </section>
  );
}

/** Tokens of the integrations of the account, and those that are limited to it. */
function Tokens({ accountId }: { accountId: string }) {
  const filter = [`account_id[eq]${accountId}`, useNotEnded()];
  const pages = usePages('tokens');
  const query = { limit: pageSize, start_after: pages.startAfter, filter };
  const tokens = useRead('tokens_list', { query }, undefined, mayCall('tokens_list'));
  if (!mayCall('tokens_list')) return null;
  return (
    <section class="stack" aria-labelledby="tokens">
      <h2 id="tokens">Tokens of its integrations</h2>
      <OwnTokenList of={tokens} lines={2} pages={pages} empty="None." />
    </section>
  );
}
