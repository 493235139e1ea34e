import { describe, expect, it } from '@jest/globals';
import { runMapping } from '#test/harness';

// Records in the shapes of the vendor's API reference (https://www.falconpy.io, https://github.com/CrowdStrike/gofalcon), with values of our own.
const folder = new URL('.', import.meta.url);
const map = (mapping: string, record: object) =>
  runMapping(folder, mapping, record, { now: Date.UTC(2026, 0, 1) });

const misconfiguration = (
  evaluation: object,
  resource: object = { status: 'active' },
  rule: object = {},
) =>
  map('misconfiguration', {
    id: 'iom-1',
    cloud: { provider: 'aws', account_id: '111122223333', region: 'eu-west-1' },
    evaluation: {
      severity: 'high',
      first_detected: '2026-01-01T00:00:00Z',
      last_detected: '2026-01-02T00:00:00Z',
      rule: { id: 'r-1', name: 'Public', ...rule },
      ...evaluation,
    },
    resource: {
      resource_id: 'bucket-1',
      resource_name: 'logs',
      resource_type: 'AWS::S3',
      ...resource,
    },
  });

describe('an indicator of misconfiguration', () => {
  it.each([
    ['non-compliant', 'New', 'Fail'],
    ['open', 'New', 'Fail'],
    ['compliant', 'Resolved', 'Pass'],
    ['pass', 'Resolved', 'Pass'],
    ['suppressed', 'Suppressed', 'Fail'],
  ])('that is %s is %s, and its compliance is %s', (status, state, compliance) => {
    const record = misconfiguration({ status });
    expect([record['status'], record['compliance'].status]).toEqual([state, compliance]);
  });

  it('is suppressed by its extension, and resolved when its resource is deleted', () => {
    const suppressed = misconfiguration({
      status: 'non-compliant',
      extension: { status: 'Suppressed' },
    });
    expect([suppressed['status'], suppressed['status_id']]).toEqual(['Suppressed', 3]);
    const gone = misconfiguration({ status: 'non-compliant' }, { status: 'ResourceDeleted' });
    expect([gone['status'], gone['activity_name']]).toEqual(['Resolved', 'Close']);
  });

  it('keeps whose it is, and the references and the sub-technique of its rule', () => {
    const threat = {
      framework: 'MITRE ATT&CK',
      tactic: { id: 'TA0010', name: 'Exfiltration', reference: 'https://attack.example/TA0010' },
      technique: { id: 'T1537', name: 'Transfer', technique: { id: 'T1537.001' } },
    };
    const { unmapped } = map('misconfiguration', {
      id: 'iom-1',
      cloud_groups: [{ name: 'production' }],
      cloud: { provider: 'aws' },
      evaluation: { rule: { name: 'Public', threat }, last_detected: '2026-01-02T00:00:00Z' },
      resource: { resource_id: 'bucket-1' },
    });
    expect(unmapped).toEqual({
      cloud_groups: [{ name: 'production' }],
      evaluation: {
        rule: {
          threat: {
            framework: 'MITRE ATT&CK',
            tactic: { reference: 'https://attack.example/TA0010' },
            technique: { technique: { id: 'T1537.001' } },
          },
        },
      },
    });
  });

  it('has the tactic and technique of its rule, which are objects', () => {
    const threat = {
      tactic: { id: 'TA0009', name: 'Collection', reference: 'https://attack.mitre.org/' },
      technique: { id: 'T1530', name: 'Data from Cloud Storage', reference: '' },
    };
    expect(
      misconfiguration({ status: 'open' }, {}, { threat })['finding_info'].attacks,
    ).toMatchObject([
      { tactic: { uid: 'TA0009', name: 'Collection' }, technique: { uid: 'T1530' } },
    ]);
    const none = misconfiguration({ status: 'open' }, {}, { threat: null });
    expect(none['finding_info'].attacks).toBeUndefined();
  });
});

it('a control has the severity of the worst resources, which are counted by severity', () => {
  const control = (counts: object) =>
    map('control', {
      assessment_id: 'c-1',
      last_evaluated: '2026-01-01T00:00:00Z',
      cloud_provider: 'aws',
      account_id: '1',
      region: 'eu-west-1',
      resource_type: 'AWS::S3',
      control: { name: 'S3.1', framework: 'CIS' },
      resource_counts: { total: 9, compliant: 4, non_compliant: 5, ...counts },
    });
  const counts = { critical: 0, high: 2, medium: 3, informational: 0 };
  expect(control({ non_compliant_by_severity: counts })['severity']).toBe('High');
  expect(control({})['severity']).toBe('Unknown');
  expect(control({})['resources']).toEqual([
    {
      uid: '1/eu-west-1/AWS::S3',
      name: 'All resources of the type',
      type: 'AWS::S3',
      region: 'eu-west-1',
    },
  ]);
});

it('a cloud risk has its provider and the name of its asset, also one that was seen once', () => {
  const risk = map('risk', {
    id: 'r-1',
    rule_name: 'Exposed',
    severity: 'High',
    status: 'open',
    provider: 'gcp',
    first_seen: '2026-01-01T00:00:00Z',
    asset_id: 'a-1',
    asset_name: 'db',
    asset_type: 'sql',
  });
  expect(risk).toMatchObject({
    cloud: { provider: 'gcp' },
    resources: [{ uid: 'a-1', name: 'db', type: 'sql' }],
    time: Date.UTC(2026, 0, 1),
  });
});

it('a note has its content and its author', () => {
  const comment = {
    falcon_user_id: 'u-1',
    value: 'looked at it',
    timestamp: '2026-01-01T00:00:00Z',
  };
  const note = map('note', { alert: { composite_id: 'a-1' }, number: 0, comment });
  expect(note['note']).toMatchObject({ content: 'looked at it', creator: { uid: 'u-1' } });
});

describe('an alert', () => {
  const alert = (more: object) =>
    map('detection', {
      composite_id: 'a-1',
      created_timestamp: '2026-01-01T00:00:00Z',
      status: 'new',
      display_name: 'Alert',
      severity_name: 'High',
      ...more,
    });

  it('has its tactic and technique where mitre_attack is missing', () => {
    const attack = {
      tactic: 'Execution',
      tactic_id: 'TA0002',
      technique: 'Shell',
      technique_id: 'T1059',
    };
    const expected = [{ tactic: { uid: 'TA0002' }, technique: { uid: 'T1059' } }];
    expect(alert(attack)['finding_info'].attacks).toMatchObject(expected);
    expect(alert({ mitre_attack: [attack] })['finding_info'].attacks).toMatchObject(expected);
    expect(alert({})['finding_info'].attacks).toBeUndefined();
  });

  it('about an identity has its account as the actor and its endpoint as evidence', () => {
    const record = alert({
      source_account_name: 'anna',
      source_account_domain: 'corp',
      source_account_object_sid: 'S-1',
      source_endpoint_host_name: 'pc-7',
      source_endpoint_address_ip4: '10.0.0.7',
    });
    expect(record['actor'].user).toMatchObject({ name: 'anna', uid: 'S-1', domain: 'corp' });
    expect(record['evidences']).toEqual([{ src_endpoint: { hostname: 'pc-7', ip: '10.0.0.7' } }]);
    expect(record['resources']).toEqual([{ uid: 'S-1', name: 'anna', type: 'User' }]);
    expect(record['unmapped']).toBeUndefined();
  });

  it('keeps what the class has no place for, whether there is a file or not', () => {
    const device = {
      device_id: 'd-1',
      hostname: 'pc-7',
      external_ip: '198.51.100.7',
      ou: ['Sales'],
    };
    const parent = { filename: 'a.exe', local_process_id: '1', cmdline: 'a.exe -x' };
    const record = alert({ device, filename: 'b.exe', parent_details: parent });
    expect(record['unmapped']).toMatchObject({
      device: { external_ip: '198.51.100.7', ou: ['Sales'] },
      parent_details: { cmdline: 'a.exe -x' },
    });
    expect(record['unmapped'].device).not.toHaveProperty('hostname');
    expect(alert({ parent_details: parent })['unmapped'].parent_details).toMatchObject(parent);
    expect(record['resources']).toEqual([{ uid: 'd-1', name: 'pc-7', type: 'Device' }]);
  });
});

it('an alert without names and a time of creation is kept', () => {
  const record = map('detection', {
    composite_id: 'a-2',
    type: 'ldt',
    updated_timestamp: '2026-01-01T00:00:00Z',
  });
  expect(record['finding_info'].title).toBe('Alert of the type ldt');
  expect(record['time']).toBe(Date.UTC(2026, 0, 1));
});

it('a host without times is as it is now', () => {
  const host = map('device', { device_id: 'd-1', hostname: 'pc-7', platform_name: 'Mac' });
  expect(host['time']).toEqual(expect.any(Number));
  expect(host['device'].os.type).toBe('macOS');
});

it('an indicator says which type Falcon calls it, and what is known of its file', () => {
  const indicator = map('indicator', {
    id: 'i-1',
    type: 'sha256',
    value: 'ab',
    action: 'prevent',
    created_on: '2026-01-01T00:00:00Z',
    metadata: { filename: 'a.exe', signed: true },
  });
  expect(indicator['name']).toBe('a.exe');
  expect(indicator['extensions'].x_crowdstrike).toMatchObject({
    type: 'sha256',
    metadata: { signed: true },
  });
});

describe('an event of a sensor', () => {
  const event = (kind: string, more: object) =>
    map('event', {
      '#event_simpleName': kind,
      '@id': 'e-1',
      '@timestamp': Date.UTC(2026, 0, 1),
      aid: 'd-1',
      ComputerName: 'pc-7',
      LocalAddressIP4: '10.0.0.7',
      ...more,
    });
  const peer = {
    RemoteAddressIP4: '198.51.100.7',
    RemotePort: '443',
    LocalPort: '51000',
    Protocol: '6',
  };

  it.each([
    ['NetworkConnectIP4', '0', '10.0.0.7', '198.51.100.7', 'Outbound'],
    ['NetworkReceiveAcceptIP4', '1', '198.51.100.7', '10.0.0.7', 'Inbound'],
  ])('%s is Network Activity from where the connection came', (kind, way, from, to, direction) => {
    const record = event(kind, { ...peer, ConnectionDirection: way });
    expect(record).toMatchObject({
      class_uid: 4001,
      activity_id: 1,
      src_endpoint: { ip: from },
      dst_endpoint: { ip: to },
      connection_info: { direction, protocol_num: 6 },
    });
    expect(record['unmapped']).toBeUndefined();
  });

  it('of no class keeps its file, its command line and its hash', () => {
    const file = { FileName: 'a.exe', CommandLine: 'a.exe -x', SHA256HashData: 'ab' };
    const record = event('SuspiciousCreateSymbolicLink', file);
    expect(record['class_uid']).toBe(0);
    expect(record['unmapped']).toEqual(file);
  });

  it('of a process keeps the address that it talked to', () => {
    const record = event('ProcessRollup2', { FileName: 'a.exe', ...peer });
    expect(record['process'].name).toBe('a.exe');
    expect(record['unmapped']).toEqual(peer);
  });
});

describe('a vulnerability', () => {
  const vulnerability = (app: object, more: object = {}) =>
    map('vulnerability', {
      id: 'v-1',
      aid: 'd-1',
      status: 'open',
      created_timestamp: '2026-01-01T00:00:00Z',
      cve: { id: 'CVE-2026-0001', severity: 'HIGH' },
      host_info: { hostname: 'pc-7' },
      apps: [app],
      ...more,
    });

  it('keeps a confidence that is not confirmed', () => {
    expect(vulnerability({}, { confidence: 'potential' })).toMatchObject({
      unmapped: { confidence: 'potential' },
    });
  });

  it('has the version of a product whose name is not normalized', () => {
    const packageOf = (app: object): unknown =>
      vulnerability(app)['vulnerabilities'][0].affected_packages[0];
    expect(packageOf({ product_name_version: 'Some Tool 4.2.1' })).toMatchObject({
      name: 'Some Tool 4.2.1',
      version: '4.2.1',
    });
    const normalized = { product_name_version: 'Tool 4.2', product_name_normalized: 'Tool' };
    expect(packageOf(normalized)).toMatchObject({ name: 'Tool', version: '4.2' });
    expect(packageOf({ product_name_version: 'Tool' })).toMatchObject({ version: '0' });
  });

  it('keeps the remediation that the finding does not say', () => {
    const finding = map('vulnerability', {
      id: 'v-1',
      aid: 'd-1',
      status: 'open',
      created_timestamp: '2026-01-01T00:00:00Z',
      cve: null,
      remediation: {
        ids: ['f-1', 'f-2'],
        entities: [
          {
            id: 'f-1',
            action: 'Update Tool',
            link: '',
            vendor_url: 'https://vendor.example/1',
            patch_publication_date: '2026-01-01T00:00:00Z',
          },
          { id: 'f-2', action: 'Remove Tool' },
        ],
      },
    });
    expect(finding['finding'].remediation).toEqual({ desc: 'Update Tool' });
    expect(finding['unmapped'].remediation).toEqual({
      ids: ['f-1', 'f-2'],
      entities: [
        {
          id: 'f-1',
          vendor_url: 'https://vendor.example/1',
          patch_publication_date: '2026-01-01T00:00:00Z',
        },
        { id: 'f-2', action: 'Remove Tool' },
      ],
    });
  });

  it('keeps what else its products have', () => {
    const app = { product_name_version: 'Tool 1', patch_publication_date: '2026-01-01' };
    expect(vulnerability(app)['unmapped'].apps).toEqual([{ patch_publication_date: '2026-01-01' }]);
  });
});

it.each(['package', 'product'])('software without times has a %s record', (mapping) => {
  const record = map(mapping, { id: 's-1', name: 'Tool', host: { aid: 'd-1', hostname: 'pc-7' } });
  expect(record['time']).toEqual(expect.any(Number));
  expect(record['device'].name).toBe('pc-7');
});
