import { makeAlerts, makeRiskEvents } from './alerts.js';
import { makeConversations, makeMessages } from './chat.js';
import { makeCloudAccounts } from './cloud-accounts.js';
import { makeCloudFindings, makeCloudResources } from './cloud.js';
import { makeCodeFindings, makeRepositories } from './code.js';
import { WorldContext } from './context.js';
import { makeDetectionRules, makeIndicators, makeOnCall, makePolicies } from './defence.js';
import { makeDevices } from './devices.js';
import { makeEvents } from './events.js';
import { makeFindings, makeScans } from './findings.js';
import { makeNetworkFlows } from './flows.js';
import { makeIncidents } from './incidents.js';
import { makeMails, makeMailThreats } from './mail.js';
import { makeGroups, makePeople } from './people.js';
import { applications, operatingSystems } from './products.js';
import { makeAttachments, makeComments, makeTickets } from './tickets.js';
import type { WorldLists } from './list-types.js';
import { vulnerabilities } from './vulnerabilities.js';

export type WorldDataset = 'BASIC' | 'EMPTY';
export type WorldListName = keyof WorldLists;

export interface WorldOptions {
  /** The instant that everything in the world is before. */
  start: Date;
  dataset: WorldDataset;
  /** How many times people, devices, findings, events and tickets are repeated, with ids and addresses of their own. 1 by default. */
  scale?: number;
  /** Another seed gives other versions, times and background events; people, devices and the attack stay. */
  seed?: number;
}

/** The made-up company: a list of plain, frozen objects for each kind of record. A list is made when it is first read. */
export type World = { readonly [Name in WorldListName]: readonly WorldLists[Name][] } & {
  /** Makes the records of a list one at a time and keeps none of them. */
  stream<Name extends WorldListName>(name: Name): Generator<WorldLists[Name], void>;
};

const makers: { [Name in WorldListName]: (context: WorldContext) => Iterable<WorldLists[Name]> } = {
  people: makePeople,
  groups: makeGroups,
  devices: makeDevices,
  applications: () => applications,
  operating_systems: () => operatingSystems,
  vulnerabilities: () => vulnerabilities,
  findings: makeFindings,
  scans: makeScans,
  incidents: makeIncidents,
  alerts: makeAlerts,
  risk_events: makeRiskEvents,
  cloud_accounts: makeCloudAccounts,
  cloud_resources: makeCloudResources,
  cloud_findings: makeCloudFindings,
  network_flows: makeNetworkFlows,
  events: makeEvents,
  repositories: makeRepositories,
  code_findings: makeCodeFindings,
  mails: makeMails,
  mail_threats: makeMailThreats,
  conversations: makeConversations,
  messages: makeMessages,
  tickets: makeTickets,
  comments: makeComments,
  attachments: makeAttachments,
  indicators: makeIndicators,
  detection_rules: makeDetectionRules,
  policies: makePolicies,
  on_call: makeOnCall,
};

export const worldListNames = Object.keys(makers) as WorldListName[];

/** 2.4 million devices: with many more, addresses of the sites would overlap. */
const maxScale = 40_000;
const defaultSeed = 1;

/** @throws RangeError for an invalid start, scale or seed */
export function makeWorld({ start, dataset, scale = 1, seed = defaultSeed }: WorldOptions): World {
  if (Number.isNaN(start.getTime())) throw new RangeError('start is not a valid date');
  if (!Number.isInteger(scale) || scale < 1 || scale > maxScale)
    throw new RangeError(`scale must be a whole number from 1 to ${maxScale}`);
  if (!Number.isSafeInteger(seed)) throw new RangeError('seed must be a whole number');
  const context = new WorldContext(start.getTime(), scale, seed);

  function* stream<Name extends WorldListName>(name: Name): Generator<WorldLists[Name], void> {
    if (dataset === 'EMPTY') return;
    for (const record of makers[name](context)) yield freeze(record);
  }

  // Not enumerable: whoever walks over the lists must not meet a function.
  const world = Object.defineProperty({}, 'stream', { value: stream }) as World;
  for (const name of worldListNames) {
    let list: readonly WorldLists[typeof name][] | undefined;
    Object.defineProperty(world, name, {
      enumerable: true,
      get: () => (list ??= Object.freeze([...stream(name)])),
    });
  }
  return Object.freeze(world);
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
