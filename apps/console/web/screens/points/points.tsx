import { useState } from 'preact/hooks';
import { useRead } from '../../api/query.js';
import { RecordList } from '../../parts/record-list.js';
import { Action } from '../../parts/action.js';
import { Link } from '../../parts/link.js';
import { pageSize, usePages } from '../../parts/pager.js';
import { Permitted } from '../../parts/permitted.js';
import { Ago } from '../../parts/time.js';
import { CreatePoint } from './create-point.js';
import { allowedIn } from './point-values.js';
import { useAsked } from '../../parts/use-asked.js';

/** Places in the host's product at which customers connect systems. */
export function PointsScreen() {
  const [isCreating, setCreating] = useState(false);
  useAsked(() => setCreating(true));
  return (
    <>
      <h1 tabIndex={-1}>Integration points</h1>
      <p class="lead">
        A place in your product at which customers connect a system: which systems they may choose,
        and the mappings and schedules that their integrations get. A{' '}
        <Link to="/settings">Connect session</Link> is for one of them.
      </p>
      <div class="toolbar">
        <Action
          operation="integrationPoints_create"
          kind="primary"
          onClick={() => setCreating(true)}
        >
          New integration point
        </Action>
      </div>
      {isCreating && <CreatePoint onClose={() => setCreating(false)} />}
      <Permitted operation="integrationPoints_list" what="integration points">
        <List />
      </Permitted>
    </>
  );
}

function List() {
  const pages = usePages();
  const query = { limit: pageSize, start_after: pages.startAfter };
  const points = useRead('integrationPoints_list', { query });
  return (
    <RecordList
      of={points}
      lines={6}
      columns={['Integration point', 'Domain', 'In test', 'In production', 'Last change']}
      empty="There are no integration points yet. Without one, integrations are made by you; with one, your customers can make them in the Connect UI."
      pages={pages}
      cursor={({ name }) => name}
    >
      {(one) => (
        <tr key={one.id}>
          <th scope="row">
            <Link to={`/points/${one.id}`}>
              <bdi>{one.fullname ?? one.name}</bdi>
            </Link>
          </th>
          <td>
            <code>{one.connector}</code>
          </td>
          <td>{allowedIn(one, 'test')}</td>
          <td>{allowedIn(one, 'prod')}</td>
          <td>
            <Ago time={one.updated_at} />
          </td>
        </tr>
      )}
    </RecordList>
  );
}
