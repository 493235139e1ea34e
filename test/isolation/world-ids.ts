import type { Operation } from '#contract';
import type { AccountWorld, Ids, World } from './world.js';

/** Returns the id for a path parameter of an operation. */
export function own(
  world: World,
  account: AccountWorld,
  { path }: Operation,
  parameter: string,
): string {
  if (parameter === 'ownerId')
    return path.startsWith('/v1/tokens/') ? world.organizationId : account.accountId;
  if (parameter === 'organizationId' && !path.startsWith('/v1/suborgs/'))
    return world.organizationId;
  const fixed: Ids = {
    month: 'partial',
    permissionsetId: 'viewer',
    providerId: 'ticketing_mock_ticketing',
  };
  return (
    account.ids[parameter] ??
    account.records[parameter] ??
    world.ids[parameter] ??
    fixed[parameter] ??
    ''
  );
}

/** Returns an id of every kind of record in an account. */
export function idsOfAccount({ ids }: AccountWorld): string[] {
  return Object.values(ids);
}

/** Returns ids of records of the organization itself that not everyone in it may read. */
export function idsOfOrganization({ ids }: World): string[] {
  const shared = ['integrationPointId', 'chatPointId', 'mappingId', 'customId'];
  return Object.entries(ids)
    .filter(([parameter]) => !shared.includes(parameter))
    .map(([, id]) => id);
}

/** Returns an id of every kind of record in an organization, and of its second account. */
export function idsOfWorld({ ids, organizationId, accounts, administrator }: World): string[] {
  const [first, second] = accounts;
  return [
    organizationId,
    administrator.tokenId,
    ...Object.values(ids),
    ...idsOfAccount(first),
    second.accountId,
  ];
}

/** The name of a record, and the path parameter that accepts it. */
export type Name = readonly [parameter: string, name: string];

/** Returns names of records of the organization itself that not everyone in it may read. */
export function namesOfOrganization({ name }: Pick<World, 'name'>): Name[] {
  return [
    ['roleId', `${name}-role`],
    ['webhookId', `${name}-webhook`],
    ['refreshTokenId', `${name}-token`],
  ];
}

/** Returns the names of an account and its records. */
export function namesOfAccount(name: string): Name[] {
  return ['accountId', 'ownerId', 'integrationId', 'bridgeId'].map((parameter) => [
    parameter,
    name,
  ]);
}

/** Returns the names of an organization's records, which may also exist in other organizations. */
export function namesOfWorld({ name }: Pick<World, 'name'>): Name[] {
  return [
    ...namesOfOrganization({ name }),
    ['integrationPointId', `${name}-point`],
    ['mappingId', `${name}-mapping`],
    ['customId', `${name}-custom`],
    ...namesOfAccount(`${name}-one`),
  ];
}
