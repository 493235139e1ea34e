import { type BusRole, connectorRole, passwordVariable, probeNats } from '#bus';
import { Secret } from '#secrets';
import { type Check, look, type Subject, CheckFailure } from './check.js';
import type { DoctorConfiguration } from './doctor-configuration.js';
import { checkProcesses } from './doctor-processes.js';
import { busRoles, userOf } from './nats-users.js';

/** Larger bodies are streamed in parts of half of it. */
const minPayloadBytes = 1024 * 1024;
const maxNamed = 4;

/** Checks NATS, the log-on, and the permissions of this user and of all whose passwords are given as those of nats-server are. */
export async function checkBus(
  settings: DoctorConfiguration,
  as: Subject,
  variables: Readonly<Record<string, string | undefined>>,
  others: { domains: readonly string[]; clock: () => number },
): Promise<Check[]> {
  const { natsUrl } = settings;
  if (natsUrl === undefined) {
    const says =
      as === 'owner'
        ? 'not looked at: NATS_URL is not set, and the owner of the tables does not need NATS'
        : 'NATS_URL is missing: set it as the process does.';
    return [{ check: 'nats', ok: as === 'owner', says }];
  }
  const nats = { ...settings, natsUrl };
  const own = await look('nats', () => checkServer(nats));
  if (!own.ok) return [own];
  const roles = busRoles([settings.domains.join(',')]);
  const role = roles.find((one) => one.role === roleOf(settings, as));
  const otherUsers = roles.flatMap((one) => {
    const password = variables[passwordVariable(one.role)];
    return one === role || password === undefined || password === ''
      ? []
      : [{ role: one, password: new Secret(password) }];
  });
  const users = [
    ...(role === undefined ? [] : [{ role, settings: nats }]),
    ...otherUsers.map(({ role: other, password }) => ({
      role: other,
      settings: { natsUrl: withoutUser(natsUrl), ...tlsOf(nats), ...logOn(other, password) },
    })),
  ];
  const checks: Check[] = [own];
  if (role === undefined)
    checks.push({
      check: 'permissions',
      ok: as === 'owner',
      says: `not tried for ${settings.natsUser ?? 'this user'}, which is not the name of a process. Say which process it is by --as.`,
    });
  for (const { role: one, settings: user } of users)
    checks.push(await look(`permissions of ${one.role}`, () => checkPermissions(user, one, roles)));
  if (as === 'owner' && settings.keyFile === undefined && settings.busKeyFile === undefined)
    return checks;
  const asker = userOf(settings) ?? 'admin';
  checks.push(...(await checkProcesses(settings, { as, role: asker, ...others })));
  return checks;
}

async function checkServer(nats: Parameters<typeof probeNats>[0]): Promise<string> {
  const probe = await probeNats(nats);
  await probe.close();
  const { hosts, version, maxPayloadBytes } = probe;
  if (maxPayloadBytes < minPayloadBytes)
    throw new CheckFailure(
      `nats-server at ${hosts} accepts messages up to ${maxPayloadBytes} bytes. Set its max_payload to ${minPayloadBytes} or more.`,
    );
  return `nats-server ${version} at ${hosts} lets the user in`;
}

async function checkPermissions(
  nats: Parameters<typeof probeNats>[0],
  role: BusRole,
  roles: readonly BusRole[],
): Promise<string> {
  const probe = await probeNats(nats);
  const { missing, excess } = await probe.tryPermissions(role, roles).finally(() => probe.close());
  const faults = [
    ...(missing.length > 0 ? [`may not ${named(missing)}, which it needs`] : []),
    ...(excess.length > 0 ? [`may ${named(excess)}, which only other processes need`] : []),
  ];
  if (faults.length > 0)
    throw new CheckFailure(
      `the user ${faults.join('; it ')}. Load what npm run -s admin -- nats-permissions prints into nats-server.`,
      `npm run -s admin -- nats-permissions --processes ${role.role}`,
    );
  return 'the user may publish and subscribe what its process needs, and nothing else of the bus';
}

function named(all: readonly string[]): string {
  const more = all.length - maxNamed;
  return `${all.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function roleOf(settings: DoctorConfiguration, as: Subject) {
  if (as === 'connector') return connectorRole(settings.domains);
  if (as !== 'owner' && as !== 'service') return as;
  return userOf(settings);
}

function logOn({ role }: BusRole, natsPassword: Secret) {
  return { natsUser: role, natsPassword };
}

function tlsOf({ natsCaFile, natsCertFile, natsKeyFile }: DoctorConfiguration) {
  return {
    ...(natsCaFile === undefined ? {} : { natsCaFile }),
    ...(natsCertFile === undefined ? {} : { natsCertFile }),
    ...(natsKeyFile === undefined ? {} : { natsKeyFile }),
  };
}

function withoutUser(natsUrl: Secret): string {
  return natsUrl
    .reveal()
    .split(',')
    .map((text) => {
      const url = new URL(text.trim());
      return `${url.protocol}//${url.host}`;
    })
    .join(',');
}
