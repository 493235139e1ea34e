import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { cache, useRead } from '../../api/query.js';
import { go } from '../../location.js';
import { Action } from '../../parts/action.js';
import { announce } from '../../parts/announce.js';
import { Id } from '../../parts/copy.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { TypedDeletion } from '../../parts/typed-deletion.js';
import { ConnectLink } from '../../parts/connect-link.js';
import { Applications } from './applications.js';
import { PointForm } from './point-form.js';
import type { Point } from './point-values.js';

const maxListed = 200;
const maxNamed = 20;

/** An integration point: what customers may choose, what their integrations get, and who uses it. */
export function PointScreen({ pointId = '' }: Record<string, string>) {
  const read = useRead('integrationPoints_get', { path: { integrationPointId: pointId } });
  const [isLinking, setLinking] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const point = read.data?.result;
  return (
    <>
      <p class="crumbs">
        <Link to="/points">Integration points</Link>
      </p>
      <h1 tabIndex={-1} dir="auto">
        {point?.fullname ?? point?.name ?? 'Integration point'}
      </h1>
      <Loaded of={read} lines={8}>
        {({ result }) => (
          <>
            <p class="lead">
              For <code>{result.connector}</code> · <code>{result.name}</code> ·{' '}
              <Id value={result.id} /> ·{' '}
              <Link to={`/audit?record=${result.id}`}>Who changed it</Link>
            </p>
            <p class="buttons start">
              <Action operation="connect_create_session" onClick={() => setLinking(true)}>
                Link for a customer, to see it as they do
              </Action>
            </p>
            {isLinking && <ConnectLink pointId={result.id} onClose={() => setLinking(false)} />}
            <PointForm key={result.id} point={result} />
            <Applications point={result} />
            <Users point={result} />
            <section class="card" aria-labelledby="delete">
              <h2 id="delete">Delete it</h2>
              <p>It can be deleted once no integration belongs to it.</p>
              <p class="buttons start">
                <Action
                  operation="integrationPoints_delete"
                  kind="danger"
                  onClick={() => setDeleting(true)}
                >
                  Delete integration point
                </Action>
              </p>
            </section>
            {isDeleting && <Deletion point={result} onClose={() => setDeleting(false)} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function Users({ point: { id } }: { point: Point }) {
  const query = { limit: maxListed, filter: `integration_point_id[eq]${id}` };
  const integrations = useRead('integrations_list', { query });
  return (
    <section class="card" aria-labelledby="users">
      <h2 id="users">Integrations of it</h2>
      <Loaded of={integrations} lines={2}>
        {({ result }) =>
          result.length === 0 ? (
            <p class="empty">None yet.</p>
          ) : (
            <>
              <p>
                {result.length === maxListed ? `At least ${maxListed}` : result.length}
                {result.length > maxNamed && `, of which the first ${maxNamed} are`}:
              </p>
              <ul class="bullets">
                {result.slice(0, maxNamed).map((one) => (
                  <li key={one.id}>
                    <Link to={`/integrations/${one.account_id}/${one.id}`}>
                      <bdi>{one.fullname}</bdi>
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function Deletion({ point, onClose }: { point: Point; onClose: () => void }) {
  const { id, name, fullname } = point;
  const remove = async (signal: AbortSignal) => {
    await call('integrationPoints_delete', { path: { integrationPointId: id } }, signal);
    await cache.invalidateQueries({ queryKey: ['integrationPoints_list'] });
    announce(`${fullname ?? name} is deleted`);
    onClose();
    go('/points');
  };
  return (
    <TypedDeletion
      operation={'integrationPoints_delete'}
      name={name}
      remove={remove}
      onClose={onClose}
      fullname={fullname ?? name}
      action="Delete integration point"
    >
      <p>
        Connect sessions for it end. While integrations belong to it, the service refuses to delete
        it and names them.
      </p>
    </TypedDeletion>
  );
}
