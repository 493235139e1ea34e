import { useState } from 'preact/hooks';
import type { OperationId, Result } from '#contract';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { credentialLabel } from '../../forms/fields.js';
import { Action } from '../action.js';
import { Confirm } from '../confirm.js';
import { Link } from '../link.js';
import { pageSize, usePages } from '../pager.js';
import { Permitted } from '../permitted.js';
import { RecordList } from '../record-list.js';
import { Exact } from '../time.js';
import { deleteRecord, useDeletion } from '../use-deletion.js';
import { CreateCredential } from './create-credential.js';
import { type Credential, ReplaceSecret } from './replace-secret.js';

/** Maximum number of users that are read, of all credentials of a page together. */
const maxUsers = 1_000;

type Open = { kind: 'new' } | { kind: 'replace'; credential: Credential };

/** Credentials of the account itself, which several integrations may use; those of one integration are on its page. */
export function AccountCredentials({ accountId }: { accountId: string }) {
  const [open, setOpen] = useState<Open>();
  const onClose = () => setOpen(undefined);
  return (
    <section class="stack" aria-labelledby="credentials">
      <div class="toolbar">
        <h2 id="credentials">Credentials</h2>
        <Action operation="credentials_create" onClick={() => setOpen({ kind: 'new' })}>
          New credential
        </Action>
      </div>
      {open?.kind === 'new' && <CreateCredential accountId={accountId} onClose={onClose} />}
      {open?.kind === 'replace' && (
        <ReplaceSecret
          credential={open.credential}
          ownerId={accountId}
          onClose={onClose}
          onReplaced={onClose}
        >
          <UsersOf accountId={accountId} credentialId={open.credential.id} />
        </ReplaceSecret>
      )}
      <Permitted operation="credentials_list" what="the credentials">
        <List accountId={accountId} onOpen={setOpen} />
      </Permitted>
    </section>
  );
}

function List({ accountId, onOpen }: { accountId: string; onOpen: (open: Open) => void }) {
  const pages = usePages('credentials');
  const query = { limit: pageSize, start_after: pages.startAfter };
  const credentials = useRead('credentials_list', { path: { ownerId: accountId }, query });
  const ids = credentials.data?.result.map(({ id }) => id) ?? [];
  const usersOf = useUsers(accountId, ids);
  const deletion = useDeletion('credentials_delete', (credential: Credential, onClose) => (
    <Deletion accountId={accountId} credential={credential} onClose={onClose} />
  ));
  return (
    <>
      {deletion.dialog}
      <RecordList
        of={credentials}
        lines={2}
        pages={pages}
        cursor={({ id }) => id}
        columns={['Credential', 'Kind', 'Used by', 'Expires', 'Change']}
        empty="The account has no credential of its own. Those that belong to one integration are on its page."
      >
        {(one) => (
          <tr key={one.id}>
            <th scope="row">
              <bdi>{one.fullname}</bdi>
              <br />
              <code>{one.id}</code>
            </th>
            <td>
              {credentialLabel(one.config?.type ?? '–')}
              {one.managed === 'Managed' && (
                <>
                  <br />
                  <small>stored with an integration</small>
                </>
              )}
            </td>
            <td>
              <Users users={usersOf(one.id)} />
            </td>
            <td>{one.expires ? <Exact time={one.expires} /> : 'never'}</td>
            <td>
              <span class="changes">
                <Action
                  operation="credentials_patch"
                  kind="small"
                  name={`Replace secret: ${one.fullname}`}
                  onClick={() => onOpen({ kind: 'replace', credential: one })}
                >
                  Replace secret
                </Action>
                {deletion.button(one)}
              </span>
            </td>
          </tr>
        )}
      </RecordList>
    </>
  );
}

type Integration = Result<'integrations_list_account'>['result'][number];

/** Finds the integrations of the account whose configuration refers to a credential, of some. */
function useUsers(accountId: string, credentialIds: readonly string[]) {
  const isAsked = credentialIds.length > 0 && mayCall('integrations_list_account');
  const query = { limit: maxUsers, filter: `credentials[in]${credentialIds.join(',')}` };
  const input = { path: { accountId }, query };
  const users = useRead('integrations_list_account', input, undefined, isAsked).data?.result ?? [];
  return (id: string) =>
    users.filter(({ provider_config: config }) => JSON.stringify(config ?? {}).includes(`"${id}"`));
}

/** Says whose calls a change of a secret is about. */
function UsersOf({ accountId, credentialId }: { accountId: string; credentialId: string }) {
  const count = useUsers(accountId, [credentialId])(credentialId).length;
  if (count === 0) return null;
  return (
    <p class="note">
      {count === 1 ? 'One integration uses' : `${count} integrations use`} it, and the other one
      from then on.
    </p>
  );
}

function Users({ users }: { users: readonly Integration[] }) {
  if (users.length === 0) return <>nobody</>;
  return (
    <ul>
      {users.map((one) => (
        <li key={one.id}>
          <Link to={`/integrations/${one.account_id}/${one.id}`}>
            <bdi>{one.fullname}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface DeletionProps {
  accountId: string;
  credential: Credential;
  onClose: () => void;
}

function Deletion({ accountId, credential: { id, fullname }, onClose }: DeletionProps) {
  const users = useUsers(accountId, [id])(id);
  const remove = async (signal: AbortSignal) => {
    const path = { ownerId: accountId, credentialId: id };
    const lists: OperationId[] = ['credentials_list', 'credentials_list_all'];
    await deleteRecord('credentials_delete', { path, fullname, lists }, signal);
    onClose();
  };
  return (
    <Confirm
      title={`Delete ${fullname}?`}
      operation="credentials_delete"
      action="Delete credential"
      work={remove}
      onClose={onClose}
    >
      <p>
        {users.length === 0
          ? 'No integration uses it. Its secret cannot be brought back.'
          : 'The service refuses to delete it while these integrations use it:'}
      </p>
      {users.length > 0 && <Users users={users} />}
    </Confirm>
  );
}
