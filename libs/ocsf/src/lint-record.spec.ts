import { describe, expect, it } from '@jest/globals';
import { lintRecord } from './index.js';

type Json = Record<string, unknown>;

const time = 1_795_000_000_000;

function base(classUid: number, activity: number, version: string): Json {
  return {
    activity_id: activity,
    category_uid: Math.floor((classUid % 100_000) / 1_000),
    class_uid: classUid,
    type_uid: classUid * 100 + activity,
    severity_id: 1,
    severity: 'Informational',
    time,
    metadata: { version, uid: 'm-1', product: { name: 'Falcon', vendor_name: 'CrowdStrike' } },
  };
}

/** One record per class that passes without an error or a warning. */
const good = {
  device: (): Json => ({
    ...base(5001, 2, '1.3.0'),
    activity_name: 'Collect',
    device: {
      uid: 'd-1',
      hostname: 'AP-UTR-L0019',
      type_id: 3,
      type: 'Laptop',
      ip: '10.20.0.21',
      mac: '54:ee:75:fa:8c:ee',
      os: { name: 'Windows 11', type_id: 100, type: 'Windows' },
      last_seen_time: time - 60_000,
    },
    observables: [
      { name: 'device.hostname', type_id: 1, type: 'Hostname', value: 'AP-UTR-L0019' },
      { name: 'device', type_id: 20, type: 'Endpoint' },
    ],
    unmapped: { sensor: '7.17' },
  }),
  user: (): Json => ({
    ...base(3004, 2, '1.3.0'),
    entity: {
      type_id: 2,
      uid: 'u-1',
      name: 'pieter.jansen',
      user: {
        uid: 'u-1',
        name: 'pieter.jansen',
        email_addr: 'pieter.jansen@alderpoint.example',
        type_id: 1,
      },
    },
  }),
  detection: (): Json => ({
    ...base(2004, 1, '1.8.0'),
    severity_id: 4,
    severity: 'High',
    status_id: 1,
    status: 'New',
    finding_info: { uid: 'f-1', title: 'Encoded command', created_time: time },
    evidences: [{ file: { name: 'a.cmd', type_id: 1 } }],
    observables: [
      { name: 'evidences[].file.name', type_id: 7, type: 'File Name', value: 'a.cmd' },
      { name: 'evidences[0].file', type_id: 24, type: 'File' },
    ],
  }),
  vulnerability: (): Json => ({
    ...base(2001, 1, '1.3.0'),
    state_id: 1,
    finding: { uid: 'v-1', title: 'WinRAR' },
    vulnerabilities: [
      { cve: { uid: 'CVE-2023-38831', cvss: [{ version: '3.1', base_score: 7.8 }] } },
    ],
  }),
  compliance: (): Json => ({
    ...base(2003, 1, '1.3.0'),
    finding_info: { uid: 'c-1', title: 'Disk encryption' },
    compliance: { standards: ['CIS'], control: '1.1', status_id: 1, status: 'Pass' },
  }),
  flow: (): Json => ({
    ...base(4001, 6, '1.8.0'),
    start_time: time - 2_000,
    end_time: time,
    duration: 2_000,
    src_endpoint: { ip: '10.20.0.21', port: 50_200 },
    dst_endpoint: { ip: '198.51.100.23', port: 443 },
    traffic: { bytes: 30, bytes_in: 20, bytes_out: 10 },
  }),
  mail: (): Json => ({
    ...base(4009, 2, '1.8.0'),
    direction_id: 1,
    direction: 'Inbound',
    email: { from: 'a@b.example', to: ['c@d.example'], message_uid: '<1@b.example>' },
  }),
  message: (): Json => ({
    ...base(98_906_002, 1, '1.8.0'),
    chat_message: { conversation_uid: 'c-1' },
  }),
  event: (): Json => ({
    ...base(6003, 1, '1.3.0'),
    class_name: 'API Activity',
    actor: { user: { name: 'build-deploy' } },
    src_endpoint: { ip: '203.0.113.77' },
    api: { operation: 's3:GetObject' },
  }),
};

type Kind = keyof typeof good;

/** Sets the value at a dotted path; undefined removes it. */
function change(record: Json, path: string, value: unknown): Json {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let target = record;
  for (const step of steps) target = target[step] as Json;
  if (value === undefined) delete target[last];
  else target[last] = value;
  return record;
}

type Mistake = readonly [kind: Kind, path: string, value: unknown, rule: string, pointer: string];

const errors: readonly Mistake[] = [
  ['detection', 'type_uid', 200_400, 'type-uid', '/type_uid'],
  ['message', 'type_uid', 600_201, 'type-uid', '/type_uid'],
  ['device', 'category_uid', 2, 'category-uid', '/category_uid'],
  ['message', 'category_uid', 98_906, 'category-uid', '/category_uid'],
  ['event', 'class_name', 'ApiActivity', 'class-name', '/class_name'],
  ['event', 'class_uid', 6_999, 'class-uid', '/class_uid'],
  ['device', 'metadata', undefined, 'required', '/metadata'],
  ['detection', 'finding_info.uid', undefined, 'required', '/finding_info/uid'],
  ['device', 'time', 1_795_000_000, 'time', '/time'],
  ['device', 'time', 1_795_000_000_000_000, 'time', '/time'],
  ['device', 'time', '2026-11-19T09:04:12Z', 'time', '/time'],
  ['device', 'device.last_seen_time', time + 0.5, 'time', '/device/last_seen_time'],
  ['device', 'time_dt', '2026-11-19T09:04:12Z', 'time-dt', '/time_dt'],
  [
    'device',
    'device.first_seen_time_dt',
    '2026-11-19T09:04:12Z',
    'time-dt',
    '/device/first_seen_time_dt',
  ],
  ['device', 'metadata.version', '1.8.0', 'version', '/metadata/version'],
  ['device', 'metadata.version', 'v1.3.0', 'version', '/metadata/version'],
  ['device', 'metadata.product', { name: 'Falcon' }, 'product', '/metadata/product/vendor_name'],
  ['device', 'metadata.product.vendor_name', 'Onefold', 'product', '/metadata/product/vendor_name'],
  ['device', 'metadata.product', { vendor_name: 'X' }, 'constraint', '/metadata/product'],
  ['device', 'observables.0.name', 'hostname', 'observable-name', '/observables/0/name'],
  ['device', 'observables.0.name', '$.device.hostname', 'observable-name', '/observables/0/name'],
  ['device', 'observables.0.value', 'other', 'observable-value', '/observables/0/value'],
  ['device', 'observables.0.value', undefined, 'observable-value', '/observables/0/value'],
  ['device', 'observables.1.value', 'd-1', 'observable-value', '/observables/1/value'],
  ['device', 'observables.1.type_id', 2, 'observable-type', '/observables/1/type_id'],
  ['device', 'observables.0.type_id', 18, 'enum', '/observables/0/type_id'],
  ['device', 'device', { type_id: 3 }, 'constraint', '/device'],
  ['device', 'device.uid', undefined, 'device', '/device/uid'],
  ['device', 'device.type_id', undefined, 'required', '/device/type_id'],
  ['device', 'device.hostname', '', 'empty', '/device/hostname'],
  ['device', 'device.ip', null, 'empty', '/device/ip'],
  ['device', 'device.groups', [], 'empty', '/device/groups'],
  ['device', 'device.ip', '10.20.0.21:80', 'format', '/device/ip'],
  ['device', 'device.ip', '10.20.0.0/24', 'format', '/device/ip'],
  ['device', 'device.mac', '54ee75fa8cee', 'format', '/device/mac'],
  ['device', 'device.hostname', 'ap_utr.', 'format', '/device/hostname'],
  ['device', 'device.type_id', '3', 'type', '/device/type_id'],
  ['device', 'device.is_managed', 'yes', 'type', '/device/is_managed'],
  ['device', 'unmapped', { device: 'x', password: 'x' }, 'unmapped', '/unmapped/password'],
  ['device', 'unmapped', { severity: 'Informational' }, 'unmapped', '/unmapped/severity'],
  ['device', 'raw_data', { a: 1 }, 'type', '/raw_data'],
  ['user', 'entity.user', { has_mfa: true }, 'constraint', '/entity/user'],
  ['user', 'entity.uid', 'u-2', 'entity', '/entity/uid'],
  ['user', 'entity.type_id', 3, 'entity', '/entity/group'],
  ['user', 'entity.group', { uid: 'g' }, 'entity', '/entity/group'],
  ['user', 'entity.user.email_addr', 'Pieter <p@a.example>', 'format', '/entity/user/email_addr'],
  ['detection', 'status', 'Success', 'finding', '/status'],
  ['detection', 'finding_info.title', 'f-1', 'finding', '/finding_info/title'],
  ['detection', 'evidences', [{ name: 'x' }], 'constraint', '/evidences/0'],
  [
    'detection',
    'finding_info.attacks',
    [{ version: '14' }],
    'constraint',
    '/finding_info/attacks/0',
  ],
  [
    'detection',
    'evidences.0.file.hashes',
    [{ algorithm_id: 3, value: 'abc' }],
    'format',
    '/evidences/0/file/hashes/0/value',
  ],
  ['vulnerability', 'state_id', undefined, 'finding', '/state_id'],
  [
    'vulnerability',
    'vulnerabilities.0.cve.uid',
    'CVE-1, CVE-2',
    'cve',
    '/vulnerabilities/0/cve/uid',
  ],
  [
    'vulnerability',
    'vulnerabilities.0.cve.cvss.0.base_score',
    78,
    'cvss',
    '/vulnerabilities/0/cve/cvss/0/base_score',
  ],
  ['vulnerability', 'vulnerabilities.0', { title: 'x' }, 'constraint', '/vulnerabilities/0'],
  ['compliance', 'compliance.control', undefined, 'compliance', '/compliance'],
  ['compliance', 'severity_id', 4, 'compliance', '/severity_id'],
  ['compliance', 'compliance.standards', [], 'empty', '/compliance/standards'],
  ['flow', 'end_time', time - 9_000, 'network', '/end_time'],
  ['flow', 'duration', 2, 'network', '/duration'],
  ['flow', 'traffic.bytes', 10, 'network', '/traffic/bytes'],
  ['flow', 'traffic.bytes_in', -1, 'network', '/traffic/bytes_in'],
  ['flow', 'dst_endpoint.port', 70_000, 'format', '/dst_endpoint/port'],
  ['mail', 'direction_id', undefined, 'required', '/direction_id'],
  ['mail', 'email.to', 'c@d.example', 'type', '/email/to'],
  ['mail', 'email.from', 'B <a@b.example>', 'format', '/email/from'],
  ['event', 'api', undefined, 'audit', '/api/operation'],
];

const warnings: readonly Mistake[] = [
  ['device', 'severity', 'Info', 'caption', '/severity'],
  ['device', 'device.type', 'laptop', 'caption', '/device/type'],
  ['device', 'activity_name', 'Log', 'caption', '/activity_name'],
  ['device', 'category_name', 'Findings', 'caption', '/category_name'],
  ['detection', 'status', 'Neu', 'caption', '/status'],
  ['user', 'entity.user.type_id', 99, 'other-caption', '/entity/user/type'],
  ['detection', 'severity_id', 6, 'severity', '/severity_id'],
  [
    'detection',
    'metadata.product.vendor_name',
    undefined,
    'product',
    '/metadata/product/vendor_name',
  ],
  ['detection', 'action_id', 1, 'profiles', '/metadata/profiles'],
  [
    'device',
    'device.last_seen_time_dt',
    new Date(time - 60_000).toISOString(),
    'profiles',
    '/metadata/profiles',
  ],
  [
    'detection',
    'finding_info.attacks',
    [{ technique: { uid: 'CST0007' } }],
    'attack',
    '/finding_info/attacks/0/technique/uid',
  ],
  [
    'detection',
    'finding_info.attacks',
    [{ tactic: { uid: 'TA0002' }, technique: { uid: 'T1059' }, sub_technique: { uid: 'T1059' } }],
    'attack',
    '/finding_info/attacks/0/sub_technique/uid',
  ],
  [
    'vulnerability',
    'vulnerabilities.0.cve.cvss.0.vector_string',
    'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
    'cvss',
    '/vulnerabilities/0/cve/cvss/0/vector_string',
  ],
  [
    'device',
    'metadata.original_time',
    new Date(time + 3_600_000).toISOString(),
    'original-time',
    '/metadata/original_time',
  ],
  ['device', 'metadata.uid', undefined, 'metadata-uid', '/metadata/uid'],
  ['device', 'device.nickname', 'x', 'unknown-attribute', '/device/nickname'],
  ['mail', 'email.smtp_from', 'a@b.example', 'deprecated', '/email/smtp_from'],
];

function found(problems: readonly { rule: string; pointer: string }[]): string[] {
  return problems.map(({ rule, pointer }) => `${rule} ${pointer}`);
}

describe('the OCSF lint', () => {
  it.each(Object.keys(good) as Kind[])('has nothing to say about a good %s', (kind) => {
    expect(lintRecord(good[kind]())).toEqual({ errors: [], warnings: [] });
  });

  it.each(errors)('finds in %s: %s = %j (%s)', (kind, path, value, rule, pointer) => {
    const { errors: problems } = lintRecord(change(good[kind](), path, value));
    expect(found(problems)).toContain(`${rule} ${pointer}`);
  });

  it.each(warnings)('warns in %s: %s = %j (%s)', (kind, path, value, rule, pointer) => {
    const result = lintRecord(change(good[kind](), path, value));
    expect(found(result.warnings)).toContain(`${rule} ${pointer}`);
    expect(found(result.errors)).toEqual([]);
  });

  it('says what the right value is', () => {
    const { errors: problems } = lintRecord(change(good.detection(), 'type_uid', 200_400));
    expect(problems).toEqual([
      {
        pointer: '/type_uid',
        rule: 'type-uid',
        message: 'type_uid must be class_uid × 100 + activity_id: 200401, not 200400',
      },
    ]);
  });

  it('knows the life of a finding', () => {
    const closed = { ...good.detection(), activity_id: 3, type_uid: 200_403 };
    expect(found(lintRecord(closed).errors)).toEqual(['finding /status_id']);
    const resolved = { ...closed, status_id: 4, status: 'Resolved' };
    expect(lintRecord(resolved).errors).toEqual([]);
    const alert = { ...resolved, is_alert: true };
    expect(found(lintRecord(alert).errors)).toEqual(['finding /is_alert']);
  });

  it('escapes names in pointers', () => {
    const result = lintRecord(
      change(good.device(), 'device', { ...(good.device()['device'] as Json), 'a/b~c': 1 }),
    );
    expect(found(result.warnings)).toEqual(['unknown-attribute /device/a~1b~0c']);
  });

  it('holds a record against the class that is asked for', () => {
    const schema = 'v1_3_0.detectionfinding.DetectionFinding';
    expect(found(lintRecord(good.device(), { class: schema }).errors)).toContain(
      'class-uid /class_uid',
    );
    expect(found(lintRecord(good.detection(), { class: schema }).errors)).toContain(
      'version /metadata/version',
    );
    expect(lintRecord(good.event(), { class: 'API Activity' }).errors).toEqual([]);
    expect(() => lintRecord({}, { class: 'Nothing' })).toThrow('unknown class "Nothing"');
  });

  it.each([null, 'x', 7, []])('refuses %j, which is not a record', (value) => {
    expect(found(lintRecord(value).errors)).toEqual(['type ']);
  });

  it('bounds what it reports, and the depth that it reads', () => {
    const wide = change(
      good.device(),
      'observables',
      Array.from({ length: 5_000 }, () => ({})),
    );
    expect(lintRecord(wide).errors.length).toBe(1_000);
    let process: Json = { pid: 1 };
    for (let depth = 0; depth < 10_000; depth++) process = { pid: 1, parent_process: process };
    const deep = change(good.event(), 'actor', { process });
    expect(lintRecord(deep).errors).toEqual([]);
  });
});
