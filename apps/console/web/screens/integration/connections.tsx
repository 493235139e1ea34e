import type { Result } from '#contract';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Link } from '../../parts/link.js';
import { Toned } from '../../parts/state.js';
import { type Chains, isForProvider } from '../studio/chains.js';

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

/** The mappings that run, in their order; an own chain hides that of the point for its operations. */
function MappingChains({ integration, ofPoint }: Props & Pick<Chains, 'ofPoint'>) {
  const { mappings, additional_mappings: additional, provider_type: providerId } = integration;
  const own = mappings ?? [];
  const hidden = new Set(own.flatMap((one) => one.operation_ids));
  const inherited = ofPoint
    .filter((one) => isForProvider(one, providerId))
    .map((one) => ({ ...one, operation_ids: one.operation_ids.filter((id) => !hidden.has(id)) }))
    .filter((one) => one.operation_ids.length > 0);
  const address = `${integration.account_id}/${integration.id}`;
  return (
    <section class="card" aria-labelledby="mappings">
      <h2 id="mappings">Mappings</h2>
      <ul class="lines">
        {[...own, ...inherited].map((one) => (
          <li key={one.operation_ids.join()}>
            <code>{one.mappings.map(nameOfMapping).join(' → ')}</code>
            <small>
              {own.includes(one) ? '' : 'of the integration point · '}
              {one.operation_ids.join(', ')}
            </small>
          </li>
        ))}
        <li>
          <code>{nameOfMapping('default:0')}</code>
          <small>
            {own.length + inherited.length === 0 ? 'all operations' : 'all other operations'}
          </small>
        </li>
      </ul>
      {(additional ?? []).length > 0 && (
        <>
          <h3>Then the additional fields</h3>
          <ul class="bullets">
            {(additional ?? []).map(({ source, destination, resource, literal }) => (
              <li key={`${resource} ${destination}`}>
                {resource}: <code>custom_fields.{destination}</code> is{' '}
                {literal ? `always ${source}` : <code>{source}</code>}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <Link to={`/studio?integration=${address}`}>Change them in the mapping studio</Link>
      </p>
    </section>
  );
}

function nameOfMapping(name: string): string {
  return name === 'default:0' ? 'default:0 (built in)' : name;
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
              <code>{one.operation}</code>
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
