import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { makeWorld } from '#fakes';
import { type Json, listFaults } from '#test/harness';
import { falcon, requests } from './falcon.fixture.js';

const overs = {
  edr: falcon('edr_crowdstrike'),
  assets: falcon('assets_crowdstrike'),
  vulnerabilities: falcon('vulnerabilities_crowdstrike'),
  cloudsecurity: falcon('cloudsecurity_crowdstrike'),
};
const { edr } = overs;
const world = makeWorld({ start: edr.start, dataset: 'BASIC' });
const sensors = world.devices.filter(({ edr_version }) => edr_version !== null);
/** The laptop of the attack. */
const laptop = world.devices.find(({ hostname }) => hostname === 'AP-UTR-L0019');
const cloudFindings = (kind: string) => world.cloud_findings.filter((one) => one.kind === kind);
const alerts = (source: string) => world.alerts.filter((one) => one.source === source).length;

beforeAll(() => loadValidators());
beforeEach(() => {
  for (const over of Object.values(overs)) over.reset();
});

async function uid(): Promise<string> {
  const filter = `device.hostname[eq]${laptop?.hostname}`;
  const [host] = await edr.all('edr_query_endpoints', { filter });
  return host?.['device'].uid as string;
}

describe.each<[OperationId, number]>([
  ['edr_query_endpoints', sensors.length],
  ['edr_query_alerts', alerts('edr') + alerts('cloud')],
  ['edr_query_threatevents', alerts('edr')],
  ['edr_query_applications', sensors.flatMap(({ installed }) => installed).length],
  ['edr_query_posture_score', sensors.length],
  [
    'edr_query_iocs',
    world.indicators.filter(({ kind }) => !['url', 'email'].includes(kind)).length,
  ],
  ['cloudsecurity_query_cloud_resource_inventory', world.cloud_resources.length],
  [
    'cloudsecurity_query_ioms',
    cloudFindings('misconfiguration').filter(({ result }) => result === 'fail').length,
  ],
  ['cloudsecurity_query_threats', cloudFindings('threat').length],
])('%s', (id, count) => {
  const over = id.startsWith('edr') ? edr : overs.cloudsecurity;

  it('has the records of the company, filters and orders as declared', async () => {
    expect(await over.all(id)).toHaveLength(count);
    expect(await listFaults(over, id)).toEqual([]);
  });
});

describe('hosts', () => {
  it('are those of the company, with the owner and the network', async () => {
    const { body } = await edr.call('edr_get_endpoint', { path: { id: await uid() } });
    expect(body['result']).toMatchObject({
      device: {
        hostname: laptop?.hostname,
        ip: laptop?.ip,
        mac: laptop?.mac,
        type: 'Laptop',
        os: { type_id: 100 },
        owner: { name: 'pieter.jansen' },
        hw_info: { serial_number: laptop?.serial },
        network_status_id: 1,
      },
    });
    expect((await edr.call('edr_get_endpoint', { path: { id: 'none' } })).status).toBe(404);
  });

  it('are filtered by FQL, in which quotes are escaped', async () => {
    const query = {
      filter: ["device.hostname[in]AP-UTR-L0019,O'Brien", 'time[gte]2026-11-01T00:00:00Z'],
      order: 'device.last_seen_time[desc]',
    };
    expect((await edr.call('edr_query_endpoints', { query })).body['result']).toHaveLength(1);
    expect(requests(edr)[0]).toMatchObject({
      call: 'GET /devices/combined/devices/v1',
      query: {
        filter: [
          "hostname:['AP-UTR-L0019','O\\'Brien']+modified_timestamp:>='2026-11-01T00:00:00.000Z'",
        ],
        sort: ['last_seen.desc'],
      },
    });
  });

  it('are isolated, a hundred at a time, and connected again', async () => {
    const id = await uid();
    const status = async () =>
      (await edr.call('edr_get_endpoint', { path: { id } })).body['result'].device
        .network_status as string;
    const others = (await edr.all('edr_query_endpoints')).map(({ device }) => device.uid as string);
    const endpoint_ids = [...others, ...others, ...others, id];
    const isolate = { body: { state: 'Disconnect', endpoint_ids, comment: 'attack' } };
    const { body } = await edr.call('edr_network_quarantine', isolate);
    expect(body['result']).toEqual(endpoint_ids);
    const actions = requests(edr).filter(({ call }) => call.startsWith('POST /devices'));
    expect(
      actions.map(({ query, body }) => [query['action_name'], body['ids'].length as number]),
    ).toEqual([
      [['contain'], 100],
      [['contain'], endpoint_ids.length - 100],
    ]);
    expect(await status()).toBe('Pending Isolation');
    edr.now += 5_000;
    expect(await status()).toBe('Isolated');
    await edr.call('edr_network_quarantine', { body: { state: 'Connect', endpoint_ids: [id] } });
    expect(await status()).toBe('Pending Restore');
    edr.now += 5_000;
    expect(await status()).toBe('Not Isolated');
  });

  it('that do not exist are a 404, and selective isolation a 501 without a call', async () => {
    const send = (body: object) => edr.call('edr_network_quarantine', { body });
    const none = { state: 'Disconnect', endpoint_ids: ['none'] };
    expect((await send({ ...none, isolation_type: 'Selective' })).status).toBe(501);
    expect(requests(edr)).toEqual([]);
    expect((await send(none)).status).toBe(404);
  });
});

describe('threats', () => {
  it('name the process of the attack', async () => {
    const filter = 'finding_info.title[eq]Credential files read by a script';
    const [threat] = await edr.all('edr_query_threatevents', { filter });
    expect(threat).toMatchObject({
      class_uid: 2004,
      severity: 'High',
      status: 'In Progress',
      device: { hostname: 'AP-UTR-L0019' },
      evidences: [
        { process: { name: 'powershell.exe' }, actor: { user: { name: 'pieter.jansen' } } },
      ],
      finding_info: { attacks: [{ technique: { uid: 'T1552.001' } }] },
    });
    expect(requests(edr)[0]?.body).toMatchObject({
      filter: "product:'epp'+display_name:'Credential files read by a script'",
      sort: 'created_timestamp|desc',
    });
  });

  it('take notes, and show them', async () => {
    const [threat] = await edr.all('edr_query_threatevents');
    const path = { threatId: threat?.['finding_info'].uid as string };
    const note = {
      class_uid: 98902001,
      category_uid: 2,
      activity_id: 1,
      type_uid: 9890200101,
      severity_id: 1,
      time: edr.now,
      finding_info: { uid: path.threatId },
      metadata: { version: '1.8.0', product: { name: 'Desk', vendor_name: 'Acme' } },
      note: { content: 'looking into it' },
    };
    const made = await edr.call('edr_create_threat_note', { path, body: { note } });
    expect(made.body['result'].note).toMatchObject({
      content: 'looking into it',
      created_time: edr.now,
      creator: { uid: 'admin' },
    });
    expect((await edr.call('edr_get_threat_notes', { path })).body['result']).toEqual([
      made.body['result'],
    ]);
    const unknown = await edr.call('edr_get_threat_notes', { path: { threatId: 'none' } });
    expect(unknown.status).toBe(404);
  });
});

describe('real time response', () => {
  it.each([
    ['ipconfig', 'command', 'ipconfig', /IPv4 Address: 10\.20\.0\.21/],
    ['kill 712', 'active-responder-command', 'kill 712', /finished/],
    ['hostname', 'admin-command', 'runscript -Raw=```hostname```', /^AP-UTR-L0019\n$/],
  ])('runs %s as %s', async (command, kind, command_string, stdout) => {
    const path = { uid: await uid() };
    const { body } = await edr.call('edr_execute_command', { path, body: { command } });
    expect(body).toMatchObject({
      status: 'COMPLETE',
      cursor: '',
      result: { device_uid: path.uid, command, stdout: expect.stringMatching(stdout), stderr: '' },
    });
    const calls = requests(edr).slice(1);
    expect(calls.map(({ call }) => call.replace('/real-time-response/entities', ''))).toEqual([
      'POST /sessions/v1',
      `POST /${kind}/v1`,
      `GET /${kind}/v1`,
      'DELETE /sessions/v1',
    ]);
    expect(calls[1]?.body).toMatchObject({ command_string });
  });

  it('joins the parts of a long output', async () => {
    const body = { script: '1..2000', args: 'now "here"' };
    const { body: answer } = await edr.call('edr_execute_remote_script', {
      path: { uid: await uid() },
      body,
    });
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}\n`).join('');
    expect(answer['result'].stdout).toBe(`${lines}now \\"here\\"\n`);
  });

  it('answers PENDING while a command runs, and goes on by the cursor without running it again', async () => {
    const path = { uid: await uid() };
    const command = 'Start-Sleep 30; whoami';
    const meta = ['request/poll_timeout(0)'];
    const first = await edr.call('edr_execute_command', { path, body: { command }, meta });
    expect(first.body).toMatchObject({ status: 'PENDING', cursor: expect.stringMatching(/./) });
    edr.now += 30_000;
    const { cursor } = first.body;
    const second = await edr.call('edr_execute_command', { path, body: { command, cursor }, meta });
    expect(second.body).toMatchObject({
      status: 'COMPLETE',
      result: { stdout: 'nt authority\\system\n' },
    });
    expect(requests(edr).filter(({ call }) => /POST .*(sessions|command)/.test(call))).toHaveLength(
      2,
    );
  });

  it('returns the archive of a file, and names a file that cannot be read', async () => {
    const path = { uid: await uid() };
    const file = await edr.file('edr_retrieve_file', { path, body: { path: 'C:\\a b.txt' } });
    expect(file.headers).toMatchObject({
      'content-type': 'application/x-7z-compressed',
      'content-disposition': expect.stringMatching(/[0-9a-f]{64}\.7z/),
    });
    expect(file.bytes.subarray(0, 2).toString()).toBe('7z');
    const lost = await edr.call('edr_retrieve_file', { path, body: { path: 'lost.txt' } });
    expect([lost.status, lost.body['message']]).toEqual([
      404,
      expect.stringContaining("'lost.txt'"),
    ]);
    expect(
      (await edr.call('edr_execute_command', { path: { uid: 'none' }, body: { command: 'ps' } }))
        .status,
    ).toBe(404);
  });
});

it('events are found by time, host and the language of the data lake', async () => {
  const events = await edr.all('edr_query_edr_events');
  const kinds = new Set(events.map(({ class_name }) => class_name as string));
  expect([...kinds].sort()).toEqual([
    'Authentication',
    'DNS Activity',
    'File System Activity',
    'Process Activity',
  ]);
  const query = {
    filter: ['device.hostname[eq]AP-UTR-L0019', 'time[gte]2026-11-21T00:00:00Z'],
    'passthrough-param': 'query=#event_simpleName=ProcessRollup2',
  };
  const found = await edr.all('edr_query_edr_events', query);
  expect(found.length).toBeGreaterThan(0);
  for (const event of found)
    expect(event).toMatchObject({ class_uid: 1007, device: { hostname: 'AP-UTR-L0019' } });
  const job = requests(edr).findLast(({ call }) => call.startsWith('POST /humio'));
  expect(job?.body).toMatchObject({
    queryString: '#event_simpleName=ProcessRollup2 | ComputerName="AP-UTR-L0019" | tail(10000)',
    start: Date.parse('2026-11-21T00:00:00Z'),
  });
  expect(requests(edr).at(-1)?.call).toMatch(/^DELETE \/humio/);
});

describe('assets and vulnerabilities', () => {
  it('are hosts with their software, labels, alerts and vulnerabilities', async () => {
    const { assets, vulnerabilities } = overs;
    expect(await assets.all('assets_query_devices')).toHaveLength(sensors.length);
    expect(await vulnerabilities.all('vulnerabilities_query_assets')).toHaveLength(sensors.length);
    const path = { deviceUid: await uid() };
    const software = await assets.all('assets_query_device_software', {}, path);
    expect(software.map((one) => one['package'].name as string).sort()).toEqual(
      laptop?.installed.map(({ name }) => name).sort(),
    );
    expect(software.find((one) => one['package'].name === '7-Zip')?.['package']).toMatchObject({
      cpe_name: expect.stringMatching(/^cpe:\/a:igor_pavlov:7-zip:/),
    });
    // Without Hosts: Read nobody can tell whether a host without applications exists.
    const none = { deviceUid: 'f'.repeat(32) };
    await assets.refuse('assets_query_device_software', 404, { path: none });
    assets.answer = (key) =>
      key.includes('/devices/entities/devices/v2')
        ? {
            status: 403,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from(
              '{"errors":[{"code":403,"message":"access denied, authorization failed"}]}',
            ),
          }
        : undefined;
    const empty = await assets.succeed('assets_query_device_software', { path: none });
    assets.answer = undefined;
    expect([empty['result'], empty['messages'].problems[0].instance]).toEqual([
      [],
      'part-left-out',
    ]);
    const labels = (await assets.call('assets_get_labels')).body['result'] as Json[];
    expect(labels.map(({ value }) => value as string)).toEqual(
      [...new Set(sensors.flatMap(({ tags }) => tags))].sort(),
    );
    const filter = ['vulnerabilities.cve.uid[eq]CVE-2023-38831', `device.uid[eq]${path.deviceUid}`];
    const [finding] = await vulnerabilities.all('vulnerabilities_query_findings', { filter });
    expect(finding).toMatchObject({
      severity: 'High',
      state: 'New',
      device: { hostname: 'AP-UTR-L0019' },
    });
    expect(requests(vulnerabilities).at(-1)?.query).toMatchObject({
      filter: [`cve.id:'CVE-2023-38831'+aid:'${path.deviceUid}'`],
      facet: ['cve', 'host_info', 'remediation'],
    });
  });
});

describe('a client', () => {
  it('is verified, and a missing scope is named', async () => {
    for (const over of Object.values(overs)) expect((await over.verify()).status).toBe(200);
  });

  it('that may only read is refused with the scope that it needs', async () => {
    const reader = falcon('edr_crowdstrike', 'reader');
    const body = { state: 'Disconnect', endpoint_ids: ['x'] };
    const answer = await reader.call('edr_network_quarantine', { body });
    expect([answer.status, answer.body['remediation']]).toEqual([
      502,
      'Grant the permission "Hosts: Write" at the provider.',
    ]);
  });
});
