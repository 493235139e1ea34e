import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeWorld, worldListNames, type World, type WorldListName } from './index.js';
import { story } from './story.js';
import { compareVersions, severityOfScore } from './vulnerabilities.js';

const start = new Date('2026-11-20T13:37:11.250Z');

/** Fields that refer to records of another list, by list. */
const references: { [Name in WorldListName]?: Readonly<Record<string, WorldListName>> } = {
  people: { manager: 'people', device: 'devices' },
  groups: { members: 'people', owner: 'people' },
  devices: { owner: 'people', os: 'operating_systems' },
  findings: { device: 'devices', vulnerability: 'vulnerabilities', scan: 'scans' },
  incidents: {
    assignee: 'people',
    people: 'people',
    devices: 'devices',
    alerts: 'alerts',
    ticket: 'tickets',
  },
  alerts: {
    person: 'people',
    device: 'devices',
    incident: 'incidents',
    indicator: 'indicators',
  },
  risk_events: { person: 'people', incident: 'incidents' },
  cloud_accounts: { owner: 'people' },
  cloud_resources: { account: 'cloud_accounts', device: 'devices' },
  cloud_findings: {
    account: 'cloud_accounts',
    resource: 'cloud_resources',
    incident: 'incidents',
  },
  network_flows: { device: 'devices', incident: 'incidents' },
  events: { person: 'people', device: 'devices', incident: 'incidents' },
  repositories: { owner: 'people' },
  code_findings: { repository: 'repositories', vulnerability: 'vulnerabilities' },
  mails: { incident: 'incidents' },
  mail_threats: {
    mail: 'mails',
    person: 'people',
    indicator: 'indicators',
    incident: 'incidents',
  },
  conversations: { members: 'people', creator: 'people' },
  messages: {
    conversation: 'conversations',
    author: 'people',
    reply_to: 'messages',
    incident: 'incidents',
  },
  tickets: {
    reporter: 'people',
    assignee: 'people',
    device: 'devices',
    incident: 'incidents',
  },
  comments: { ticket: 'tickets', author: 'people' },
  attachments: { ticket: 'tickets', author: 'people' },
  indicators: { author: 'people', incident: 'incidents' },
  detection_rules: { author: 'people' },
  on_call: { person: 'people' },
};

type Row = { readonly key: string } & Readonly<Record<string, unknown>>;

function rowsOf(world: World, name: WorldListName): readonly Row[] {
  return world[name];
}

function unknownReferences(world: World): string[] {
  return worldListNames.flatMap((name) =>
    Object.entries(references[name] ?? {}).flatMap(([field, target]) => {
      const keys = new Set(rowsOf(world, target).map((row) => row.key));
      return rowsOf(world, name).flatMap((row) =>
        [row[field]]
          .flat()
          .filter((key) => key !== null && !keys.has(key as string))
          .map((key) => `${name} ${row.key}: ${field} ${String(key)}`),
      );
    }),
  );
}

function repeated(values: readonly unknown[]): unknown[] {
  const seen = new Set();
  return values.filter((value) => seen.size === seen.add(value).size);
}

describe('the made-up company', () => {
  let world: World;
  beforeAll(() => {
    world = makeWorld({ start, dataset: 'BASIC' });
  });

  it('has the promised number of records', () => {
    const counts = Object.fromEntries(worldListNames.map((name) => [name, world[name].length]));
    expect(counts).toMatchObject({
      people: 40,
      groups: 12,
      devices: 60,
      applications: 25,
      operating_systems: 8,
      vulnerabilities: 120,
      incidents: 8,
      alerts: 40,
      cloud_accounts: 3,
      cloud_resources: 22,
      repositories: 2,
      events: 600,
      tickets: 36,
      conversations: 9,
      indicators: 8,
    });
    for (const name of worldListNames) expect([name, counts[name]]).not.toEqual([name, 0]);
  });

  it('gives every record a key of its own within its list', () => {
    for (const name of worldListNames)
      expect([name, repeated(rowsOf(world, name).map((row) => row.key))]).toEqual([name, []]);
  });

  it('refers only to records that exist', () => {
    expect(unknownReferences(world)).toEqual([]);
    const products = new Set(
      [...world.applications, ...world.operating_systems].map((one) => one.key),
    );
    for (const { product } of world.vulnerabilities) expect(products).toContain(product);
    for (const { installed } of world.devices)
      for (const { application } of installed) expect(products).toContain(application);
  });

  it.each(['hostname', 'serial', 'uuid', 'mac', 'ip'] as const)(
    'has no two devices with the same %s',
    (field) => {
      const large = makeWorld({ start, dataset: 'BASIC', scale: 50 });
      expect(repeated(large.devices.map((device) => device[field]))).toEqual([]);
    },
  );

  it('has no two people with the same login, mail address, phone or employee number', () => {
    const { people } = makeWorld({ start, dataset: 'BASIC', scale: 5 });
    for (const field of ['login', 'mail', 'mobile_phone', 'employee_number'] as const)
      expect(repeated(people.map((person) => person[field]))).toEqual([]);
  });

  it('gives every person in service a laptop, and the laptop that person as owner', () => {
    for (const person of world.people.filter((one) => one.device !== null))
      expect(world.devices.find((device) => device.key === person.device)).toMatchObject({
        kind: 'laptop',
        owner: person.key,
        site: person.site,
      });
  });

  it('addresses mails and events to people and devices of the company', () => {
    const addresses = new Set(world.people.map((person) => person.mail));
    for (const mail of world.mails)
      expect([mail.from, ...mail.to].some((address) => addresses.has(address))).toBe(true);
    for (const threat of world.mail_threats) {
      const person = world.people.find((one) => one.key === threat.person);
      expect(world.mails.find((one) => one.key === threat.mail)?.to).toEqual([person?.mail]);
    }
    const addressOf = new Map(world.devices.map((device) => [device.key, device.ip]));
    for (const event of world.events.filter((one) => one.incident === null && one.device !== null))
      expect(event.ip).toBe(addressOf.get(event.device ?? ''));
  });

  it('is the same for the same arguments, and frozen', () => {
    const again = makeWorld({ start: new Date(start), dataset: 'BASIC' });
    for (const name of worldListNames) {
      expect(again[name]).toEqual(world[name]);
      expect(JSON.parse(JSON.stringify(again[name]))).toEqual(world[name]);
      expect(Object.isFrozen(world[name]) && Object.isFrozen(world[name][0])).toBe(true);
    }
    expect(() => Object.assign(world.devices[0]!, { hostname: 'x' })).toThrow(TypeError);
    expect(() => Object.assign(world.devices[0]!.tags, { 0: 'x' })).toThrow(TypeError);
  });

  it('keeps people, devices and the attack with another seed, and changes the rest', () => {
    const other = makeWorld({ start, dataset: 'BASIC', seed: 2 });
    expect(other.people.map((one) => one.login)).toEqual(world.people.map((one) => one.login));
    expect(other.devices.map((one) => one.hostname)).toEqual(
      world.devices.map((one) => one.hostname),
    );
    const attack = (one: World) =>
      one.events.filter((event) => event.incident === story.incident).map((event) => event.message);
    expect(attack(other)).toEqual(attack(world));
    expect(other.devices).not.toEqual(world.devices);
    expect(other.findings).not.toEqual(world.findings);
    expect(unknownReferences(other)).toEqual([]);
  });

  it('moves all times with the start, and none of the past is after it', () => {
    const day = 86_400_000;
    const later = makeWorld({ start: new Date(start.getTime() + 3 * day), dataset: 'BASIC' });
    const stays = new Set<WorldListName>(['vulnerabilities', 'applications', 'operating_systems']);
    const mayBeLater = new Set(['due_ms', 'expires_ms', 'ends_ms']);
    for (const name of worldListNames)
      for (const [index, row] of rowsOf(world, name).entries())
        for (const [field, value] of Object.entries(row)) {
          if (!field.endsWith('_ms') || value === null) continue;
          const at = `${name} ${row.key} ${field}`;
          expect([at, new Date(value as number).toISOString()]).toEqual([
            at,
            row[field.replace(/_ms$/, '_at')],
          ]);
          const moved = rowsOf(later, name)[index]?.[field];
          expect([at, moved]).toEqual([at, (value as number) + (stays.has(name) ? 0 : 3 * day)]);
          if (!mayBeLater.has(field))
            expect([at, (value as number) <= start.getTime()]).toEqual([at, true]);
        }
  });

  it('ends what it began: no record has a later time before an earlier one', () => {
    const pairs = [
      ['first_seen_ms', 'last_seen_ms'],
      ['created_ms', 'changed_ms'],
      ['started_ms', 'ended_ms'],
      ['first_seen_ms', 'fixed_ms'],
      ['created_ms', 'closed_ms'],
    ] as const;
    for (const name of worldListNames)
      for (const row of rowsOf(world, name))
        for (const [from, to] of pairs) {
          if (typeof row[from] !== 'number' || typeof row[to] !== 'number') continue;
          expect([name, row.key, to, row[to] >= row[from]]).toEqual([name, row.key, to, true]);
        }
  });

  it('has a finding open exactly while the installed version is below the fixed one', () => {
    expect(world.findings.length).toBeGreaterThan(300);
    const states = new Set(world.findings.map((finding) => finding.state));
    expect([...states].sort()).toEqual(['fixed', 'open', 'reopened', 'suppressed']);
    for (const finding of world.findings) {
      const device = world.devices.find((one) => one.key === finding.device);
      const installed =
        device?.os === finding.product
          ? device.os_version
          : device?.installed.find((one) => one.application === finding.product)?.version;
      expect(installed).toBe(finding.installed_version);
      const isBelow = compareVersions(finding.installed_version, finding.fixed_version) < 0;
      expect([finding.key, isBelow]).toEqual([finding.key, finding.state !== 'fixed']);
    }
  });

  it('states facts about vulnerabilities in their published forms', () => {
    for (const one of world.vulnerabilities) {
      expect(one.key).toMatch(/^CVE-\d{4}-\d{4,}$/);
      expect(one.cvss_vector).toMatch(
        /^CVSS:3\.[01]\/AV:[NALP]\/AC:[LH]\/PR:[NLH]\/UI:[NR]\/S:[UC]\/C:[NLH]\/I:[NLH]\/A:[NLH]$/,
      );
      expect(one.severity).toBe(severityOfScore(one.cvss_score));
      expect([one.key, baseScore(one.cvss_vector)]).toEqual([one.key, one.cvss_score]);
      expect(Number(one.key.slice(4, 8))).toBeLessThanOrEqual(Number(one.published_at.slice(0, 4)));
      expect(compareVersions(one.affected_from, one.fixed_version)).toBeLessThan(0);
    }
    expect(world.vulnerabilities.filter((one) => one.exploited_since).length).toBeGreaterThan(25);
  });

  it('tells the attack in its order through mail, identity, endpoint, network, cloud, ticket and chat', () => {
    const inStory = <T extends { incident: string | null }>(list: readonly T[]) =>
      list.filter((one) => one.incident === story.incident);
    const first = (times: readonly number[]) => Math.min(...times);
    const laptopAlerts = inStory(world.alerts).filter((one) => one.source === 'edr');
    const steps = {
      mail: first(inStory(world.mails).map((one) => one.received_ms)),
      identity: first(inStory(world.risk_events).map((one) => one.detected_ms)),
      endpoint: first(laptopAlerts.map((one) => one.created_ms)),
      network: first(inStory(world.network_flows).map((one) => one.started_ms)),
      cloud: first(inStory(world.cloud_findings).map((one) => one.first_seen_ms)),
      ticket: first(inStory(world.tickets).map((one) => one.created_ms)),
      chat: first(inStory(world.messages).map((one) => one.sent_ms)),
    };
    expect(Object.entries(steps).sort(([, one], [, other]) => one - other)).toEqual(
      Object.entries(steps),
    );
    const times = inStory(world.events).map((event) => event.occurred_ms);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(world.incidents.at(-1)).toMatchObject({
      key: story.incident,
      severity: 'critical',
      status: 'in_progress',
      alerts: inStory(world.alerts).map((one) => one.key),
    });
    expect(laptopAlerts.map((one) => one.device)).toEqual(laptopAlerts.map(() => story.device));
  });

  it('leaves the measures to the demonstration: nothing is isolated, disabled or blocked yet', () => {
    const victim = world.people[story.victim - 1];
    expect(victim).toMatchObject({ status: 'active', risk_level: 'high', device: story.device });
    expect(world.devices.find((one) => one.key === story.device)).toMatchObject({
      isolation: 'none',
      status: 'online',
      os: 'windows-11',
      installed: expect.arrayContaining([
        expect.objectContaining({ application: 'winrar', version: '6.22' }),
      ]),
    });
    const open = world.findings.find(
      (one) => one.device === story.device && one.vulnerability === story.exploited,
    );
    expect(open?.state).toBe('open');
    for (const one of world.indicators.filter((one) => one.incident === story.incident))
      expect(one.action).toBe('detect');
  });

  it('is empty on request', () => {
    const empty = makeWorld({ start, dataset: 'EMPTY' });
    for (const name of worldListNames) expect(empty[name]).toEqual([]);
  });

  it('repeats people, devices, findings, events and tickets by the scale, and begins with the small company', () => {
    const large = makeWorld({ start, dataset: 'BASIC', scale: 3 });
    const names = ['people', 'devices', 'events', 'tickets'] as const;
    expect(names.map((name) => large[name].length)).toEqual([120, 180, 1_800, 104]);
    expect(large.findings.length).toBeGreaterThan(2 * world.findings.length);
    for (const name of ['people', 'devices', 'findings', 'events', 'tickets'] as const)
      expect(large[name].slice(0, world[name].length)).toEqual(world[name]);
    expect(unknownReferences(large)).toEqual([]);
  });

  it('streams a record at a time without making the list', () => {
    const huge = makeWorld({ start, dataset: 'BASIC', scale: 40_000 });
    const records = huge.stream('events');
    expect(records.next().value).toEqual(huge.stream('events').next().value);
    expect(Object.isFrozen(records.next().value)).toBe(true);
  });

  it.each([
    [{ start: new Date('x') }, 'start is not a valid date'],
    [{ start, scale: 0 }, 'scale must be a whole number from 1 to 40000'],
    [{ start, scale: 1.5 }, 'scale must be a whole number from 1 to 40000'],
    [{ start, seed: 0.5 }, 'seed must be a whole number'],
  ])('refuses invalid arguments: %j', (options, message) => {
    expect(() => makeWorld({ dataset: 'BASIC', ...options })).toThrow(message);
  });
});

/** The base score of a CVSS v3 vector, by the formula of its specification. */
function baseScore(vector: string): number {
  const parts = Object.fromEntries(
    vector
      .split('/')
      .slice(1)
      .map((part) => part.split(':')),
  ) as Record<string, string>;
  const isChanged = parts['S'] === 'C';
  const weight = (name: string, weights: Record<string, number>) => weights[parts[name] ?? ''] ?? 0;
  const impact = { H: 0.56, L: 0.22, N: 0 };
  const lost =
    1 - (1 - weight('C', impact)) * (1 - weight('I', impact)) * (1 - weight('A', impact));
  const impactScore = isChanged ? 7.52 * (lost - 0.029) - 3.25 * (lost - 0.02) ** 15 : 6.42 * lost;
  if (impactScore <= 0) return 0;
  const exploitability =
    8.22 *
    weight('AV', { N: 0.85, A: 0.62, L: 0.55, P: 0.2 }) *
    weight('AC', { L: 0.77, H: 0.44 }) *
    weight('PR', isChanged ? { N: 0.85, L: 0.68, H: 0.5 } : { N: 0.85, L: 0.62, H: 0.27 }) *
    weight('UI', { N: 0.85, R: 0.62 });
  const sum = Math.min((isChanged ? 1.08 : 1) * (impactScore + exploitability), 10);
  return Math.ceil(Math.round(sum * 100_000) / 10_000) / 10;
}
