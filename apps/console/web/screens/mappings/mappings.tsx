import { useRead } from '../../api/query.js';
import { go } from '../../location.js';
import { Action } from '../../parts/action.js';
import { Confirm } from '../../parts/confirm.js';
import { Link } from '../../parts/link.js';
import { pageSize, usePages } from '../../parts/pager.js';
import { Permitted } from '../../parts/permitted.js';
import { RecordList } from '../../parts/record-list.js';
import { Ago } from '../../parts/time.js';
import { deleteRecord, useDeletion } from '../../parts/use-deletion.js';
import {
  type Mapping,
  MappingUsers,
  type MappingUse,
  useMappingUse,
  UsersOf,
  useUsesOfMappings,
} from '../../parts/mappings/mapping-users.js';

/** The organization's own mappings, with those who use each. */
export function MappingsScreen() {
  return (
    <>
      <h1 tabIndex={-1}>Mappings</h1>
      <div class="toolbar">
        <p class="lead">
          What you have made of the records of systems. The studio writes them, on a record of a
          customer.
        </p>
        <Action operation="mappings_create" kind="primary" onClick={() => go('/studio')}>
          New mapping
        </Action>
      </div>
      <Permitted operation="mappings_list" what="the mappings">
        <List />
      </Permitted>
    </>
  );
}

function List() {
  const pages = usePages();
  const query = { limit: pageSize, start_after: pages.startAfter };
  const mappings = useRead('mappings_list', { query });
  const useOf = useUsesOfMappings(mappings.data?.result ?? []);
  const deletion = useDeletion('mappings_delete', (mapping: Mapping, onClose) => (
    <Deletion mapping={mapping} onClose={onClose} />
  ));
  return (
    <>
      {deletion.dialog}
      <RecordList
        of={mappings}
        columns={['Mapping', 'Used by', 'Last change', 'Change']}
        empty="There are no mappings of your own. Systems have built-in ones, which need none."
        pages={pages}
        cursor={({ name }) => name}
      >
        {(one) => (
          <tr key={one.id}>
            <th scope="row">
              <bdi>{one.fullname}</bdi>
              <br />
              <code>{one.name}</code>
            </th>
            <td>{useOf === undefined ? '…' : <Users mapping={one} use={useOf(one)} />}</td>
            <td>
              <Ago time={one.updated_at} />
            </td>
            <td>
              <span class="changes">
                <Link
                  to={`/studio?mapping=${one.id}`}
                  aria-label={`Open in the studio: ${one.fullname}`}
                >
                  Open in the studio
                </Link>
                {deletion.button(one)}
              </span>
            </td>
          </tr>
        )}
      </RecordList>
    </>
  );
}

function Deletion({ mapping, onClose }: { mapping: Mapping; onClose: () => void }) {
  const use = useMappingUse(mapping);
  const remove = async (signal: AbortSignal) => {
    const path = { mappingId: mapping.id };
    const { fullname } = mapping;
    await deleteRecord('mappings_delete', { path, fullname, lists: ['mappings_list'] }, signal);
    onClose();
  };
  return (
    <Confirm
      title={`Delete ${mapping.fullname}?`}
      operation="mappings_delete"
      action="Delete mapping"
      work={remove}
      onClose={onClose}
    >
      {use !== undefined && use.count > 0 ? (
        <>
          <p>It is in the chains of these. Take it out on the page of each, then delete it:</p>
          <MappingUsers use={use} />
        </>
      ) : (
        <p>{use === undefined ? 'It cannot' : 'Nobody uses it. It cannot'} be brought back.</p>
      )}
    </Confirm>
  );
}

/** Those who use a mapping; where they were too many to be read with those of the other mappings, on their own. */
function Users({ mapping, use }: { mapping: Mapping; use: MappingUse | undefined }) {
  return use === undefined ? <UsersOf mapping={mapping} /> : <MappingUsers use={use} />;
}
