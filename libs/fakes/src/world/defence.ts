import { keyOf } from './company.js';
import { maybeStamp, stamp, type WorldContext } from './context.js';
import { story } from './story.js';
import type { Severity } from './types.js';
import type { DetectionRule, Indicator, OnCall, Policy } from './work-types.js';

type IndicatorRow = readonly [
  day: number,
  time: string,
  kind: Indicator['kind'],
  value: string,
  severity: Severity,
  action: Indicator['action'],
  description: string,
];

/** Only detected so far, not blocked: blocking them is a step of the demonstration. */
const indicatorRows: readonly IndicatorRow[] = [
  [
    story.day,
    '10:41:00',
    'ipv4',
    story.attackerIp,
    'high',
    'detect',
    'Logons and cloud calls of the attack',
  ],
  [
    story.day,
    '10:41:02',
    'ipv4',
    story.controlIp,
    'critical',
    'detect',
    'Control server of the attack',
  ],
  [story.day, '10:41:04', 'domain', story.loginHost, 'high', 'detect', 'False logon page'],
  [
    story.day,
    '10:41:06',
    'sha256',
    story.archiveHash,
    'critical',
    'detect',
    'Archive with forged customs documents',
  ],
  [
    story.day,
    '10:41:08',
    'sha256',
    story.loaderHash,
    'critical',
    'detect',
    'Loader started by the script',
  ],
  [
    story.day,
    '10:41:10',
    'email',
    story.sender,
    'high',
    'detect',
    'Sender of the forged customs documents',
  ],
  [
    -11,
    '15:00',
    'ipv4',
    '198.51.100.201',
    'medium',
    'prevent',
    'Password spraying against the VPN',
  ],
  [
    -5,
    '12:00',
    'domain',
    'component-trade.example',
    'medium',
    'prevent',
    'Sender of a malicious price list',
  ],
];

export function* makeIndicators(context: WorldContext): Generator<Indicator> {
  for (const [index, row] of indicatorRows.entries()) {
    const [day, time, kind, value, severity, action, description] = row;
    const created = context.at(day, time);
    yield {
      key: keyOf('ioc', index + 1),
      kind,
      value,
      severity,
      action,
      description,
      source: 'Incident response',
      author: keyOf('emp', story.analyst),
      incident: day === story.day ? story.incident : day === -11 ? 'inc-0002' : null,
      ...stamp('created', created),
      ...maybeStamp('expires', created + 90 * 86_400_000),
    };
  }
}

const rules: readonly (readonly [
  name: string,
  description: string,
  platform: DetectionRule['platform'],
  severity: Severity,
  pattern: string,
])[] = [
  [
    'Archive program starts a shell',
    'A command interpreter below WinRAR or 7-Zip',
    'windows',
    'high',
    'ParentImage=.*\\\\(WinRAR|7zFM)\\.exe Image=.*\\\\(cmd|powershell)\\.exe',
  ],
  [
    'Encoded PowerShell command',
    'PowerShell with an encoded command',
    'windows',
    'high',
    'CommandLine=.*-EncodedCommand.*',
  ],
  [
    'Credentials file of a cloud client read',
    'A program other than the client reads the file',
    'windows',
    'medium',
    'TargetFilename=.*\\\\\\.aws\\\\credentials',
  ],
  [
    'Keychain dumped',
    'The keychain is exported',
    'macos',
    'high',
    'CommandLine=security dump-keychain.*',
  ],
  [
    'Shell below the web server',
    'A web server starts a shell',
    'linux',
    'critical',
    'ParentImage=.*/(nginx|httpd) Image=.*/(sh|bash)',
  ],
  ['Port scanner started', 'nmap or masscan', 'linux', 'low', 'Image=.*/(nmap|masscan)'],
];

export function* makeDetectionRules(context: WorldContext): Generator<DetectionRule> {
  for (const [index, [name, description, platform, severity, pattern]] of rules.entries())
    yield {
      key: keyOf('rul', index + 1),
      name,
      description,
      platform,
      severity,
      is_enabled: index !== 3,
      pattern,
      author: keyOf('emp', 13),
      ...stamp('created', context.daysAgo(200 - index * 10)),
      ...stamp('changed', context.daysAgo(20 + index)),
    };
}

export function* makePolicies(context: WorldContext): Generator<Policy> {
  const policies = [
    ['Disk encryption', 'Disks of computers are encrypted.', 'is_encrypted', ['windows', 'macos']],
    ['Management', 'Devices are enrolled.', 'is_managed', ['windows', 'macos', 'ios', 'android']],
    [
      'Patch level',
      'Devices are encrypted and have few open vulnerabilities.',
      'is_compliant',
      ['windows', 'macos', 'ios', 'android', 'linux'],
    ],
  ] as const;
  for (const [index, [name, description, checks, platforms]] of policies.entries())
    yield {
      key: keyOf('pol', index + 1),
      name,
      description,
      checks,
      platforms,
      ...stamp('created', context.daysAgo(700)),
    };
}

export function* makeOnCall(context: WorldContext): Generator<OnCall> {
  const shifts = [
    ['esc-0001', 'Security incidents', 1, story.responder],
    ['esc-0001', 'Security incidents', 2, 5],
    ['esc-0002', 'IT operations', 1, 15],
    ['esc-0002', 'IT operations', 2, 6],
  ] as const;
  for (const [index, [policy, name, level, person]] of shifts.entries())
    yield {
      key: keyOf('onc', index + 1),
      policy,
      policy_name: name,
      level,
      person: keyOf('emp', person),
      ...stamp('starts', context.at(-3, '08:00')),
      ...stamp('ends', context.at(4, '08:00')),
    };
}
