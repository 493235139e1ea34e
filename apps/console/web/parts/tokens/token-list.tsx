import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { ownToken } from '../../api/permissions.js';
import type { Read } from '../../api/query.js';
import { Action } from '../action.js';
import { Id } from '../copy.js';
import { NewSecret } from '../new-secret.js';
import type { usePages } from '../pager.js';
import { RecordList } from '../record-list.js';
import { Ago } from '../time.js';
import { reachOf } from '../reach-fields.js';
import { DeleteToken, RemoveSecondary, RenewToken } from './change-token.js';
import { CreateToken } from './create-token.js';
import type { Token } from './token.js';

/** The dialog that is open over the list. */
export type Open =
  | { kind: 'create' }
  | { kind: 'renew' | 'remove-secondary' | 'delete'; token: Token }
  | { kind: 'secret'; token: Token; title: string };

interface Props {
  of: Read<'tokens_list'>;
  /** Says why there is none. */
  empty: ComponentChildren;
  lines?: number;
  pages?: ReturnType<typeof usePages>;
  open: Open | undefined;
  onOpen: (open: Open | undefined) => void;
}

/** Tokens with what they permit; each is renewed and deleted in a dialog. */
export function TokenList({ open, onOpen, ...list }: Props) {
  return (
    <>
      {open && <Opened open={open} onOpen={onOpen} />}
      <RecordList
        columns={['Token', 'Permits', 'Expires', 'Last used', 'Secrets', 'Last change', 'Change']}
        cursor={({ name }) => name}
        {...list}
      >
        {(token) => <TokenRow key={token.id} token={token} onOpen={onOpen} />}
      </RecordList>
    </>
  );
}

/** The same list where its dialogs belong to nobody else. */
export function OwnTokenList(list: Omit<Props, 'open' | 'onOpen'>) {
  const [open, setOpen] = useState<Open>();
  return <TokenList {...list} open={open} onOpen={setOpen} />;
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

interface RowProps {
  token: Token;
  onOpen: (open: Open) => void;
}

/** Below this, a token and its record end together. */
const minRenewalMs = 60_000;

function TokenRow({ token, onOpen }: RowProps) {
  const { access } = token.primary;
  return (
    <tr>
      <th scope="row">
        <bdi>{token.fullname === token.id ? 'Without a name' : token.fullname}</bdi>{' '}
        {token.token_type === 'logon' && <span class="badge">session</span>}{' '}
        {token.id === ownToken.value?.token.id && <span class="badge strong">yours now</span>}
        <br />
        <Id value={token.id} />
      </th>
      <td>
        {permitted(token)}
        <br />
        <small>{reachedBy(token)}</small>
      </td>
      <td>
        <Ago time={access.expires} />
        {Date.parse(token.expires) - Date.parse(access.expires) > minRenewalMs && (
          <>
            <br />
            <small>
              its renewal ends <Ago time={token.expires} />
            </small>
          </>
        )}
      </td>
      <td>{token.last_used_at ? <Ago time={token.last_used_at} /> : 'Not yet'}</td>
      <td>{token.secondary ? 'Primary and secondary' : 'Primary'}</td>
      <td>
        <Ago time={token.updated_at} />
      </td>
      <td>
        <Changes token={token} onOpen={onOpen} />
      </td>
    </tr>
  );
}

function Changes({ token, onOpen }: RowProps) {
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

interface Permissions {
  role_binding?: string[];
  adhoc_role?: { permission_set: string; resources?: ManagementSchemas['Resources'] | null };
}

function permitted({ owner_type, primary }: Token): string {
  if (owner_type === 'integration') return 'Calls of one integration';
  const { role_binding: roles, adhoc_role: own } = primary.access.permissions as Permissions;
  return own?.permission_set ?? (roles ?? []).join(', ');
}

/** Says in words which part of the organization a token reaches; nothing where its roles say it. */
function reachedBy({ primary, owner_type }: Token): string {
  const { adhoc_role: own } = primary.access.permissions as Permissions;
  if (owner_type === 'integration' || own === undefined) return '';
  return reachOf(own.resources?.accounts, own.resources?.integrations?.categories);
}
