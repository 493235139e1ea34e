import type { ManagementSchemas } from '#contract';

export type Point = ManagementSchemas['IntegrationPoint'];

/** Everything that the domain has, now and later. */
export const every = '*';
export const environmentNames = ['test', 'prod'] as const;
export type EnvironmentName = (typeof environmentNames)[number];

/** Providers that customers may choose, by environment of their account. */
export type Chosen = Record<EnvironmentName, readonly string[]>;

export function chosenOf({ environments }: Point): Chosen {
  return { test: [...(environments.test ?? [])], prod: [...(environments.prod ?? [])] };
}

export function environmentsOf(chosen: Chosen): Point['environments'] {
  return { test: [...chosen.test], prod: [...chosen.prod] };
}

/** Fields of a request that makes or changes a point. */
export type PointFields = Pick<
  ManagementSchemas['CreateIntegrationPointRequest'],
  | 'fullname'
  | 'description'
  | 'environments'
  | 'mappings'
  | 'additional_mappings'
  | 'scheduled_operations'
>;

/** Says in words what an environment allows. */
export function allowedIn({ environments }: Point, environment: EnvironmentName): string {
  const ids = environments[environment] ?? [];
  if (ids.length === 0) return 'no system';
  if (ids.some((id) => String(id) === every))
    return environment === 'prod'
      ? 'every system that is for production'
      : 'every system of the domain';
  return ids.length === 1 ? 'one system' : `${ids.length} systems`;
}
