import { lookup } from 'node:dns';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { EgressPolicy, EgressRefused, openEgress, type Resolve } from '#egress';
import { CheckFailure } from './check.js';
import type { DoctorConfiguration } from './doctor-configuration.js';

export type { Resolve } from '#egress';

const timeoutMs = 5_000;
const systemResolve: Resolve = (host, done) => lookup(host, { all: true }, done);

/** Addresses that no setting allows: those of cloud metadata, which give out credentials. */
const metadata = ['http://169.254.169.254/', 'http://[fd00:ec2::254]/'];
const someInside = [
  'http://127.0.0.1/',
  'http://10.0.0.1/',
  'http://192.168.0.1/',
  'http://[::1]/',
];
const someOutside = ['https://192.0.9.1/', 'https://[2600::1]/'];
/** At /7 a range of IPv4 has more public addresses than private ones. */
const minBits = 8;

/** Checks that the policy decides as EGRESS_ALLOW says, and that an address is reached if one is given. */
export async function checkEgress(
  settings: DoctorConfiguration,
  url: string | undefined,
  resolve: Resolve = systemResolve,
): Promise<string> {
  const { egressAllow } = settings;
  const policy = openEgress(settings, undefined, resolve);
  const none = new EgressPolicy([], resolve);
  const faults = egressAllow.flatMap((entry) => checkEntry(entry, policy, none));
  for (const target of metadata)
    if (isAllowed(policy, target)) faults.push(`${target} is allowed, which no setting may do.`);
  for (const target of someOutside)
    if (!isAllowed(policy, target)) faults.push(`${target} is refused, although it is public.`);
  if (faults.length > 0) throw new CheckFailure(faults.join(' '));
  const inside = someInside.filter((target) => isAllowed(policy, target));
  const facts = [
    'public addresses are allowed, metadata addresses are not',
    egressAllow.length === 0
      ? 'nothing inside the company is'
      : `inside the company ${egressAllow.join(', ')}${inside.length > 0 ? `, with ${inside.join(', ')}` : ''}`,
  ];
  const { proxy } = policy;
  if (proxy !== undefined) {
    await proxy.check();
    facts.push(`${proxy.shown} is reached, and other systems are called through it`);
  }
  if (url !== undefined) facts.push(await reach(policy, url));
  return facts.join('; ');
}

/** The first address of an entry has to pass by it, and not without it. */
function checkEntry(entry: string, policy: EgressPolicy, none: EgressPolicy): string[] {
  const [address = '', bits] = entry.split('/');
  const target = `http://${address.includes(':') ? `[${address}]` : address}/`;
  if (bits !== undefined && Number(bits) < minBits)
    return [`EGRESS_ALLOW: ${entry} allows nearly everything. Name the ranges that you need.`];
  if (!isAllowed(policy, target))
    return [
      `EGRESS_ALLOW: ${entry} allows nothing, because ${address} is never allowed. Remove it.`,
    ];
  if (isAllowed(none, target))
    return [`EGRESS_ALLOW: ${entry} is public and is allowed anyway. Remove it.`];
  return [];
}

function isAllowed(policy: EgressPolicy, target: string): boolean {
  try {
    policy.checkUrl(target);
    return true;
  } catch (error) {
    if (error instanceof EgressRefused) return false;
    throw error;
  }
}

/** Opens a connection as those to providers are, and closes it: nothing is sent. */
async function reach(policy: EgressPolicy, url: string): Promise<string> {
  const { protocol, hostname, port, host } = await policy.checkTarget(url);
  const { proxy } = policy;
  if (proxy?.isFor(hostname) === true) {
    await policy.checkProxied(hostname);
    const tunnel = await proxy.connect(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
    tunnel.on('error', () => undefined).destroy();
    return `${host} is reached through ${proxy.shown}`;
  }
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    lookup: policy.lookup,
  });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return `${host} is reached`;
  } catch (error) {
    if (error instanceof EgressRefused) throw error;
    throw new CheckFailure(
      `${host} is not reached (${reasonOf(error)}). Look at firewalls and network policies between here and there.`,
    );
  } finally {
    socket.destroy();
  }
}

/** By RFC 6761 nobody has this name, so a resolver that works says so. */
const unresolvable = 'onefold.invalid';

/** Checks that the hosts of the settings have addresses, and for processes that call outside that the resolver answers. */
export async function checkDns(
  { databaseUrl, natsUrl, otlpEndpoint }: DoctorConfiguration,
  { url, callsOutside }: { url: string | undefined; callsOutside: boolean },
  resolve: Resolve = systemResolve,
): Promise<string> {
  const servers = natsUrl?.reveal().split(',') ?? [];
  const hosts = [databaseUrl, ...servers, otlpEndpoint, url].flatMap((address) => {
    if (address === undefined || !URL.canParse(address.trim())) return [];
    const host = new URL(address.trim()).hostname.replace(/^\[|\]$/g, '');
    return host === '' || isIP(host) ? [] : [host];
  });
  const names = [...new Set(hosts)];
  const failed: string[] = [];
  for (const name of names) {
    const error = await resolveError(name, resolve);
    if (error !== undefined) failed.push(`${name} has no address (${error})`);
  }
  if (callsOutside) {
    const error = await resolveError(unresolvable, resolve);
    if (error !== undefined && error !== 'ENOTFOUND') failed.push(`no resolver answers (${error})`);
  }
  if (failed.length > 0)
    throw new CheckFailure(
      `${failed.join('; ')}. Correct the name, or the DNS of this machine; in a cluster a network policy must allow port 53.`,
    );
  if (names.length > 0) return `${names.join(', ')} ${names.length > 1 ? 'have' : 'has'} addresses`;
  return callsOutside ? 'the resolver answers' : 'not needed: the settings contain addresses alone';
}

async function resolveError(name: string, resolve: Resolve): Promise<string | undefined> {
  return await new Promise((settle) => {
    const timer = setTimeout(() => settle('no answer within 5 s'), timeoutMs);
    resolve(name, (error, addresses) => {
      clearTimeout(timer);
      if (error !== null) settle(reasonOf(error));
      else settle(addresses.length > 0 ? undefined : 'none found');
    });
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
