import { keyOf } from './company.js';
import { stamp, type WorldContext } from './context.js';
import { Random } from './random.js';
import { story } from './story.js';
import type { Alert, Process, RiskEvent, Severity } from './types.js';

/** Tactics and techniques by their MITRE ATT&CK ids. */
const techniques = {
  'T1566.002': ['TA0001', 'Initial Access', 'Spearphishing Link'],
  'T1566.001': ['TA0001', 'Initial Access', 'Spearphishing Attachment'],
  T1621: ['TA0006', 'Credential Access', 'Multi-Factor Authentication Request Generation'],
  'T1110.003': ['TA0006', 'Credential Access', 'Password Spraying'],
  'T1078.004': ['TA0001', 'Initial Access', 'Cloud Accounts'],
  T1203: ['TA0002', 'Execution', 'Exploitation for Client Execution'],
  'T1059.001': ['TA0002', 'Execution', 'PowerShell'],
  'T1552.001': ['TA0006', 'Credential Access', 'Credentials In Files'],
  'T1071.001': ['TA0011', 'Command and Control', 'Web Protocols'],
  T1530: ['TA0009', 'Collection', 'Data from Cloud Storage'],
  T1046: ['TA0007', 'Discovery', 'Network Service Discovery'],
  'T1204.002': ['TA0002', 'Execution', 'Malicious File'],
  T1068: ['TA0004', 'Privilege Escalation', 'Exploitation for Privilege Escalation'],
} as const;

type Technique = keyof typeof techniques;

/** The score of an alert lies within the band of its severity. */
const scores: Readonly<Record<Severity, number>> = {
  informational: 10,
  low: 30,
  medium: 55,
  high: 75,
  critical: 95,
};

type Row = readonly [
  day: number,
  time: string,
  source: Alert['source'],
  severity: Severity,
  status: Alert['status'],
  technique: Technique,
  title: string,
  person: number | null,
  device: number | null,
  incident: number | null,
];

const older: readonly Row[] = [
  [-13, '07:31', 'edr', 'low', 'closed', 'T1068', 'Unsigned driver blocked', 27, 27, 1],
  [
    -11,
    '13:52',
    'identity',
    'medium',
    'closed',
    'T1110.003',
    'Many failed logons from one address',
    31,
    null,
    2,
  ],
  [
    -11,
    '13:58',
    'network',
    'medium',
    'closed',
    'T1110.003',
    'Repeated VPN logon failures',
    null,
    59,
    2,
  ],
  [-9, '09:20', 'edr', 'low', 'closed', 'T1204.002', 'Unwanted program quarantined', 32, 32, 3],
  [
    -8,
    '16:45',
    'siem',
    'medium',
    'closed',
    'T1552.001',
    'Secret found in a pushed commit',
    21,
    null,
    4,
  ],
  [-6, '11:02', 'cloud', 'medium', 'closed', 'T1530', 'Bucket allows public reads', null, null, 5],
  [
    -4,
    '08:04',
    'identity',
    'medium',
    'in_progress',
    'T1078.004',
    'Logons from two distant places',
    31,
    31,
    6,
  ],
  [-2, '13:22', 'network', 'medium', 'new', 'T1046', 'Host connects to many ports', null, 52, 7],
  [-2, '13:26', 'edr', 'low', 'new', 'T1046', 'Scanning tool started', null, 52, 7],
];

const attack: readonly Row[] = [
  [
    story.day,
    story.riskDetected,
    'identity',
    'high',
    'in_progress',
    'T1621',
    'Logon approved after repeated second-factor requests',
    story.victim,
    null,
    8,
  ],
  [
    story.day,
    story.detected,
    'edr',
    'critical',
    'in_progress',
    'T1203',
    'Archive program started a command script',
    story.victim,
    story.victim,
    8,
  ],
  [
    story.day,
    '09:21:02',
    'edr',
    'high',
    'in_progress',
    'T1059.001',
    'Encoded PowerShell command',
    story.victim,
    story.victim,
    8,
  ],
  [
    story.day,
    '09:35:10',
    'edr',
    'high',
    'in_progress',
    'T1552.001',
    'Credential files read by a script',
    story.victim,
    story.victim,
    8,
  ],
  [
    story.day,
    story.beaconDetected,
    'network',
    'high',
    'in_progress',
    'T1071.001',
    'Regular connections to a new host',
    story.victim,
    story.victim,
    8,
  ],
  [
    story.day,
    story.cloudDetected,
    'cloud',
    'high',
    'in_progress',
    'T1078.004',
    'Access key used from an unusual address',
    null,
    null,
    8,
  ],
  [
    story.day,
    story.bucketDetected,
    'cloud',
    'critical',
    'in_progress',
    'T1530',
    'Unusual number of objects read from a bucket',
    null,
    null,
    8,
  ],
  [
    story.day,
    '10:33:05',
    'mail',
    'high',
    'in_progress',
    'T1566.001',
    'Delivered mail carries a known malicious archive',
    story.victim,
    null,
    8,
  ],
];

const routine: readonly (readonly [Alert['source'], Severity, Technique, string])[] = [
  ['edr', 'informational', 'T1059.001', 'Administrative PowerShell session'],
  ['edr', 'low', 'T1204.002', 'Rarely seen program started'],
  ['identity', 'low', 'T1078.004', 'Logon from a new device'],
  ['network', 'low', 'T1071.001', 'Connection to a newly registered domain'],
  ['mail', 'low', 'T1566.002', 'Link to a newly registered domain'],
  ['siem', 'informational', 'T1046', 'Several hosts contacted within a minute'],
];

const routineAlerts = 23;

const processes: Readonly<Record<string, Process>> = {
  [story.detected]: {
    name: 'cmd.exe',
    path: 'C:\\Windows\\System32\\cmd.exe',
    command_line: `cmd.exe /c "%TEMP%\\Rar$DIa\\${story.script}"`,
    pid: 7_312,
    sha256: story.archiveHash,
    parent_name: 'WinRAR.exe',
    parent_pid: 6_904,
  },
  '09:21:02': {
    name: 'powershell.exe',
    path: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    command_line: 'powershell.exe -NoProfile -WindowStyle Hidden -EncodedCommand SQBFAFgA',
    pid: 7_420,
    sha256: story.loaderHash,
    parent_name: 'cmd.exe',
    parent_pid: 7_312,
  },
  '09:35:10': {
    name: 'powershell.exe',
    path: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    command_line: 'powershell.exe Get-Content $env:USERPROFILE\\.aws\\credentials',
    pid: 7_420,
    sha256: story.loaderHash,
    parent_name: 'cmd.exe',
    parent_pid: 7_312,
  },
};

/** Indicators of the attack that an alert is about, by its time. */
const indicators: Readonly<Record<string, string>> = {
  [story.riskDetected]: 'ioc-0001',
  [story.detected]: 'ioc-0004',
  '09:21:02': 'ioc-0005',
  [story.beaconDetected]: 'ioc-0002',
  [story.cloudDetected]: 'ioc-0001',
  [story.bucketDetected]: 'ioc-0001',
  '10:33:05': 'ioc-0004',
};

function routineRows(context: WorldContext): Row[] {
  const random = new Random(context.seed, 'routine alerts');
  return Array.from({ length: routineAlerts }, () => {
    const [source, severity, technique, title] = random.pick(routine);
    // The victim and the device of the story stay out of the noise.
    const number = random.pick([2, 8, 12, 15, 17, 20, 22, 24, 26, 29, 30, 34, 37]);
    const hasDevice = source === 'edr' || source === 'network';
    const time = `${random.int(6, 17)}:${random.int(10, 59)}:${random.int(10, 59)}`;
    const day = -random.int(2, 14);
    return [
      day,
      time,
      source,
      severity,
      'closed',
      technique,
      title,
      number,
      hasDevice ? number : null,
      null,
    ];
  });
}

/** All alerts of the fortnight, oldest first. Keys of those that belong to an incident stay the same with another seed. */
export function* makeAlerts(context: WorldContext): Generator<Alert> {
  const timed = [...older, ...attack, ...routineRows(context)]
    .map((row, index) => ({ row, number: index + 1, created: context.at(row[0], row[1]) }))
    .sort((one, other) => one.created - other.created);
  for (const { row, number, created } of timed) {
    const [, time, source, severity, status, technique, title, person, device, incident] = row;
    const [tacticId, tactic, techniqueName] = techniques[technique];
    const isAttack = incident === 8;
    yield {
      key: keyOf('alt', number),
      title,
      description: `${title}: ${techniqueName} (${technique}).`,
      source,
      severity,
      score: scores[severity],
      status,
      tactic_id: tacticId,
      tactic,
      technique_id: technique,
      technique: techniqueName,
      person: person === null ? null : keyOf('emp', person),
      device: device === null ? null : keyOf('dev', device),
      incident: incident === null ? null : keyOf('inc', incident),
      indicator: isAttack ? (indicators[time] ?? null) : null,
      process: isAttack ? (processes[time] ?? null) : null,
      ...stamp('created', created),
      ...stamp('changed', status === 'closed' ? created + 5 * 3_600_000 : created + 240_000),
    };
  }
}

type RiskRow = readonly [
  day: number,
  time: string,
  person: number,
  kind: RiskEvent['kind'],
  level: RiskEvent['level'],
  state: RiskEvent['state'],
  ip: string,
  city: string,
  country: string,
  incident: number | null,
];

const riskRows: readonly RiskRow[] = [
  [
    -11,
    '13:55',
    31,
    'anonymous_address',
    'medium',
    'remediated',
    '198.51.100.201',
    'Vienna',
    'AT',
    2,
  ],
  [-11, '13:57', 10, 'anonymous_address', 'low', 'at_risk', '198.51.100.201', 'Vienna', 'AT', 2],
  [-7, '06:20', 26, 'leaked_credentials', 'high', 'remediated', '192.0.2.20', 'Lisbon', 'PT', null],
  [-4, '08:02', 31, 'unfamiliar_location', 'medium', 'at_risk', '192.0.2.30', 'Toronto', 'CA', 6],
  [
    -3,
    '18:15',
    20,
    'unfamiliar_location',
    'low',
    'dismissed',
    '198.51.100.140',
    'Montreal',
    'CA',
    null,
  ],
  [
    story.day,
    story.signIn,
    story.victim,
    'unfamiliar_location',
    'medium',
    'at_risk',
    story.attackerIp,
    story.attackerCity,
    story.attackerCountry,
    8,
  ],
  [
    story.day,
    story.riskDetected,
    story.victim,
    'mfa_fatigue',
    'high',
    'at_risk',
    story.attackerIp,
    story.attackerCity,
    story.attackerCountry,
    8,
  ],
];

export function* makeRiskEvents(context: WorldContext): Generator<RiskEvent> {
  for (const [index, row] of riskRows.entries()) {
    const [day, time, person, kind, level, state, ip, city, country, incident] = row;
    yield {
      key: keyOf('rsk', index + 1),
      person: keyOf('emp', person),
      kind,
      level,
      state,
      ip,
      city,
      country_code: country,
      incident: incident === null ? null : keyOf('inc', incident),
      ...stamp('detected', context.at(day, time)),
    };
  }
}
