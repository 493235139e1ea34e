import { bundleOf } from './bundles.js';
import { keyOf } from './company.js';
import { maybeStamp, stamp, type WorldContext } from './context.js';
import { baseDevices, profileOf } from './devices.js';
import { Random } from './random.js';
import { story } from './story.js';
import type { Finding, Scan } from './types.js';

/** Weekdays before the start on which a scan ran. */
const scanDays = [-13, -9, -5, -1] as const;

export function* makeScans(context: WorldContext): Generator<Scan> {
  for (const [index, day] of scanDays.entries()) {
    const kind = index % 2 === 0 ? 'agent' : 'network';
    yield {
      key: keyOf('scn', index + 1),
      name: kind === 'agent' ? 'Agents of all workstations and servers' : 'Server networks',
      kind,
      state: 'completed',
      scanned_devices: baseDevices * context.scale,
      ...stamp('started', context.at(day, '01:00')),
      ...maybeStamp('ended', context.at(day, '03:40')),
    };
  }
}

const ports: Readonly<Record<string, number>> = {
  nginx: 443,
  'apache-http-server': 443,
  openssh: 22,
  postgresql: 5432,
  jenkins: 8080,
  gitlab: 443,
  confluence: 8090,
  grafana: 3000,
};

/** One finding per device and vulnerability: open while the installed version is below the fixed one. */
export function* makeFindings(context: WorldContext): Generator<Finding> {
  let number = 0;
  // Findings share a few dozen times: writing each again would take most of the time of a large world.
  const firstSeen = Array.from({ length: 61 }, (_, days) =>
    stamp('first_seen', context.at(-14 - days, '02:10')),
  );
  const open = {
    ...stamp('last_seen', context.at(-1, '02:30')),
    ...maybeStamp('fixed', null),
  };
  const fixed = {
    ...stamp('last_seen', context.at(-5, '02:30')),
    ...maybeStamp('fixed', context.at(-1, '02:30')),
  };
  for (let deviceNumber = 1; deviceNumber <= baseDevices * context.scale; deviceNumber++) {
    const device = keyOf('dev', deviceNumber);
    const { exposures } = bundleOf(context.seed, profileOf(deviceNumber), device, deviceNumber);
    const random = new Random(context.seed, 'findings', deviceNumber);
    for (const { vulnerability, installed, isFixed } of exposures) {
      number++;
      const chance = random.next();
      const isStory = device === story.device && vulnerability.key === story.exploited;
      yield {
        key: keyOf('fnd', number),
        device,
        vulnerability: vulnerability.key,
        product: vulnerability.product,
        installed_version: installed,
        fixed_version: vulnerability.fixed_version,
        severity: vulnerability.severity,
        state: isFixed
          ? 'fixed'
          : isStory || chance > 0.1
            ? 'open'
            : chance > 0.04
              ? 'reopened'
              : 'suppressed',
        port: ports[vulnerability.product] ?? null,
        scan: keyOf('scn', isFixed ? 3 : 4),
        ...(firstSeen[random.int(0, 60)] ?? stamp('first_seen', context.at(-14, '02:10'))),
        ...(isFixed ? fixed : open),
      };
    }
  }
}
