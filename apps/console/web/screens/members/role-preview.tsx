import { useContext } from 'preact/hooks';
import type { ManagementSchemas, OperationId } from '#contract';
import { managementOperations, operationOf } from '../../api/operations.js';
import { humanize } from '../../forms/schema.js';
import { menuFor, type MenuEntry, RoutesContext } from '../../menu-entries.js';
import { Dialog } from '../../parts/dialog.js';
import { Table } from '../../parts/table.js';
import { reachOf } from '../../parts/reach-fields.js';
import type { NamedRole } from './member.js';

interface Props {
  role: NamedRole;
  set: ManagementSchemas['PermissionSet'];
  onClose: () => void;
}

/** Shows what somebody with one role alone sees: the menu with the permissions that are missing, and what they may do. */
export function RolePreview({ role, set, onClose }: Props) {
  const routes = useContext(RoutesContext);
  const permitted = new Set(operationsOf(set, role.resources));
  const allows = (id: OperationId) => operationOf(id).permission === '' || permitted.has(id);
  const reach = reachOf(role.resources?.accounts, role.resources?.integrations?.categories);
  return (
    <Dialog title={`As ${role.fullname}`} onClose={onClose}>
      <div class="stack">
        {/* The first thing with the focus would be the table, to which the dialog would scroll. */}
        <p tabIndex={-1} autofocus>
          Somebody with this role alone has this menu, and sees the records of {reach}. Nothing
          changes for you.
        </p>
        <h3 id="preview-menu">Menu</h3>
        <ul class="menu-preview" aria-labelledby="preview-menu">
          {menuFor(routes, allows).map(({ group, entries }) => (
            <li key={group}>
              {group !== '' && <strong>{group}</strong>}
              <ul>
                {entries.map((one) => (
                  <Entry key={one.route.path} entry={one} />
                ))}
              </ul>
            </li>
          ))}
        </ul>
        <h3>Operations</h3>
        <Actions permitted={permitted} />
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** Operations of a permission set, in the part of the organization that a role holds for. */
function operationsOf(
  set: ManagementSchemas['PermissionSet'],
  resources: ManagementSchemas['Resources'] | null | undefined,
): readonly string[] {
  const { ids = ['*'], labels, environments } = resources?.accounts ?? {};
  const domains: readonly string[] = resources?.integrations?.categories ?? ['*'];
  if (!ids.includes('*') || labels?.length || environments?.length)
    return set.operations_in_accounts ?? [];
  return (domains.includes('*') ? set.operations : set.operations_in_domains) ?? [];
}

function Entry({ entry: { route, missing } }: { entry: MenuEntry }) {
  if (missing === undefined) return <li>{route.title}</li>;
  return (
    <li class="closed">
      <span>{route.title}</span>{' '}
      <small>
        needs <code>{missing}</code>
      </small>
    </li>
  );
}

/** Actions of each kind of records, as permissions name them. */
function Actions({ permitted }: { permitted: ReadonlySet<string> }) {
  const kinds = [
    ...new Set(managementOperations.map(({ permission }) => permission.split('.')[0] ?? '')),
  ];
  const actionsOf = (kind: string, isPermitted: boolean) => [
    ...new Set(
      managementOperations
        .filter(({ id, permission }) => {
          return permission.startsWith(`${kind}.`) && permitted.has(id) === isPermitted;
        })
        .map(({ permission }) => permission.slice(kind.length + 1)),
    ),
  ];
  return (
    <Table name="What the role permits" columns={['Records', 'May', 'May not']}>
      {kinds.map((kind) => (
        <tr key={kind}>
          <th scope="row">
            {humanize(kind)} <code>{kind}</code>
          </th>
          <td class="names">{actionsOf(kind, true).join(', ') || 'nothing'}</td>
          <td class="names">{actionsOf(kind, false).join(', ') || '–'}</td>
        </tr>
      ))}
    </Table>
  );
}
