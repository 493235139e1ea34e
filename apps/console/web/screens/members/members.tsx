import { useState } from 'preact/hooks';
import { mayCall, ownToken } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { session } from '../../api/session.js';
import { Action } from '../../parts/action.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager, pageSize, usePages } from '../../parts/pager.js';
import { Permitted } from '../../parts/permitted.js';
import { Toned } from '../../parts/state.js';
import { Table } from '../../parts/table.js';
import { Ago } from '../../parts/time.js';
import { ChangeRoles, ChangeState, RemoveMember } from './change-member.js';
import { Invite } from './invite.js';
import { type Member, type NamedRole, rolesOf } from './member.js';
import { Roles } from './roles.js';
import { WhoAmI } from './who-am-i.js';
import { useAsked } from '../../parts/use-asked.js';

const maxRoles = 200;

type Open =
  { kind: 'invite' } | { kind: 'roles' | 'disabled' | 'enabled' | 'remove'; member: Member };

/** The people of the organization and its service members, with their roles. */
export function MembersScreen() {
  return (
    <>
      <h1 tabIndex={-1}>Members and roles</h1>
      <Own />
      <Permitted operation="members_list" what="the members">
        <Members />
      </Permitted>
    </>
  );
}

function Own() {
  const memberId = ownToken.value?.token.member_id ?? '';
  const isAsked = memberId !== '' && mayCall('members_get');
  const member = useRead('members_get', { path: { memberId } }, undefined, isAsked);
  return <WhoAmI name={member.data?.result.fullname ?? session.value?.member} />;
}

function Members() {
  const pages = usePages();
  const query = { limit: pageSize, start_after: pages.startAfter };
  const members = useRead('members_list', { query });
  const own = useRead(
    'roles_list',
    { query: { limit: maxRoles } },
    undefined,
    mayCall('roles_list'),
  );
  const roles = rolesOf(
    session.value?.organization.organization_type ?? '',
    own.data?.result ?? [],
  );
  const [open, setOpen] = useState<Open>();
  useAsked(() => setOpen({ kind: 'invite' }));
  return (
    <>
      <section class="stack" aria-labelledby="members">
        <div class="toolbar">
          <h2 id="members">Members</h2>
          <Action
            operation="members_create"
            kind="primary"
            onClick={() => setOpen({ kind: 'invite' })}
          >
            Invite a member
          </Action>
        </div>
        {open && <Opened open={open} roles={roles} onClose={() => setOpen(undefined)} />}
        <Loaded of={members} lines={6}>
          {({ result }) => (
            <>
              <MemberTable members={result} roles={roles} onOpen={setOpen} />
              <Pager pages={pages} size={result.length} last={result.at(-1)?.name} />
            </>
          )}
        </Loaded>
      </section>
      <Permitted operation="permissionset_list" what="what roles permit">
        <Roles roles={roles} />
      </Permitted>
    </>
  );
}

interface OpenedProps {
  open: Open;
  roles: readonly NamedRole[];
  onClose: () => void;
}

function Opened({ open, roles, onClose }: OpenedProps) {
  if (open.kind === 'invite') return <Invite roles={roles} onClose={onClose} />;
  const { kind, member } = open;
  const shared = { member, onClose, isOwn: isOwn(member) };
  if (kind === 'roles') return <ChangeRoles {...shared} roles={roles} />;
  if (kind === 'remove') return <RemoveMember {...shared} />;
  return <ChangeState {...shared} to={kind} />;
}

function isOwn({ id }: Member): boolean {
  return id === ownToken.value?.token.member_id;
}

interface TableProps {
  members: readonly Member[];
  roles: readonly NamedRole[];
  onOpen: (open: Open) => void;
}

function MemberTable({ members, roles, onOpen }: TableProps) {
  const nameOf = (role: string) => roles.find(({ name }) => name === role)?.fullname ?? role;
  return (
    <Table columns={['Member', 'State', 'Roles', 'Last logon', 'Change']}>
      {members.map((member) => (
        <tr key={member.id}>
          <th scope="row">
            <bdi>{member.fullname}</bdi>{' '}
            {member.type === 'service' && <span class="badge">service</span>}{' '}
            {isOwn(member) && <span class="badge strong">you</span>}
            {member.fullname !== member.name && (
              <>
                <br />
                <small>{member.name}</small>
              </>
            )}
            <br />
            <Link to={`/tokens?whose=${member.id}`} aria-label={`Tokens of ${member.fullname}`}>
              Tokens
            </Link>
          </th>
          <td>
            <MemberState member={member} />
          </td>
          <td>{member.role_binding.map(nameOf).join(', ') || 'none'}</td>
          <td>{Date.parse(member.last_logon) > 0 ? <Ago time={member.last_logon} /> : 'never'}</td>
          <td>
            <Changes member={member} onOpen={onOpen} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function MemberState({ member: { state, pin_expires: until } }: { member: Member }) {
  switch (state) {
    case 'enabled':
      return <Toned tone="good">Enabled</Toned>;
    case 'disabled':
      return <Toned tone="bad">Disabled</Toned>;
    case 'locked':
      return <Toned tone="warn">Locked</Toned>;
    case 'invited':
    case 'forgotten':
      return (
        <>
          <Toned tone="none">{state === 'invited' ? 'Invited' : 'Needs a new password'}</Toned>
          <br />
          <small>
            {Date.parse(until) < Date.now() ? 'ended' : 'ends'} <Ago time={until} />
          </small>
        </>
      );
  }
}

function Changes({ member, onOpen }: { member: Member; onOpen: TableProps['onOpen'] }) {
  const { fullname, state } = member;
  const isStopped = state === 'disabled' || state === 'locked';
  return (
    <span class="changes">
      <Action
        operation="members_patch"
        kind="small"
        name={`Roles of ${fullname}`}
        onClick={() => onOpen({ kind: 'roles', member })}
      >
        Roles
      </Action>
      <Action
        operation="members_patch"
        kind="small"
        name={`${isStopped ? 'Enable' : 'Disable'} ${fullname}`}
        onClick={() => onOpen({ kind: isStopped ? 'enabled' : 'disabled', member })}
      >
        {isStopped ? 'Enable' : 'Disable'}
      </Action>
      <Action
        operation="members_delete"
        kind="small"
        name={`Remove ${fullname}`}
        onClick={() => onOpen({ kind: 'remove', member })}
      >
        Remove
      </Action>
    </span>
  );
}
