import { Operation } from '../../parts/in-words.js';
import type { Result } from '#contract';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Link } from '../../parts/link.js';
import { Toned } from '../../parts/state.js';
import { MappingChains } from './mapping-chains.js';

interface Props {
  integration: Result<'integrations_get'>['result'];
}

/** Mappings, schedules and webhooks of an integration, and the integration point that it belongs to. */
export function Connections({ integration }: Props) {
  const pointId = integration.integration_point_id ?? '';
  const isAsked = pointId !== '' && mayCall('integrationPoints_get');
  const path = { integrationPointId: pointId };
  const point = useRead('integrationPoints_get', { path }, undefined, isAsked).data?.result;
  return (
    <>
      {pointId !== '' && (
        <p>
          It belongs to the integration point{' '}
          <Link to={`/points/${pointId}`}>
            <bdi>{point?.fullname ?? point?.name ?? pointId}</bdi>
          </Link>
          .
        </p>
      )}
      <div class="columns thirds">
        <MappingChains integration={integration} ofPoint={point?.mappings ?? []} />
        <Schedules integration={integration} />
        <Webhooks integration={integration} />
      </div>
    </>
  );
}

function Schedules({ integration: { scheduled_operations: schedules } }: Props) {
  return (
    <section class="card" aria-labelledby="schedules">
      <h2 id="schedules">Schedules</h2>
      {(schedules ?? []).length === 0 ? (
        <p class="empty">None. A schedule of the integration point reads lists by itself.</p>
      ) : (
        <ul class="lines">
          {(schedules ?? []).map((one, index) => (
            <li key={index}>
              <Operation id={one.operation} />
              <small>
                {one.frequency.type}: {one.frequency.value}
              </small>
              {one.enabled === false && <Toned tone="warn">Switched off</Toned>}
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link to="/jobs">Jobs and their last runs</Link>
      </p>
    </section>
  );
}

function Webhooks({ integration: { webhook_config: config } }: Props) {
  const items = config?.items ?? [];
  return (
    <section class="card" aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      {items.length === 0 ? (
        <p class="empty">
          None of its own. Changes of the integration itself are sent to{' '}
          <Link to="/webhooks">webhooks of the organization</Link>.
        </p>
      ) : (
        <ul class="lines">
          {items.map(({ webhook_url: url, event_filter: events }) => (
            <li key={url}>
              <code>{url}</code>
              <small>{events?.join(', ') || 'all events of the provider'}</small>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
