import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeWorld } from '#fakes';
import type { Json } from '#test/harness';
import { deviceOf, overFake, requestMs } from './over-fake.fixture.js';

const vulnerabilities = overFake('vulnerabilities_tenable_cloud');
const assets = overFake('assets_tenable_cloud');
const { devices } = makeWorld({ start: assets.start, dataset: 'BASIC' });
const known = devices[0]!;
const uidOf = async (hostname: string) => {
  const rows = await assets.all('assets_query_devices');
  return rows.find(({ device }) => device.hostname === hostname)?.['device'].uid as string;
};

beforeEach(() => {
  vulnerabilities.reset();
  assets.reset();
});

/** Software as callers send it. */
function softwareOf(device: object, more: object): { software_inventory: object } {
  const { metadata, time } = deviceOf('', '') as Json;
  return {
    software_inventory: {
      activity_id: 2,
      category_uid: 5,
      class_uid: 5020,
      type_uid: 502002,
      severity_id: 1,
      time,
      metadata: { ...metadata, version: '1.8.0' },
      device: { type_id: 0, ...device },
      ...more,
    },
  };
}

const chrome = { package: { name: 'Chrome', vendor_name: 'Google', version: '131.0' } };

/** The CPE names of an asset. */
async function cpesOf(deviceUid: string): Promise<string[]> {
  const rows = await assets.all('assets_query_device_software', {}, { deviceUid });
  return rows.map((row) => row['package'].cpe_name as string);
}

describe('software', () => {
  it('"when package.cpe_name is absent, a CPE of the form cpe:/a:<vendor>:<name>:<version> is synthesized"', async () => {
    const uid = await uidOf(known.hostname);
    const { body } = await assets.call('assets_create_software', {
      body: { ...softwareOf({ uid }, chrome), source_name: 'cmdb' },
    });
    const { software_inventory: made } = body as { software_inventory: Json };
    expect(made['package'].cpe_name).toBe('cpe:/a:google:chrome:131.0');
    expect(made['device'].uid).toBe(uid);
    expect(await cpesOf(uid)).toContain('cpe:/a:google:chrome:131.0');
  });

  it.each([
    ['uid', async () => ({ uid: await uidOf(known.hostname) })],
    ['hostname', () => ({ hostname: known.hostname })],
    ['IP', () => ({ ip: known.ip })],
    ['MAC', () => ({ mac: known.mac.toUpperCase() })],
  ] as [string, () => object | Promise<object>][])(
    '"create matches assets by device uid, hostname, IP, MAC or cloud instance identifier": %s',
    async (_what, device) => {
      const body = softwareOf(await device(), chrome);
      expect((await assets.call('assets_create_software', { body })).status).toBe(200);
      expect(await cpesOf(await uidOf(known.hostname))).toContain('cpe:/a:google:chrome:131.0');
    },
  );

  it('"create matches assets by … cloud instance identifier"', async () => {
    const server = devices.find(({ cloud }) => cloud?.provider === 'aws')!;
    const body = softwareOf({ instance_uid: server.cloud?.instance_id }, chrome);
    expect((await assets.call('assets_create_software', { body })).status).toBe(200);
    expect(await cpesOf(await uidOf(server.hostname))).toContain('cpe:/a:google:chrome:131.0');
  });

  it('"create and update push exactly one package CPE per request", and "removal … unsupported"', async () => {
    const uid = await uidOf(known.hostname);
    const path = { deviceUid: uid };
    const components = [chrome.package, { ...chrome.package, version: '132.0' }].map((one) => ({
      ...one,
      type_id: 1,
    }));
    for (const [software, message] of [
      [{ sbom: { package: chrome.package, software_components: components } }, 'has 3 packages'],
      [{}, 'removing software is not supported'],
    ] as const)
      for (const [id, more] of [
        ['assets_create_software', {}],
        ['assets_update_software', { path }],
      ] as const) {
        const answer = await assets.call(id, { ...more, body: softwareOf({ uid }, software) });
        expect([answer.status, answer.body['message']]).toEqual([
          400,
          expect.stringContaining(message),
        ]);
      }
    expect(assets.fake.log.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('"update requires an existing asset UUID in deviceUid"', async () => {
    const request = (deviceUid: string) =>
      assets.call('assets_update_software', { path: { deviceUid }, body: softwareOf({}, chrome) });
    expect((await request('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    const uid = await uidOf(known.hostname);
    const { body } = await request(uid);
    expect(body['software_inventory'].device.uid).toBe(uid);
  });

  it('"is merged additively per source_name and other sources are unaffected"', async () => {
    const path = { deviceUid: await uidOf(known.hostname) };
    const before = await cpesOf(path.deviceUid);
    const sent = [
      ['cmdb', '1'],
      ['cmdb', '2'],
      ['mdm', '3'],
    ];
    for (const [source_name, version] of sent) {
      const software = { package: { ...chrome.package, version } };
      const body = { ...softwareOf({}, software), source_name };
      expect((await assets.call('assets_update_software', { path, body })).status).toBe(200);
    }
    expect((await cpesOf(path.deviceUid)).sort()).toEqual(
      [...before, ...sent.map(([, version]) => `cpe:/a:google:chrome:${version}`)].sort(),
    );
  });

  it('"imported software expires if not re-imported within about 30 days"', async () => {
    const path = { deviceUid: await uidOf(known.hostname) };
    const body = softwareOf({}, chrome);
    const day = 86_400_000;
    await assets.call('assets_update_software', { path, body });
    assets.now += 29 * day;
    expect(await cpesOf(path.deviceUid)).toContain('cpe:/a:google:chrome:131.0');
    await assets.call('assets_update_software', { path, body });
    assets.now += 29 * day;
    expect(await cpesOf(path.deviceUid)).toContain('cpe:/a:google:chrome:131.0');
    assets.now += 2 * day;
    expect(await cpesOf(path.deviceUid)).not.toContain('cpe:/a:google:chrome:131.0');
  });

  it('"block on an asynchronous import job and may return a gateway timeout"', async () => {
    const uid = await uidOf(known.hostname);
    assets.fake.faults.add({
      kind: 'drift',
      match: '/import/asset-jobs/',
      times: 1_000,
      alter: 'root.status = "RUNNING"',
    });
    assets.requestMs = 20_000;
    const body = softwareOf({ uid }, chrome);
    const { status } = await assets.call('assets_create_software', { body });
    assets.requestMs = requestMs;
    expect(status).toBe(504);
  });

  it('"queries may lag briefly after a write"', async () => {
    const body = { device: deviceOf('lagging', '10.99.0.9'), source_name: 'cmdb' };
    await assets.call('assets_create_asset', { body });
    expect(await uidOf('lagging')).toBeUndefined();
    assets.now += 2_000;
    expect(await uidOf('lagging')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('devices', () => {
  it('are created one by one and in bulk, and are refused without an attribute that identifies them', async () => {
    const device = deviceOf('made-1', '10.99.0.1', { mac: '02:00:00:00:00:01' });
    const { body } = await assets.call('assets_create_asset', { body: { device } });
    expect(body['device']).toEqual(device);
    const bulk = await assets.call('assets_create_devices', {
      body: {
        devices: [deviceOf('made-2', '10.99.0.2'), deviceOf('made-3', '10.99.0.3')],
        source_name: 'cmdb',
      },
    });
    expect(bulk.body).toEqual({ status: 'COMPLETE' });
    assets.now += 2_000;
    const names = (await assets.all('assets_query_devices')).map(
      (one) => one['device'].hostname as string,
    );
    expect(names).toEqual(expect.arrayContaining(['made-1', 'made-2', 'made-3']));
    const nameless = { ...(device as Json), device: { type_id: 0, uid: 'x' } };
    const refused = await assets.call('assets_create_asset', { body: { device: nameless } });
    expect(refused.status).toBe(400);
  });

  it('"set custom properties on devices by MAC address, creating properties if needed"', async () => {
    const set = (properties: object) =>
      assets.call('assets_update_device_properties', {
        body: {
          devices: [
            { mac_address: known.mac.toUpperCase().replaceAll(':', '-'), properties },
            { mac_address: '02:00:00:00:00:ff', properties },
          ],
        },
      });
    const { body } = await set({ Owner: 'IT', Floor: '3' });
    expect(body['result']).toMatchObject({ not_found: ['02:00:00:00:00:ff'] });
    await set({ Owner: 'Research' });
    const created = assets.fake.log.requests.filter(
      ({ method, path }) => method === 'POST' && path === '/api/v3/assets/attributes',
    );
    expect(created).toHaveLength(1);
    const uid = await uidOf(known.hostname);
    const [row] = assets.fake.log.requests.filter(({ path }) => path.endsWith(`${uid}/attributes`));
    expect(JSON.parse(row?.body ?? '').attributes).toHaveLength(2);
    const wrong = await assets.call('assets_update_device_properties', { body: {} });
    expect(wrong.status).toBe(400);
  });
});

describe('assets of vulnerabilities', () => {
  it('are created, updated by their uid, and not without one that exists', async () => {
    const asset = deviceOf('made-4', '10.99.0.4');
    const body = { asset, source_name: 'cmdb' };
    const made = await vulnerabilities.call('vulnerabilities_create_asset', { body });
    expect(made.body['device'].status).toBe('Complete');
    vulnerabilities.now += 2_000;
    const rows = await vulnerabilities.all('vulnerabilities_query_assets');
    const { device } = rows.find((row) => row['device'].hostname === 'made-4') as Json;
    const changed = deviceOf('made-4', '10.99.0.44');
    const updated = await vulnerabilities.call('vulnerabilities_update_asset', {
      path: { assetId: device.uid },
      body: { asset: changed, source_name: 'cmdb' },
    });
    expect(updated.body['device']).toMatchObject({
      uid: device.uid,
      ip_addresses: ['10.99.0.4', '10.99.0.44'],
    });
    const unknown = await vulnerabilities.call('vulnerabilities_update_asset', {
      path: { assetId: '00000000-0000-4000-8000-000000000000' },
      body: { asset: changed, source_name: 'cmdb' },
    });
    expect(unknown.status).toBe(404);
  });

  it('of an uploaded scan are imported, and the state of the import is that of the scan', async () => {
    const { body } = await vulnerabilities.call('vulnerabilities_upload_scan', {
      body: { assets: [deviceOf('made-5', '10.99.0.5')] },
    });
    const path = { scan_id: body['result'].scan_id as string };
    const state = await vulnerabilities.call('vulnerabilities_get_scan_status', { path });
    expect(state.body['result']).toMatchObject({ scan_id: path.scan_id, status: 'Complete' });
    const none = { scan_id: '00000000-0000-4000-8000-000000000000' };
    const unknown = await vulnerabilities.call('vulnerabilities_get_scan_status', { path: none });
    expect(unknown.status).toBe(404);
  });
});
