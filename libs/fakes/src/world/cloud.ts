import { cloudAccountOf } from './cloud-accounts.js';
import { keyOf } from './company.js';
import { stamp, type WorldContext } from './context.js';
import { makeDevice } from './devices.js';
import { Random } from './random.js';
import { story } from './story.js';
import type { CloudFinding, CloudResource, Severity } from './types.js';

type ResourceRow = readonly [
  account: number,
  kind: CloudResource['kind'],
  name: string,
  isPublic: boolean,
  isEncrypted: boolean,
];

/** Resources beside the virtual machines, which are devices, too. */
const resourceRows: readonly ResourceRow[] = [
  [1, 'bucket', 'alderpoint-brochures', true, true],
  [1, 'bucket', 'alderpoint-build-artifacts', false, true],
  [1, 'bucket', 'alderpoint-logs', false, false],
  [1, 'role', 'deploy-production', false, true],
  [1, 'user', 'build-deploy', false, true],
  [1, 'database', 'orders', false, true],
  [1, 'network', 'vpc-0a1b2c3d4e5f60718', false, true],
  [1, 'function', 'resize-images', false, true],
  [2, 'bucket', 'alderpointresearch', false, true],
  [2, 'network', 'vnet-research', false, true],
  [2, 'database', 'spectra', true, true],
  [3, 'bucket', 'alderpoint-analytics-exports', false, true],
  [3, 'role', 'analytics-reader', false, true],
  [3, 'network', 'analytics', false, true],
];

const firstCloudDevice = 45;
const lastCloudDevice = 52;

function resourceIdOf(account: number, kind: CloudResource['kind'], name: string): string {
  const { provider, account_id, region } = cloudAccountOf(keyOf('acc', account));
  if (provider === 'aws') {
    if (kind === 'bucket') return `arn:aws:s3:::${name}`;
    if (kind === 'role' || kind === 'user') return `arn:aws:iam::${account_id}:${kind}/${name}`;
    if (kind === 'network') return `arn:aws:ec2:${region}:${account_id}:vpc/${name}`;
    if (kind === 'instance') return `arn:aws:ec2:${region}:${account_id}:instance/${name}`;
    if (kind === 'function') return `arn:aws:lambda:${region}:${account_id}:function:${name}`;
    return `arn:aws:rds:${region}:${account_id}:db:${name}`;
  }
  return provider === 'azure'
    ? `/subscriptions/${account_id}/resourceGroups/research/${kind}/${name}`
    : `//cloudresourcemanager.googleapis.com/projects/${account_id}/${kind}/${name}`;
}

export function* makeCloudResources(context: WorldContext): Generator<CloudResource> {
  let number = 0;
  for (const [account, kind, name, isPublic, isEncrypted] of resourceRows) {
    number++;
    const random = new Random(context.seed, 'resource', name);
    yield {
      key: keyOf('res', number),
      account: keyOf('acc', account),
      kind,
      name,
      resource_id: resourceIdOf(account, kind, name),
      region: cloudAccountOf(keyOf('acc', account)).region,
      device: null,
      is_public: isPublic,
      is_encrypted: isEncrypted,
      tags: { environment: cloudAccountOf(keyOf('acc', account)).environment },
      ...stamp('created', context.daysAgo(random.int(100, 900))),
    };
  }
  for (let device = firstCloudDevice; device <= lastCloudDevice; device++) {
    number++;
    const { key, cloud, hostname, first_seen_ms } = makeDevice(context, device);
    if (cloud === null) continue;
    yield {
      key: keyOf('res', number),
      account: cloud.account,
      kind: 'instance',
      name: hostname,
      resource_id: resourceIdOf(Number(cloud.account.slice(4)), 'instance', cloud.instance_id),
      region: cloud.region,
      device: key,
      is_public: hostname === 'web01' || hostname === 'shop01',
      is_encrypted: true,
      tags: { environment: cloudAccountOf(cloud.account).environment, name: hostname },
      ...stamp('created', first_seen_ms),
    };
  }
}

type RuleRow = readonly [
  id: string,
  title: string,
  remediation: string,
  severity: Severity,
  standard: string,
  control: string,
  results: readonly (readonly [resource: number, fails: boolean])[],
];

const rules: readonly RuleRow[] = [
  [
    'storage-public-read',
    'Buckets should not allow public reads',
    'Block public access of the bucket.',
    'high',
    'AWS Foundational Security Best Practices',
    'S3.2',
    [
      [1, true],
      [2, false],
      [3, false],
    ],
  ],
  [
    'storage-encryption',
    'Buckets should be encrypted with a managed key',
    'Set a default encryption key.',
    'medium',
    'AWS Foundational Security Best Practices',
    'S3.17',
    [
      [1, false],
      [2, false],
      [3, true],
    ],
  ],
  [
    'user-access-key-age',
    'Access keys should be replaced every 90 days',
    'Replace the access key.',
    'medium',
    'CIS AWS Foundations Benchmark',
    '1.14',
    [[5, true]],
  ],
  [
    'user-console-mfa',
    'Users with a password should have a second factor',
    'Assign a second factor.',
    'medium',
    'CIS AWS Foundations Benchmark',
    '1.10',
    [[5, false]],
  ],
  [
    'network-open-ssh',
    'Security groups should not allow SSH from everywhere',
    'Limit port 22 to known networks.',
    'high',
    'CIS AWS Foundations Benchmark',
    '5.2',
    [
      [18, true],
      [19, false],
    ],
  ],
  [
    'database-public',
    'Databases should not be reachable from the internet',
    'Disable the public endpoint.',
    'critical',
    'Microsoft Cloud Security Benchmark',
    'NS-2',
    [[11, true]],
  ],
  [
    'flow-logs',
    'Flow logs should be enabled in all networks',
    'Enable flow logs.',
    'low',
    'CIS AWS Foundations Benchmark',
    '3.7',
    [
      [7, false],
      [10, true],
      [14, true],
    ],
  ],
];

type ThreatRow = readonly [
  day: number,
  time: string,
  account: number,
  resource: number,
  ruleId: string,
  title: string,
  severity: Severity,
  ip: string,
  incident: number | null,
  status: CloudFinding['status'],
];

const threats: readonly ThreatRow[] = [
  [
    -10,
    '03:12',
    1,
    18,
    'UnauthorizedAccess:EC2/SSHBruteForce',
    'Many failed SSH logons at web01',
    'low',
    '198.51.100.88',
    null,
    'suppressed',
  ],
  [
    -2,
    '13:20',
    3,
    22,
    'Recon:EC2/Portscan',
    'metrics01 connects to many ports',
    'medium',
    '10.212.0.54',
    7,
    'new',
  ],
  [
    story.day,
    story.cloudDetected,
    1,
    5,
    'UnauthorizedAccess:IAMUser/MaliciousIPCaller',
    'Access key of build-deploy used from an unusual address',
    'high',
    story.attackerIp,
    8,
    'new',
  ],
  [
    story.day,
    story.bucketDetected,
    1,
    2,
    'Exfiltration:S3/AnomalousBehavior',
    'Unusual number of objects read from alderpoint-build-artifacts',
    'critical',
    story.attackerIp,
    8,
    'new',
  ],
];

export function* makeCloudFindings(context: WorldContext): Generator<CloudFinding> {
  const resources = new Map([...makeCloudResources(context)].map((one) => [one.key, one]));
  let number = 0;
  for (const [id, title, remediation, severity, standard, control, results] of rules)
    for (const [resource, fails] of results) {
      number++;
      const key = keyOf('res', resource);
      yield {
        key: keyOf('cfn', number),
        kind: 'misconfiguration',
        account: resources.get(key)?.account ?? keyOf('acc', 1),
        resource: key,
        rule_id: id,
        title,
        description: `${title}: ${resources.get(key)?.name ?? key} ${fails ? 'does not comply' : 'complies'}.`,
        remediation,
        severity: fails ? severity : 'informational',
        result: fails ? 'fail' : 'pass',
        status: fails ? 'new' : 'resolved',
        standard,
        control,
        ip: null,
        incident: id === 'storage-public-read' && fails ? 'inc-0005' : null,
        ...stamp('first_seen', context.at(-20 - number, '05:00')),
        ...stamp('last_seen', context.at(-1, '05:00')),
      };
    }
  for (const [
    day,
    time,
    account,
    resource,
    ruleId,
    title,
    severity,
    ip,
    incident,
    status,
  ] of threats) {
    number++;
    const seen = context.at(day, time);
    yield {
      key: keyOf('cfn', number),
      kind: 'threat',
      account: keyOf('acc', account),
      resource: keyOf('res', resource),
      rule_id: ruleId,
      title,
      description: `${title}.`,
      remediation: 'Find out who used the resource, then replace its credentials.',
      severity,
      result: null,
      status,
      standard: null,
      control: null,
      ip,
      incident: incident === null ? null : keyOf('inc', incident),
      ...stamp('first_seen', seen),
      ...stamp('last_seen', seen + 600_000),
    };
  }
}
