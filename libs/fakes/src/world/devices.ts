import { bundleOf, operatingSystemOf, type Profile } from './bundles.js';
import { cloudAccountOf } from './cloud-accounts.js';
import { addressIn, company, keyOf, siteOf } from './company.js';
import { stamp, type WorldContext } from './context.js';
import { basePeople, workplaceOf } from './people.js';
import { productOf } from './products.js';
import { Random, scramble24 } from './random.js';
import { story } from './story.js';
import type { CloudPlace, Device } from './types.js';

export const baseDevices = 60;

interface Blueprint {
  kind: Device['kind'];
  profile: Profile;
  name: string | null;
  site: string;
  manufacturer: string;
  model: string;
  owner: number | null;
  cloudAccount: string | null;
}

const macOwners = new Set([1, 3, 18, 20, 21, 22, 24, 26, 33]);

const servers: readonly (readonly [name: string, profile: Profile, place: string])[] = [
  ['dc01', 'domain controller', 'UTR'],
  ['file01', 'file server', 'LIS'],
  ['erp01', 'erp server', 'UTR'],
  ['build02', 'windows build server', 'UTR'],
  ['build01', 'linux build server', 'acc-0001'],
  ['git01', 'source server', 'acc-0001'],
  ['wiki01', 'wiki server', 'acc-0001'],
  ['web01', 'web server', 'acc-0001'],
  ['shop01', 'shop server', 'acc-0001'],
  ['db01', 'database server', 'acc-0001'],
  ['telemetry01', 'telemetry server', 'acc-0002'],
  ['metrics01', 'metrics server', 'acc-0003'],
];

const phoneOwners = [1, 2, 4, 29, 30, 34];

function laptop(owner: number, department: string, site: string): Blueprint {
  const isMac = macOwners.has(owner);
  const isTechnical =
    department === 'Engineering' || department === 'IT' || department === 'Security';
  return {
    kind: 'laptop',
    profile: isMac ? 'mac' : isTechnical ? 'windows developer' : 'windows office',
    name: null,
    site,
    manufacturer: isMac ? 'Apple' : owner % 2 === 0 ? 'Dell' : 'Lenovo',
    model: isMac ? 'MacBook Pro 14' : owner % 2 === 0 ? 'Latitude 7440' : 'ThinkPad T14 Gen 4',
    owner,
    cloudAccount: null,
  };
}

function server(row: (typeof servers)[number]): Blueprint {
  const [name, profile, place] = row;
  const isCloud = place.startsWith('acc-');
  return {
    kind: 'server',
    profile,
    name,
    site: isCloud ? 'UTR' : place,
    manufacturer: isCloud ? cloudAccountOf(place).manufacturer : 'Dell',
    model: isCloud ? cloudAccountOf(place).instance_type : 'PowerEdge R660',
    owner: null,
    cloudAccount: isCloud ? place : null,
  };
}

/** The first sixty devices by place: 40 laptops, 12 servers, 6 phones, 2 firewalls. */
function makeBlueprint(base: number): Blueprint {
  if (base <= basePeople) {
    const { department, site } = workplaceOf(base);
    return laptop(base, department, site);
  }
  const serverRow = servers[base - basePeople - 1];
  if (serverRow !== undefined) return server(serverRow);
  const phoneIndex = base - basePeople - servers.length - 1;
  const phoneOwner = phoneOwners[phoneIndex];
  if (phoneOwner !== undefined) {
    const isApple = phoneIndex < 4;
    return {
      kind: 'phone',
      profile: isApple ? 'iphone' : 'android',
      name: null,
      site: workplaceOf(phoneOwner).site,
      manufacturer: isApple ? 'Apple' : 'Samsung',
      model: isApple ? 'iPhone 15' : 'Galaxy S23',
      owner: phoneOwner,
      cloudAccount: null,
    };
  }
  const site = base === baseDevices ? 'LIS' : 'UTR';
  return {
    kind: 'firewall',
    profile: 'firewall',
    name: `fw-${site.toLowerCase()}-01`,
    site,
    manufacturer: 'Palo Alto Networks',
    model: 'PA-440',
    owner: null,
    cloudAccount: null,
  };
}

const blueprints = Array.from({ length: baseDevices }, (_, index) => makeBlueprint(index + 1));

const families: Readonly<Record<string, Device['os_family']>> = {
  'windows-11': 'windows',
  'windows-server-2022': 'windows',
  'windows-server-2019': 'windows',
  macos: 'macos',
  ios: 'ios',
  android: 'android',
  'linux-kernel': 'linux',
  'pan-os': 'panos',
};

const hardware = {
  laptop: { cpu_count: 8, memory_mb: 32_768, disk_gb: 512 },
  server: { cpu_count: 16, memory_mb: 65_536, disk_gb: 1_024 },
  phone: { cpu_count: 6, memory_mb: 6_144, disk_gb: 128 },
  firewall: { cpu_count: 4, memory_mb: 8_192, disk_gb: 128 },
} as const;

const prefixes = { laptop: 'L', server: 'S', phone: 'P', firewall: 'F' } as const;

const groupNames = {
  laptop: 'Workstations',
  server: 'Servers',
  phone: 'Mobile devices',
  firewall: 'Network',
} as const;

function hexPairs(number: number): string {
  return number
    .toString(16)
    .padStart(6, '0')
    .replace(/(..)(..)(..)/, '$1:$2:$3');
}

/** Prefixes of network cards by maker. */
const cardPrefixes: Readonly<Record<string, string>> = {
  Apple: '3c:22:fb',
  Dell: 'f8:bc:12',
  Lenovo: '54:ee:75',
  Samsung: '8c:f5:a3',
  'Palo Alto Networks': '00:1b:17',
};

const cloudNetwork = 212;

function placeInCloud(accountKey: string, number: number, random: Random): CloudPlace {
  const account = cloudAccountOf(accountKey);
  return {
    account: accountKey,
    provider: account.provider,
    instance_id:
      account.provider === 'aws'
        ? `i-0${random.hex(16)}`
        : account.provider === 'azure'
          ? random.uuid()
          : String(4_000_000_000_000_000 + number),
    instance_type: account.instance_type,
    region: account.region,
    zone: `${account.region}${account.zone_suffix}`,
    vpc_id: account.vpc_id,
    subnet_id: account.subnet_id,
    interface_id: `eni-0${random.hex(16)}`,
    image_id: account.image_id,
  };
}

/** Device by number. Numbers above sixty repeat the sixty with other ids, owners and addresses. */
export function makeDevice(context: WorldContext, number: number): Device {
  const base = ((number - 1) % baseDevices) + 1;
  const copy = Math.floor((number - 1) / baseDevices);
  const plan = blueprints[base - 1] ?? makeBlueprint(base);
  const random = new Random(context.seed, 'device', number);
  const site = siteOf(plan.site);
  const key = keyOf('dev', number);
  const os = operatingSystemOf(plan.profile);
  const bundle = bundleOf(context.seed, plan.profile, key, number);
  const hostname =
    plan.name === null
      ? `AP-${plan.site}-${prefixes[plan.kind]}${String(number).padStart(4, '0')}`
      : plan.name + (copy === 0 ? '' : `-${copy + 1}`);
  const hasAgents = plan.kind === 'laptop' || plan.kind === 'server';
  const isStory = key === story.device;
  // A few laptops have been away for days; the others reported within the last hours.
  const isAway = plan.kind === 'laptop' && !isStory && random.next() < 0.12;
  const lastSeen = isAway
    ? context.daysAgo(random.int(2, 9) + random.next())
    : context.minutesAgo(random.int(1, 180));
  const isEncrypted = plan.kind !== 'laptop' || random.next() > 0.08;
  const isCurrent = bundle.exposures.filter((one) => !one.isFixed).length < 12;
  const owner = plan.owner === null ? null : keyOf('emp', copy * basePeople + plan.owner);
  return {
    key,
    number,
    hostname,
    fqdn: `${hostname.toLowerCase()}.${company.ad_domain}`,
    domain: company.ad_domain,
    kind: plan.kind,
    role: plan.profile,
    manufacturer: plan.manufacturer,
    model: plan.model,
    serial: `${(plan.manufacturer[0] ?? 'X').toUpperCase()}${scramble24(number).toString(36).toUpperCase().padStart(5, '0')}${base % 10}`,
    uuid: random.uuid(),
    mac: `${cardPrefixes[plan.manufacturer] ?? '0a:58:0a'}:${hexPairs(scramble24(number))}`,
    ip: addressIn(plan.cloudAccount === null ? site.network : cloudNetwork, number),
    external_ip: plan.cloudAccount === null ? site.external_ip : '192.0.2.100',
    imei: plan.kind === 'phone' ? `35${String(scramble24(number)).padStart(13, '0')}` : null,
    os,
    os_family: families[os] ?? 'linux',
    os_name: productOf(os).name,
    os_version: bundle.osVersion,
    architecture: plan.manufacturer === 'Apple' || plan.kind === 'phone' ? 'arm64' : 'x86_64',
    ...hardware[plan.kind],
    owner,
    site: site.code,
    city: site.city,
    group: groupNames[plan.kind],
    tags: plan.kind === 'server' ? ['critical', site.code] : [site.code],
    installed: bundle.installed,
    edr_version: hasAgents ? `7.${random.int(14, 18)}.${random.int(18_000, 18_999)}` : null,
    scanner_version: hasAgents ? `10.${random.int(6, 8)}.${random.int(0, 4)}` : null,
    mdm_version: plan.kind === 'firewall' || plan.cloudAccount !== null ? null : '24.6.1',
    status: isAway ? 'offline' : 'online',
    isolation: 'none',
    is_managed: plan.kind !== 'firewall',
    is_compliant: isEncrypted && isCurrent,
    is_encrypted: isEncrypted,
    is_critical: plan.kind === 'server' || plan.kind === 'firewall',
    risk_score: isStory ? 97 : random.int(5, 60),
    posture_score: isCurrent ? random.int(75, 98) : random.int(35, 70),
    cloud: plan.cloudAccount === null ? null : placeInCloud(plan.cloudAccount, number, random),
    ...stamp('first_seen', context.daysAgo(random.int(60, 900))),
    ...stamp('last_seen', lastSeen),
    ...stamp('last_boot', lastSeen - random.int(60, 20_000) * 60_000),
  };
}

/** Kind of software of a device, without making the device. */
export function profileOf(number: number): Profile {
  const base = ((number - 1) % baseDevices) + 1;
  return (blueprints[base - 1] ?? makeBlueprint(base)).profile;
}

export function* makeDevices(context: WorldContext): Generator<Device> {
  for (let number = 1; number <= baseDevices * context.scale; number++)
    yield makeDevice(context, number);
}
