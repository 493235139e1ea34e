import { useState } from 'preact/hooks';
import type { ManagementSchemas } from '#contract';
import { useRead } from '../../api/query.js';
import { humanize } from '../../forms/schema.js';
import { Action } from '../../parts/action.js';
import { Loaded } from '../../parts/loaded.js';
import { reachOf } from '../../parts/reach-fields.js';
import { Table } from '../../parts/table.js';
import { DeleteRole, EditRole } from './edit-role.js';
import { type NamedRole, type Role } from './member.js';
import { RolePreview } from './role-preview.js';

type Open =
  | { kind: 'new' }
  | { kind: 'change' | 'delete'; role: Role }
  | { kind: 'preview'; role: NamedRole; set: ManagementSchemas['PermissionSet'] };

/** The roles, with what each lets somebody do; an organization can have its own. */
export function Roles({ roles }: { roles: readonly NamedRole[] }) {
  const sets = useRead('permissionset_list');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <section class="stack" aria-labelledby="roles">
      <div class="toolbar">
        <h2 id="roles">Roles</h2>
        <Action operation="roles_create" onClick={() => setOpen({ kind: 'new' })}>
          New role
        </Action>
      </div>
      {open?.kind === 'delete' && <DeleteRole role={open.role} onClose={close} />}
      {open?.kind === 'preview' && <RolePreview {...open} onClose={close} />}
      {(open?.kind === 'new' || open?.kind === 'change') && (
        <EditRole
          role={open.kind === 'change' ? open.role : undefined}
          sets={sets.data?.result ?? []}
          onClose={close}
        />
      )}
      <Loaded of={sets} lines={4}>
        {({ result }) => (
          <Table columns={['Role', 'Lets somebody do', 'Where', 'Change']}>
            {roles.map((role) => {
              const set = result.find(({ name }) => name === role.permissionSet);
              return (
                <tr key={role.name}>
                  <th scope="row">
                    <bdi>{role.fullname}</bdi>{' '}
                    {!role.isBuiltIn && <span class="badge">your own</span>}
                    <br />
                    <code>{role.name}</code>
                  </th>
                  <td>
                    {set?.description ?? role.permissionSet}
                    <details>
                      <summary>
                        Permissions<span class="unseen"> of {role.fullname}</span>
                      </summary>
                      <ul class="bullets">
                        {Object.entries(set?.permissions ?? {}).map(([key, one]) => (
                          <li key={key}>
                            {humanize(key)} <code>{key}</code>:{' '}
                            {one?.actions.join(', ').replace('*', 'everything')}
                          </li>
                        ))}
                      </ul>
                    </details>
                  </td>
                  <td>
                    {reachOf(role.resources?.accounts, role.resources?.integrations?.categories)}
                  </td>
                  <td>
                    <span class="changes">
                      {set && (
                        <button
                          type="button"
                          class="small"
                          aria-label={`As this role: ${role.fullname}`}
                          onClick={() => setOpen({ kind: 'preview', role, set })}
                        >
                          As this role
                        </button>
                      )}
                      {role.role && <Changes role={role.role} onOpen={setOpen} />}
                    </span>
                  </td>
                </tr>
              );
            })}
          </Table>
        )}
      </Loaded>
    </section>
  );
}

function Changes({ role, onOpen }: { role: Role; onOpen: (open: Open) => void }) {
  return (
    <>
      <Action
        operation="roles_patch"
        kind="small"
        name={`Change ${role.fullname}`}
        onClick={() => onOpen({ kind: 'change', role })}
      >
        Change
      </Action>
      <Action
        operation="roles_delete"
        kind="small"
        name={`Delete ${role.fullname}`}
        onClick={() => onOpen({ kind: 'delete', role })}
      >
        Delete
      </Action>
    </>
  );
}
