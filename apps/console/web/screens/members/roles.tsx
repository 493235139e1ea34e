import { useRead } from '../../api/query.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { type NamedRole, reachOf } from './member.js';

/** The roles, with what each lets somebody do. */
export function Roles({ roles }: { roles: readonly NamedRole[] }) {
  const sets = useRead('permissionset_list');
  return (
    <section class="stack" aria-labelledby="roles">
      <h2 id="roles">Roles</h2>
      <Loaded of={sets} lines={4}>
        {({ result }) => (
          <Table columns={['Role', 'Lets somebody do', 'Where']}>
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
                            <code>{key}</code>: {one?.actions.join(', ').replace('*', 'everything')}
                          </li>
                        ))}
                      </ul>
                    </details>
                  </td>
                  <td>
                    {reachOf(role.resources?.accounts, role.resources?.integrations?.categories)}
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
