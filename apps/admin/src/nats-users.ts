import { type BusRole, connectorRole, natsPermissions } from '#bus';
import { servedDomains as domainNames } from '#contract';
import { StartError } from '#observe';
import type { Secret } from '#secrets';

/**
 * Returns the users of NATS as configuration of nats-server.
 * @param more sets of domains that one connector serves together, separated by commas
 * @param processes the names of those users that are printed, separated by commas; all by default
 */
export function printNatsPermissions(more: readonly string[] = [], processes?: string): string {
  return natsPermissions(processes === undefined ? busRoles(more) : chooseRoles(more, processes));
}

/** Returns the chosen kinds of processes. @throws StartError for one that does not exist */
export function chooseRoles(more: readonly string[] | undefined, processes: string): BusRole[] {
  const roles = busRoles(more);
  const wanted = namesOf(processes);
  const known = roles.map(({ role }) => role);
  // The order of domains in a name is of no interest to people.
  const nameOf = (name: string) =>
    name.startsWith('connector-') ? connectorRole(name.split('-').slice(1)) : name;
  const unknown = wanted.find((name) => !known.includes(nameOf(name)));
  if (unknown !== undefined)
    throw new StartError(
      `There is no process "${unknown}". There are: ${known.join(', ')}. A connector of several domains needs --domains.`,
    );
  const names = new Set(wanted.map(nameOf));
  return roles.filter(({ role }) => names.has(role));
}

function namesOf(list: string): string[] {
  return list.split(',').flatMap((name) => name.trim() || []);
}

/** Returns the kinds of processes that have a NATS user. @param more sets of domains that one connector serves together, separated by commas */
export function busRoles(more: readonly string[] = []): BusRole[] {
  const together = more.map(namesOf);
  const unknown = together.flat().find((name) => !domainNames.includes(name));
  if (unknown !== undefined)
    throw new StartError(`There is no domain "${unknown}". There are: ${domainNames.join(', ')}.`);
  const sets = [domainNames, ...domainNames.map((name) => [name]), ...together];
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
    { role: 'admin', services: [] },
  ];
}

/** Returns the NATS user of settings; undefined where they name none. */
export function userOf({
  natsUser,
  natsUrl,
}: {
  natsUser?: string | undefined;
  natsUrl?: Secret | undefined;
}): string | undefined {
  const address = natsUrl?.reveal().split(',')[0] ?? '';
  const inUrl = URL.canParse(address) ? decodeURIComponent(new URL(address).username) : '';
  return natsUser ?? (inUrl === '' ? undefined : inUrl);
}
