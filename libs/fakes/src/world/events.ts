import { addressIn, keyOf, siteOf } from './company.js';
import { stamp, type WorldContext } from './context.js';
import { baseDevices, makeDevice } from './devices.js';
import { addressOfPerson, basePeople, workplaceOf } from './people.js';
import { Random } from './random.js';
import { story } from './story.js';
import type { Event, Severity } from './types.js';

/** Events of one copy of the company: those of the attack, and the rest to this number. */
export const baseEvents = 600;

type Step = readonly [
  time: string,
  kind: Event['kind'],
  source: string,
  severity: Severity,
  outcome: Event['outcome'],
  action: string,
  object: string,
  message: string,
];

const { name: victimName } = addressOfPerson(story.victim);

/** The attack as the log sources saw it, in its order: mail, identity, endpoint, network, cloud. */
const attack: readonly Step[] = [
  [
    story.delivered,
    'mail',
    'mail gateway',
    'informational',
    'success',
    'delivered',
    story.subject,
    `Mail from ${story.sender} delivered`,
  ],
  [
    story.clicked,
    'web',
    'web proxy',
    'low',
    'success',
    'get',
    story.loginUrl,
    `${victimName} opened ${story.loginHost}`,
  ],
  [
    '09:02:05',
    'logon',
    'identity',
    'low',
    'failure',
    'second factor denied',
    'single sign-on',
    `${victimName} denied a second-factor request`,
  ],
  [
    '09:02:41',
    'logon',
    'identity',
    'low',
    'failure',
    'second factor denied',
    'single sign-on',
    `${victimName} denied a second-factor request`,
  ],
  [
    '09:03:20',
    'logon',
    'identity',
    'low',
    'failure',
    'second factor timed out',
    'single sign-on',
    `Second-factor request to ${victimName} timed out`,
  ],
  [
    story.signIn,
    'logon',
    'identity',
    'medium',
    'success',
    'logon',
    'single sign-on',
    `${victimName} logged on from ${story.attackerIp}`,
  ],
  [
    story.riskDetected,
    'account_change',
    'identity',
    'high',
    'success',
    'risk raised',
    'user risk',
    `Risk of ${victimName} is high`,
  ],
  [
    story.opened,
    'file',
    'endpoint',
    'low',
    'success',
    'opened',
    story.archive,
    `${story.archive} opened with WinRAR 6.22`,
  ],
  [
    story.shellStarted,
    'process',
    'endpoint',
    'high',
    'success',
    'started',
    'cmd.exe',
    `WinRAR.exe started cmd.exe with ${story.script}`,
  ],
  [
    '09:20:41',
    'process',
    'endpoint',
    'high',
    'success',
    'started',
    'powershell.exe',
    'cmd.exe started powershell.exe with an encoded command',
  ],
  [
    '09:23:58',
    'dns',
    'dns resolver',
    'low',
    'success',
    'resolved',
    story.controlHost,
    `${story.controlHost} resolved to ${story.controlIp}`,
  ],
  [
    story.beaconStarted,
    'web',
    'firewall',
    'medium',
    'success',
    'connected',
    story.controlHost,
    `Connection to ${story.controlIp}:443 allowed`,
  ],
  [
    story.credentialsRead,
    'file',
    'endpoint',
    'high',
    'success',
    'read',
    '.aws\\credentials',
    'powershell.exe read .aws\\credentials',
  ],
  [
    story.cloudKeyUsed,
    'cloud_api',
    'cloud trail',
    'medium',
    'success',
    'sts:GetCallerIdentity',
    'build-deploy',
    `build-deploy called sts:GetCallerIdentity from ${story.attackerIp}`,
  ],
  [
    '10:06:10',
    'cloud_api',
    'cloud trail',
    'medium',
    'success',
    's3:ListAllMyBuckets',
    'build-deploy',
    `build-deploy called s3:ListAllMyBuckets from ${story.attackerIp}`,
  ],
  [
    '10:09:34',
    'cloud_api',
    'cloud trail',
    'medium',
    'failure',
    'iam:CreateUser',
    'build-deploy',
    'build-deploy was denied iam:CreateUser',
  ],
  [
    story.bucketRead,
    'cloud_api',
    'cloud trail',
    'high',
    'success',
    's3:GetObject',
    'alderpoint-build-artifacts',
    `build-deploy read 412 objects from ${story.attackerIp}`,
  ],
];

/** The address that a step of the attack came from. */
function addressOfStep(step: Step, laptopIp: string): string {
  if (step[1] === 'mail') return story.senderIp;
  return step[1] === 'logon' || step[1] === 'cloud_api' || step[1] === 'account_change'
    ? story.attackerIp
    : laptopIp;
}

type Routine = readonly [
  kind: Event['kind'],
  source: string,
  action: string,
  objects: readonly string[],
  failureRate: number,
];

const routine: readonly Routine[] = [
  ['logon', 'identity', 'logon', ['single sign-on', 'mail', 'wiki', 'VPN'], 0.06],
  [
    'process',
    'endpoint',
    'started',
    ['chrome.exe', 'excel.exe', 'teams.exe', 'zoom', 'python3'],
    0,
  ],
  [
    'dns',
    'dns resolver',
    'resolved',
    ['updates.example.com', 'mail.alderpoint.example', 'cdn.example.net'],
    0.02,
  ],
  [
    'web',
    'web proxy',
    'get',
    [
      'https://wiki.alderpoint.example/',
      'https://www.example.org/',
      'https://shop.alderpoint.example/',
    ],
    0.04,
  ],
  [
    'file',
    'endpoint',
    'written',
    ['report.xlsx', 'spectrum-0412.csv', 'invoice.pdf', 'notes.txt'],
    0,
  ],
  [
    'mail',
    'mail gateway',
    'delivered',
    ['Weekly figures', 'Meeting notes', 'Order confirmation'],
    0.08,
  ],
  [
    'cloud_api',
    'cloud trail',
    's3:PutObject',
    ['alderpoint-logs', 'alderpoint-build-artifacts'],
    0.01,
  ],
  ['account_change', 'identity', 'password changed', ['user account'], 0],
];

function makeRoutine(context: WorldContext, copy: number, number: number, occurred: number): Event {
  const random = new Random(context.seed, 'event', copy, number);
  const [kind, source, action, objects, failureRate] = random.pick(routine);
  const base = random.pick(quietPeople);
  const device = kind === 'account_change' || kind === 'mail' ? null : base;
  const outcome = random.next() < failureRate ? 'failure' : 'success';
  const object = random.pick(objects);
  const person = keyOf('emp', copy * basePeople + base);
  const { name } = addressOfPerson(base);
  return {
    key: keyOf('evt', copy * baseEvents + number),
    kind,
    source,
    severity: outcome === 'failure' ? 'low' : 'informational',
    outcome,
    action,
    message: `${name}: ${action} ${object}${outcome === 'failure' ? ' failed' : ''}`,
    person,
    device: device === null ? null : keyOf('dev', copy * baseDevices + device),
    ip: addressIn(siteOf(workplaceOf(base).site).network, copy * baseDevices + base),
    object,
    incident: null,
    ...stamp('occurred', occurred),
  };
}

/** People of the ordinary events: not the victim, so that the attack stands out, and nobody who has left. */
const quietPeople = Array.from({ length: basePeople }, (_, index) => index + 1).filter(
  (number) => number !== story.victim && number !== 39,
);

/**
 * Events by time within each copy of the company. The first copy contains the attack, whose events have the first keys, so that
 * they stay the same with another start or seed.
 */
export function* makeEvents(context: WorldContext): Generator<Event> {
  const laptop = makeDevice(context, story.victim);
  const steps = attack.map((step, index) => toAttackEvent(context, step, index + 1, laptop.ip));
  const fortnightMs = 14 * 86_400_000;
  const first = context.start - fortnightMs;
  const last = context.minutesAgo(1);
  for (let copy = 0; copy < context.scale; copy++) {
    const waiting = copy === 0 ? steps : [];
    const total = baseEvents - waiting.length;
    const every = (last - first) / total;
    const random = new Random(context.seed, 'event times', copy);
    let next = 0;
    for (let index = 0; index < total; index++) {
      const occurred = Math.floor((first + every * (index + random.next())) / 1_000) * 1_000;
      for (let step = waiting[next]; step && step.occurred_ms <= occurred; step = waiting[next]) {
        next++;
        yield step;
      }
      yield makeRoutine(context, copy, waiting.length + index + 1, occurred);
    }
    yield* waiting.slice(next);
  }
}

function toAttackEvent(context: WorldContext, step: Step, number: number, laptopIp: string): Event {
  const [time, kind, source, severity, outcome, action, object, message] = step;
  return {
    key: keyOf('evt', number),
    kind,
    source,
    severity,
    outcome,
    action,
    message,
    person: keyOf('emp', story.victim),
    device: kind === 'cloud_api' || kind === 'mail' ? null : story.device,
    ip: addressOfStep(step, laptopIp),
    object,
    incident: story.incident,
    ...stamp('occurred', context.at(story.day, time)),
  };
}
