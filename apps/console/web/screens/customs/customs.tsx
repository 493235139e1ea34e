import { useRead } from '../../api/query.js';
import { go } from '../../location.js';
import { RecordList } from '../../parts/record-list.js';
import { Action } from '../../parts/action.js';
import { Link } from '../../parts/link.js';
import { pageSize, usePages } from '../../parts/pager.js';
import { Permitted } from '../../parts/permitted.js';
import { Ago } from '../../parts/time.js';
import { providersOf } from './outline.js';

/** The organization's own provider documents. */
export function CustomsScreen() {
  return (
    <>
      <h1 tabIndex={-1}>Custom providers</h1>
      <div class="toolbar">
        <p class="lead">
          A system that the catalogue does not have, described by a document of yours.
        </p>
        <Action operation="customs_create" kind="primary" onClick={() => go('/customs/new')}>
          New custom provider
        </Action>
      </div>
      <Permitted operation="customs_list" what="the custom providers">
        <Customs />
      </Permitted>
    </>
  );
}

function Customs() {
  const pages = usePages();
  const query = { limit: pageSize, start_after: pages.startAfter };
  const customs = useRead('customs_list', { query });
  return (
    <RecordList
      of={customs}
      lines={4}
      columns={['Custom provider', 'Ids', 'Changed']}
      empty="There are no custom providers yet. A new one begins with a document that works."
      pages={pages}
      cursor={({ name }) => name}
    >
      {(one) => (
        <tr key={one.id}>
          <th scope="row">
            <Link to={`/customs/${one.id}`}>
              <bdi>{one.fullname}</bdi>
            </Link>
          </th>
          <td>
            <code>{providersOf(one.data).join(', ')}</code>
          </td>
          <td>
            <Ago time={one.updated_at} />
          </td>
        </tr>
      )}
    </RecordList>
  );
}
