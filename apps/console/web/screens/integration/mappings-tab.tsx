import type { Result } from '#contract';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Link } from '../../parts/link.js';
import { MappingChains } from './mapping-chains.js';

/** The mappings of an integration, and the integration point that some of them are of. */
export function MappingsTab({
  integration,
}: {
  integration: Result<'integrations_get'>['result'];
}) {
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
      <MappingChains integration={integration} ofPoint={point?.mappings ?? []} />
    </>
  );
}
