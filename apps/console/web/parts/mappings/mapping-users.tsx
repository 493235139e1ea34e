import type { ManagementSchemas } from '#contract';
import { mayCall } from '../../api/permissions.js';
import { useRead } from '../../api/query.js';
import { Link } from '../link.js';
import { isReference } from './chains.js';

const maxListed = 200;

export type Mapping = Omit<ManagementSchemas['Mapping'], 'data'>;

interface User {
  to: string;
  name: string;
  kind: 'integration' | 'integration point';
}

/** Finds the integrations and points whose chains name a mapping, among the first of each; undefined until they are read. */
export function useMappingUsers(): ((mapping: Mapping) => readonly User[]) | undefined {
  const query = { limit: maxListed };
  const integrations = useRead(
    'integrations_list',
    { query },
    undefined,
    mayCall('integrations_list'),
  ).data?.result;
  const points = useRead(
    'integrationPoints_list',
    { query },
    undefined,
    mayCall('integrationPoints_list'),
  ).data?.result;
  if (integrations === undefined || points === undefined) return undefined;
  return (mapping) => {
    const isIt = (reference: string) => isReference(reference, mapping);
    const uses = ({ mappings }: { mappings?: readonly { mappings: string[] }[] | null }) =>
      (mappings ?? []).some((chain) => chain.mappings.some(isIt));
    return [
      ...integrations.filter(uses).map((one) => ({
        to: `/integrations/${one.account_id}/${one.id}`,
        name: one.fullname,
        kind: 'integration' as const,
      })),
      ...points.filter(uses).map((one) => ({
        to: `/points/${one.id}`,
        name: one.fullname ?? one.name,
        kind: 'integration point' as const,
      })),
    ];
  };
}

/** Those who use a mapping, with links. */
export function MappingUsers({ users }: { users: readonly User[] }) {
  if (users.length === 0) return <>nobody</>;
  return (
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
  );
}
