import { type BusRole, connectorRole, natsPermissions } from '#bus';
import { servedDomains as domainNames } from '#contract';
import { StartError } from '#observe';

/** Returns the users of NATS as configuration of nats-server. @param more domains that one connector serves together, separated by commas */
export function printNatsPermissions(more: string | undefined): string {
  return natsPermissions(busRoles(more));
}

/** Returns the kinds of processes that have a NATS user. @param more domains that one connector serves together, separated by commas */
export function busRoles(more?: string): BusRole[] {
  const together = more?.split(',').map((name) => name.trim()) ?? [];
  const unknown = together.find((name) => !domainNames.includes(name));
  if (unknown !== undefined)
    throw new StartError(`There is no domain "${unknown}". There are: ${domainNames.join(', ')}.`);
  const sets = [domainNames, ...domainNames.map((name) => [name]), together];
  const connectors = new Map(
    sets.filter((set) => set.length > 0).map((domains) => [connectorRole(domains), domains]),
  );
  return [
    { role: 'gateway', services: ['gateway'] },
    { role: 'management', services: ['management'] },
    { role: 'operations', services: ['operations'] },
    ...[...connectors].map(([role, domains]) => ({
      role,
      services: ['connector'] as const,
      domains,
    })),
    {
      role: 'standalone',
      services: ['gateway', 'management', 'connector', 'operations'],
      domains: domainNames,
    },
  ];
}
