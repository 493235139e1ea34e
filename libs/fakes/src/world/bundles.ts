import { LRUCache } from 'lru-cache';
import { productOf } from './products.js';
import { Random } from './random.js';
import { story } from './story.js';
import type { Installation, Vulnerability } from './types.js';
import { compareVersions, versionsOf, vulnerabilitiesOf } from './vulnerabilities.js';

/** Versions of everything that is installed on a kind of device. Devices share a few of them, so that 10⁵ devices stay small. */
export interface Bundle {
  osVersion: string;
  installed: readonly Installation[];
  /** Vulnerabilities of these versions, and those that the installed version has just fixed. */
  exposures: readonly { vulnerability: Vulnerability; installed: string; isFixed: boolean }[];
}

/** Number of different bundles per profile. */
const maxVariants = 8;

const office = [
  'chrome',
  'edge',
  'microsoft-365-apps',
  'acrobat-reader',
  'zoom',
  '7-zip',
  'notepad-plus-plus',
];
const development = ['git', 'vscode', 'docker-desktop', 'firefox', 'winrar'];
const linux = ['openssh', 'openssl', 'curl'];

/** Operating system and applications of a kind of device. */
const profiles = {
  'windows office': ['windows-11', ...office],
  'windows developer': ['windows-11', ...office, ...development],
  mac: [
    'macos',
    'chrome',
    'firefox',
    'microsoft-365-apps',
    'acrobat-reader',
    'zoom',
    'git',
    'vscode',
  ],
  iphone: ['ios', 'zoom'],
  android: ['android', 'zoom'],
  'domain controller': ['windows-server-2022', 'edge'],
  'file server': ['windows-server-2022', 'edge', '7-zip'],
  'erp server': ['windows-server-2019', 'edge', '7-zip'],
  'windows build server': ['windows-server-2019', 'edge', 'git', 'teamcity', '7-zip'],
  'linux build server': ['linux-kernel', ...linux, 'git', 'jenkins', 'docker-engine'],
  'source server': ['linux-kernel', ...linux, 'git', 'gitlab', 'nginx'],
  'wiki server': ['linux-kernel', ...linux, 'confluence', 'postgresql'],
  'web server': ['linux-kernel', ...linux, 'nginx'],
  'shop server': ['linux-kernel', ...linux, 'apache-http-server'],
  'database server': ['linux-kernel', ...linux, 'postgresql'],
  'telemetry server': ['linux-kernel', ...linux, 'log4j', 'docker-engine'],
  'metrics server': ['linux-kernel', ...linux, 'grafana', 'docker-engine'],
  firewall: ['pan-os'],
} as const satisfies Record<string, readonly string[]>;

export type Profile = keyof typeof profiles;

export function operatingSystemOf(profile: Profile): string {
  return profiles[profile][0];
}

/** Bounded, because every caller may have another seed. */
const cache = new LRUCache<string, Bundle>({ max: 2_000 });

/** The software of a device; the same number gives the same versions. The device of the story has WinRAR unpatched. */
export function bundleOf(
  seed: number,
  profile: Profile,
  deviceKey: string,
  number: number,
): Bundle {
  const isStory = deviceKey === story.device;
  const variant = isStory ? 'story' : new Random(seed, 'variant', number).int(0, maxVariants - 1);
  const id = `${seed}/${profile}/${variant}`;
  const known = cache.get(id);
  if (known !== undefined) return known;
  const random = new Random(id);
  const versions = profiles[profile].map((product) => ({
    product,
    version:
      isStory && product === 'winrar' ? productOf(product).version : pickVersion(random, product),
  }));
  const bundle: Bundle = {
    osVersion: versions[0]?.version ?? '',
    installed: Object.freeze(
      versions.slice(1).map(({ product, version }) => {
        const { name, vendor } = productOf(product);
        return Object.freeze({ application: product, name, vendor, version });
      }),
    ),
    exposures: versions.flatMap(({ product, version }) =>
      vulnerabilitiesOf(product).flatMap((vulnerability) => {
        const difference = compareVersions(vulnerability.fixed_version, version);
        return difference < 0
          ? []
          : [{ vulnerability, installed: version, isFixed: difference === 0 }];
      }),
    ),
  };
  cache.set(id, bundle);
  return bundle;
}

/** Most devices have a recent version, some are far behind. */
function pickVersion(random: Random, product: string): string {
  const versions = versionsOf(product);
  const behind = Math.floor(random.next() ** 2.5 * versions.length);
  return versions[versions.length - 1 - behind] ?? productOf(product).version;
}
