import { useState } from 'preact/hooks';
import { ownToken } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Action } from '../../parts/action.js';
import { Id } from '../../parts/copy.js';
import { Loaded } from '../../parts/loaded.js';
import { NewSecret } from '../../parts/new-secret.js';
import { Pager, pageSize, usePages } from '../../parts/pager.js';
import { Table } from '../../parts/table.js';
import { Ago } from '../../parts/time.js';
import { CreateToken } from './create-token.js';
import type { Token } from './token.js';
import { DeleteToken, RemoveSecondary, RenewToken } from './change-token.js';

/** The dialog that is open over the list. */
type Open =
  | { kind: 'create' }
  | { kind: 'renew' | 'remove-secondary' | 'delete'; token: Token }
  | { kind: 'secret'; token: Token; title: string };

export function TokensScreen() {
  const pages = usePages();
  const query = { limit: pageSize, start_after: pages.startAfter };
  const tokens = useRead('tokens_list', { query });
  const [open, setOpen] = useState<Open>();
  return (
    <>
      <h1 tabIndex={-1}>Tokens</h1>
      <div class="toolbar">
        <p class="lead">
          Those that you may see. Their secrets were shown once, when they were created.
        </p>
        <Action
          operation="tokens_create_token"
          kind="primary"
          onClick={() => setOpen({ kind: 'create' })}
        >
          New token
        </Action>
      </div>
      {open && <Opened open={open} onOpen={setOpen} />}
      <Loaded of={tokens} lines={8}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty card">
              You have no tokens. A program needs one to call the API: create one for each, so that
              you can take it away alone.
            </p>
          ) : (
            <>
              <TokenTable tokens={result} onOpen={setOpen} />
              <Pager pages={pages} size={result.length} last={result.at(-1)?.name} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Opened({ open, onOpen }: { open: Open; onOpen: (next: Open | undefined) => void }) {
  const onClose = () => onOpen(undefined);
  const onSecret = (title: string) => (token: Token) => onOpen({ kind: 'secret', token, title });
  switch (open.kind) {
    case 'create':
      return <CreateToken onClose={onClose} onCreated={onSecret('The new token')} />;
    case 'renew':
      return (
        <RenewToken
          token={open.token}
          onClose={onClose}
          onRenewed={onSecret(`New secrets of ${open.token.fullname}`)}
        />
      );
    case 'remove-secondary':
      return <RemoveSecondary token={open.token} onClose={onClose} />;
    case 'delete':
      return <DeleteToken token={open.token} onClose={onClose} />;
    case 'secret':
      return (
        <NewSecret
          title={open.title}
          lead="It is shown now and never again. Store it where your program reads its secrets."
          pair={open.token.primary}
          onClose={onClose}
        />
      );
  }
}

interface TableProps {
  tokens: readonly Token[];
  onOpen: (open: Open) => void;
}

function TokenTable({ tokens, onOpen }: TableProps) {
  return (
    <Table columns={['Token', 'Permits', 'Expires', 'Secrets', 'Change']}>
      {tokens.map((token) => (
        <tr key={token.id}>
          <th scope="row">
            <bdi>{token.fullname === token.id ? 'Without a name' : token.fullname}</bdi>{' '}
            {token.token_type === 'logon' && <span class="badge">session</span>}{' '}
            {token.id === ownToken.value?.token.id && <span class="badge strong">yours now</span>}
            <br />
            <Id value={token.id} />
          </th>
          <td>{permitted(token)}</td>
          <td>
            <Ago time={token.expires} />
          </td>
          <td>{token.secondary ? 'Primary and secondary' : 'Primary'}</td>
          <td>
            <Changes token={token} onOpen={onOpen} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Changes({ token, onOpen }: { token: Token; onOpen: TableProps['onOpen'] }) {
  return (
    <span class="changes">
      <Action
        operation="tokens_rotate"
        kind="small"
        name={`Rotate ${token.fullname}`}
        onClick={() => onOpen({ kind: 'renew', token })}
      >
        Rotate
      </Action>
      {token.secondary && (
        <Action
          operation="tokens_remove_secondary"
          kind="small"
          name={`End secondary secrets of ${token.fullname}`}
          onClick={() => onOpen({ kind: 'remove-secondary', token })}
        >
          End secondary
        </Action>
      )}
      <Action
        operation="tokens_delete"
        kind="small"
        name={`Delete ${token.fullname}`}
        onClick={() => onOpen({ kind: 'delete', token })}
      >
        Delete
      </Action>
    </span>
  );
}

function permitted({ owner_type, primary }: Token): string {
  if (owner_type === 'integration') return 'Calls of one integration';
  const { role_binding: roles, adhoc_role: own } = primary.access.permissions as {
    role_binding?: string[];
    adhoc_role?: { permission_set: string };
  };
  return own?.permission_set ?? (roles ?? []).join(', ');
}
