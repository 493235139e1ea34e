import type { ManagementSchemas, Result } from '#contract';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { countInWords } from '../count-in-words.js';
import { Link } from '../link.js';
import { isReference } from './chains.js';

/** Most users that are named; others are counted. */
const maxNamed = 10;
/** Most records of a list of the API. */
const maxListed = 1_000;

export type Mapping = Omit<ManagementSchemas['Mapping'], 'data'>;

interface User {
  to: string;
  name: string;
  kind: 'integration' | 'integration point';
}

export interface MappingUse {
  /** The first of them. */
  users: readonly User[];
  count: number;
  /** True if the service has counted no further. */
  isMinimum: boolean;
}

/** Reads the integrations and points whose chains name a mapping; undefined until they are read. */
export function useMappingUse(mapping: Mapping | undefined): MappingUse | undefined {
  const { integrations, points } = useNaming(mapping === undefined ? [] : [mapping], maxNamed);
  if (integrations === undefined || points === undefined) return undefined;
  const users = [...ofIntegrations(integrations), ...ofPoints(points)].slice(0, maxNamed);
  return {
    users,
    count: (integrations.total ?? 0) + (points.total ?? 0),
    isMinimum: [integrations, points].some((one) => one.total_is_minimum === true),
  };
}

/**
 * Reads the users of several mappings by two requests.
 * @returns undefined until they are read, then those of one; that is undefined where there are too many to be read at once
 */
export function useUsesOfMappings(
  mappings: readonly Mapping[],
): ((mapping: Mapping) => MappingUse | undefined) | undefined {
  const { integrations, points } = useNaming(mappings, maxListed);
  if (integrations === undefined || points === undefined) return undefined;
  const isWhole = [integrations, points].every(
    ({ result, total }) => result.length >= (total ?? 0),
  );
  return (mapping) => {
    if (!isWhole) return undefined;
    const uses = ({ mappings: chains }: Chained) =>
      (chains ?? []).some((chain) => chain.mappings.some((one) => isReference(one, mapping)));
    const users = [
      ...ofIntegrations({ result: integrations.result.filter(uses) }),
      ...ofPoints({ result: points.result.filter(uses) }),
    ];
    return { users: users.slice(0, maxNamed), count: users.length, isMinimum: false };
  };
}

interface Chained {
  mappings?: readonly { mappings: string[] }[] | null;
}

/** Reads the integrations and points whose chains name one of some mappings. */
function useNaming(mappings: readonly Mapping[], limit: number) {
  const names = mappings.flatMap(({ id, name }) => [id, name]);
  const input = { query: { limit, total: 'true', filter: [`mappings[in]${names.join(',')}`] } };
  const isAsked = names.length > 0;
  const integrations = useRead(
    'integrations_list',
    input,
    undefined,
    isAsked && mayCall('integrations_list'),
  );
  const points = useRead(
    'integrationPoints_list',
    input,
    undefined,
    isAsked && mayCall('integrationPoints_list'),
  );
  return { integrations: integrations.data, points: points.data };
}

const ofIntegrations = ({ result }: Pick<Result<'integrations_list'>, 'result'>): User[] =>
  result.map((one) => ({
    to: `/integrations/${one.account_id}/${one.id}?tab=mappings`,
    name: one.fullname,
    kind: 'integration',
  }));

const ofPoints = ({ result }: Pick<Result<'integrationPoints_list'>, 'result'>): User[] =>
  result.map((one) => ({
    to: `/points/${one.id}`,
    name: one.fullname ?? one.name,
    kind: 'integration point',
  }));

/** Those who use a mapping, with links. */
export function MappingUsers({ use: { users, count, isMinimum } }: { use: MappingUse }) {
  if (count === 0) return <>nobody</>;
  return (
    <>
      <ul>
        {users.map(({ to, name, kind }) => (
          <li key={to}>
            <Link to={to}>
              <bdi>{name}</bdi>
            </Link>{' '}
            {kind === 'integration point' && <small>{kind}</small>}
          </li>
        ))}
      </ul>
      {count > users.length && (
        <small>
          and {countInWords({ total: count - users.length, total_is_minimum: isMinimum })} others
        </small>
      )}
    </>
  );
}

/** Those who use a mapping, once they are read. */
export function UsersOf({ mapping }: { mapping: Mapping }) {
  const use = useMappingUse(mapping);
  return use === undefined ? <>…</> : <MappingUsers use={use} />;
}
