import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { DemoBadge } from '../demo.js';
import { Environment } from '../environment.js';
import { Link } from '../link.js';
import { UnreleasedMark, useUnreleased } from '../released.js';
import { State } from '../state.js';
import { Table } from '../table.js';
import { Ago } from '../time.js';
import { nameOf, pageOf, type Status } from '../integration-names.js';

interface Props {
  statuses: readonly Status[];
  /** Leaves the account out, where it is the same of all. */
  isOfOneAccount?: boolean;
  /** Ids of the integrations that are chosen; without it none can be. */
  chosen?: ReadonlySet<string>;
  onChoose?: (chosen: ReadonlySet<string>) => void;
}

/** Integrations with their state, each with a link to its page. */
export function StatusTable({ statuses, isOfOneAccount = false, chosen, onChoose }: Props) {
  const names = usePointNames(statuses);
  const isUnreleased = useUnreleased(statuses.some(isInProduction));
  return (
    <Table
      columns={[
        ...(chosen ? ['Choose'] : []),
        'Integration',
        'State',
        'Provider',
        ...(isOfOneAccount ? [] : ['Account']),
        'Integration point',
        { number: 'Failed / requests' },
        'Last change',
      ]}
    >
      {statuses.map((one) => (
        <tr key={one.integration_id}>
          {chosen && (
            <td>
              <input
                type="checkbox"
                aria-label={`Choose ${nameOf(one)}`}
                checked={chosen.has(one.integration_id)}
                onChange={({ currentTarget: { checked } }) =>
                  onChoose?.(withChoice(chosen, one.integration_id, checked))
                }
              />
            </td>
          )}
          <th scope="row">
            <Link to={pageOf(one)}>
              <bdi>{nameOf(one)}</bdi>
            </Link>
          </th>
          <td>
            <State name={one.status} />
          </td>
          <td>
            {one.integration?.provider_fullname ?? one.integration?.provider_type}{' '}
            {isInProduction(one) && isUnreleased(one.integration?.provider_type ?? '') && (
              <UnreleasedMark providerId={one.integration?.provider_type ?? ''} />
            )}
          </td>
          {!isOfOneAccount && (
            <td>
              <bdi>{one.account?.fullname ?? one.account_id}</bdi>{' '}
              {one.account?.environment && <Environment name={one.account.environment} />}{' '}
              {one.account && <DemoBadge of={one.account} />}
            </td>
          )}
          <td>
            <Point id={one.integration?.integration_point_id ?? undefined} names={names} />
          </td>
          <td class="number">
            {one.failed} / {one.requests}
          </td>
          <td>
            <Ago time={one.updated_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function isInProduction({ account }: Status): boolean {
  return account?.environment === 'prod';
}

function withChoice(chosen: ReadonlySet<string>, id: string, isChosen: boolean): Set<string> {
  const others = [...chosen].filter((one) => one !== id);
  return new Set(isChosen ? [...others, id] : others);
}

/** Names of the integration points that the integrations belong to; one request reads them. */
function usePointNames(statuses: readonly Status[]): ReadonlyMap<string, string> {
  const ids = [...new Set(statuses.flatMap((one) => one.integration?.integration_point_id ?? []))];
  const query = { limit: ids.length, filter: `id[in]${ids.sort().join(',')}` };
  const isWanted = ids.length > 0 && mayCall('integrationPoints_list');
  const read = useRead('integrationPoints_list', { query }, undefined, isWanted);
  return new Map((read.data?.result ?? []).map(({ id, name, fullname }) => [id, fullname ?? name]));
}

function Point({ id, names }: { id: string | undefined; names: ReadonlyMap<string, string> }) {
  if (id === undefined) return <>–</>;
  return (
    <Link to={`/points/${id}`}>
      <bdi>{names.get(id) ?? id}</bdi>
    </Link>
  );
}
