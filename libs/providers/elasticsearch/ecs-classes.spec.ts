import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators, validateRecord } from '#contract';
import { lintRecord } from '#ocsf';
import { type Json, runMapping } from '#test/harness';

beforeAll(loadValidators);

const folder = new URL('.', import.meta.url);

/** Maps a document in ECS (https://www.elastic.co/docs/reference/ecs), with values of our own. */
function map(source: object): Json {
  const time = { '@timestamp': '2026-02-03T04:05:06.000Z' };
  return runMapping(folder, 'event', { _index: 'i', _id: '1', _source: { ...time, ...source } });
}

const host = { id: 'h-3', hostname: 'build-3', ip: ['10.3.0.1'] };
const source = { ip: '10.3.0.1', port: 50_022 };
const destination = { ip: '198.51.100.7', port: 443 };
const user = { id: '42', name: 'ada' };

// One document of each kind, with the class that it is of and what people look for in it.
const kinds: [string, object, string, object][] = [
  [
    'a connection that a firewall allowed',
    {
      event: { kind: 'event', category: ['network'], type: ['connection', 'allowed', 'end'] },
      source: { ...source, bytes: 700 },
      destination: { ...destination, bytes: 500 },
      network: { transport: 'tcp', iana_number: '6', direction: 'outbound', bytes: 1_200 },
      observer: { hostname: 'fw-1', type: 'firewall' },
    },
    'Network Activity',
    {
      activity_id: 2,
      action_id: 1,
      src_endpoint: source,
      dst_endpoint: destination,
      connection_info: { protocol_name: 'tcp', protocol_num: 6, direction: 'Outbound' },
      traffic: { bytes: 1_200, bytes_in: 500, bytes_out: 700 },
      device: { hostname: 'fw-1', type: 'Firewall' },
    },
  ],
  [
    'a connection that a firewall blocked',
    { event: { category: 'network', action: 'drop' }, source, destination },
    'Network Activity',
    { activity_id: 5, action: 'Denied', metadata: { profiles: ['security_control'] } },
  ],
  [
    'a tunnel of which one side is known',
    { event: { category: ['network'], type: ['start'] }, source, observer: { name: 'vpn 1' } },
    'Network Activity',
    { activity_id: 1, dst_endpoint: { name: 'vpn 1' } },
  ],
  [
    'a connection without categories',
    { event: { category: 'traffic' }, source, destination },
    'Network Activity',
    { activity_id: 6 },
  ],
  [
    'an answer of the DNS',
    {
      event: { category: ['network'], type: ['protocol'] },
      dns: { type: 'answer', question: { name: 'example.com', type: 'A' } },
      source,
    },
    'DNS Activity',
    { activity_id: 2, query: { hostname: 'example.com', type: 'A' }, src_endpoint: source },
  ],
  [
    'a request of the web',
    {
      event: { category: ['web'], type: ['access'], outcome: 'failure' },
      http: { request: { method: 'GET' }, response: { status_code: 403 } },
      url: { domain: 'www.example.com', path: '/admin' },
      source,
    },
    'HTTP Activity',
    {
      activity_id: 3,
      status: 'Failure',
      http_response: { code: 403 },
      http_request: { http_method: 'GET', url: { url_string: 'www.example.com/admin' } },
    },
  ],
  [
    'a sign-in that failed',
    { event: { category: ['authentication'], outcome: 'failure' }, user, source, host },
    'Authentication',
    { activity_id: 1, status: 'Failure', user: { name: 'ada', uid: '42' }, src_endpoint: source },
  ],
  [
    'the end of a session of a user who is named at the source',
    { event: { category: ['session'], action: 'logged-out' }, source: { ...source, user } },
    'Authentication',
    { activity_id: 2, user: { name: 'ada' } },
  ],
  [
    'an account that somebody changed',
    {
      event: { category: ['iam'], type: ['user', 'deletion'], action: 'deleted-user-account' },
      user: { ...user, target: { id: '7', name: 'bob' } },
    },
    'Account Change',
    { activity_id: 6, user: { name: 'bob' }, actor: { user: { name: 'ada' } } },
  ],
  [
    'a process without a user',
    {
      event: { category: ['process'], type: ['start'] },
      process: {
        pid: 7,
        executable: '/usr/bin/nc',
        command_line: 'nc -l 99',
        parent: { name: 'bash', pid: 6 },
      },
      host,
    },
    'Process Activity',
    {
      activity_id: 1,
      actor: { process: { name: 'bash', pid: 6 } },
      process: { name: 'nc', pid: 7, cmd_line: 'nc -l 99' },
      device: { hostname: 'build-3' },
    },
  ],
  [
    'a file that was deleted, without a host',
    {
      event: { category: ['file'], type: ['deletion'], provider: 'auditd' },
      file: { path: '/etc/shadow' },
    },
    'File System Activity',
    {
      activity_id: 4,
      file: { name: 'shadow', path: '/etc/shadow' },
      actor: { app_name: 'auditd' },
    },
  ],
  [
    'a message',
    {
      event: { category: ['email'] },
      email: {
        direction: 'inbound',
        subject: 'Invoice',
        message_id: '<1@example.com>',
        from: { address: ['Ada <ada@example.com>'] },
        to: { address: ['bob@example.org', 'eve@example.org'] },
      },
      source,
    },
    'Email Activity',
    {
      direction: 'Inbound',
      src_endpoint: source,
      email: { from: 'ada@example.com', to: ['bob@example.org', 'eve@example.org'] },
    },
  ],
  [
    'an entry of an audit log of a cloud',
    {
      event: { category: ['configuration'], action: 'DeleteBucket', outcome: 'success' },
      cloud: { provider: 'aws', service: { name: 's3' } },
      user,
      source,
    },
    'API Activity',
    {
      activity_id: 4,
      status: 'Success',
      actor: { user: { name: 'ada' } },
      api: { operation: 'DeleteBucket', service: { name: 's3' } },
    },
  ],
  [
    'an entry of an audit log without an address and a user',
    { event: { category: ['configuration'], action: 'setting changed', module: 'appliance' } },
    'API Activity',
    { activity_id: 3, actor: { app_name: 'appliance' }, src_endpoint: { name: 'appliance' } },
  ],
  [
    'an alert of an IDS',
    {
      event: {
        kind: 'alert',
        id: 'e-7',
        category: ['network', 'intrusion_detection'],
        severity: 73,
      },
      rule: { id: '2001219', name: 'Scan of SSH', category: 'attempted-recon' },
      threat: { tactic: { id: ['TA0007'], name: ['Discovery'] } },
      source,
      destination,
      host,
    },
    'Detection Finding',
    {
      severity: 'High',
      status: 'New',
      device: { uid: 'h-3' },
      src_endpoint: source,
      finding_info: {
        uid: 'e-7',
        title: 'Scan of SSH',
        analytic: { uid: '2001219' },
        attacks: [{ tactic: { uid: 'TA0007' } }],
      },
      evidences: [{ src_endpoint: source, dst_endpoint: destination }],
    },
  ],
];

describe('a document in ECS', () => {
  it.each(kinds)('that is %s', (_kind, document, name, expected) => {
    const record = map(document);
    expect(record['class_name']).toBe(name);
    expect(record).toMatchObject(expected);
    expect(validateRecord('siem_query_events', record)).toBeUndefined();
    expect(lintRecord(record).errors).toEqual([]);
  });

  it.each(kinds)('that is %s keeps all its texts', (_kind, document) => {
    const texts = JSON.stringify(map(document)).toLowerCase();
    const lost = leavesOf(document).filter(
      (leaf) => !texts.includes(leaf.toLowerCase()) && !texts.includes(leaf.replace(/.*<|>$/g, '')),
    );
    expect(lost).toEqual([]);
  });

  it('of a kind that no class is for is a base event with its user, its host and all it says', () => {
    const document = { event: { category: ['host'], action: 'boot' }, host, user, note: { x: 1 } };
    const record = map(document);
    expect(record).toMatchObject({
      class_uid: 0,
      activity_name: 'boot',
      actor: { user: { name: 'ada' } },
      device: { hostname: 'build-3' },
      unmapped: { note: { x: 1 } },
    });
  });

  it('keeps a field that its class has no place for', () => {
    const process = { name: 'nginx', pid: 7 };
    const record = map({ event: { category: ['network'] }, source, destination, process });
    expect(record['unmapped']).toMatchObject({ process });
  });
});

it('an alert has an entry for each technique and sub-technique of its rule', () => {
  const threat = [
    {
      tactic: { id: 'TA0001', name: 'Initial Access' },
      technique: [
        { id: 'T1566', name: 'Phishing', subtechnique: [{ id: 'T1566.001' }, { id: 'T1566.002' }] },
        { id: 'T1078', name: 'Valid Accounts' },
      ],
    },
    { tactic: { id: 'TA0002', name: 'Execution' }, technique: [] },
  ];
  const alert = { uuid: 'a-1', severity: 'high', rule: { name: 'Odd logon', threat } };
  const document = { '@timestamp': '2026-02-03T04:05:06.000Z', kibana: { alert } };
  const record = runMapping(folder, 'alert', { _index: 'i', _id: '1', _source: document });
  expect(record['finding_info'].attacks).toMatchObject([
    { technique: { uid: 'T1566' }, sub_technique: { uid: 'T1566.001' } },
    { technique: { uid: 'T1566' }, sub_technique: { uid: 'T1566.002' } },
    { tactic: { uid: 'TA0001' }, technique: { uid: 'T1078' } },
    { tactic: { uid: 'TA0002' } },
  ]);
});

function leavesOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : [String(value)];
}
