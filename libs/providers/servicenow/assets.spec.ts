import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverFake } from '#test/harness';

const folder = new URL('../../../../libs/providers/servicenow/', import.meta.url);
const assets = new OverFake(folder, 'assets_servicenow', {
  config: { url: 'https://alderpoint.service-now.example/' },
  credential: ({ secret }) => ({ type: 'token', secret: secret ?? '' }),
});
beforeAll(loadValidators);
beforeEach(() => {
  assets.reset();
  assets.answered = [];
  assets.answer = undefined;
});

/** The requests to a path, as the fake saw them. */
const asked = (path: string) =>
  (assets.answered ?? [])
    .map(({ key }) => decodeURIComponent(key.replaceAll('+', ' ')))
    .filter((key) => key.includes(path));
const reply = (body: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});
const unknownTable = reply(
  { error: { message: 'Invalid table cmdb_sam_sw_install', detail: null }, status: 'failure' },
  400,
);
/** An instance without Software Asset Management. */
const withoutSam = (key: string) =>
  key.includes('cmdb_sam_sw_install') ? unknownTable : undefined;

describe('devices of the CMDB', () => {
  it('are searched for by an encoded query with times in UTC', async () => {
    const filter = [
      'device.last_seen_time[gte]2026-11-10T09:00:00.500+01:00',
      'device.name[like]AP-UTR',
      'device.hw_info.serial_number[in]A1,B2',
    ];
    await assets.all('assets_query_devices', { filter });
    expect(asked('cmdb_ci_hardware')[0]).toContain(
      'sysparm_query=last_discovered>=2026-11-10 08:00:00^nameLIKEAP-UTR^serial_numberINA1,B2^ORDERBYsys_created_on^ORDERBYsys_id',
    );
  });

  it.each(['x^ORname=y', 'javascript:gs.getUserID()', 'a,b^c'])(
    'are not asked for by %j, which would be another query',
    async (value) => {
      for (const field of ['device.name', 'device.uid', 'device.hw_info.serial_number']) {
        assets.answered = [];
        const filter = [`${field}[eq]${JSON.stringify(value)}`];
        expect(await assets.all('assets_query_devices', { filter })).toEqual([]);
        expect(asked('cmdb_ci_hardware').filter((key) => key.includes(value))).toEqual([]);
      }
    },
  );

  it('have the columns of computers, the addresses of adapters, tags and owners', async () => {
    const filter = ['device.name[eq]AP-UTR-L0001'];
    const [laptop] = await assets.all('assets_query_devices', { filter });
    expect(laptop).toMatchObject({
      metadata: { labels: ['Site: UTR', expect.stringContaining('Role: ')] },
      device: {
        type: 'Laptop',
        os: { type: 'macOS' },
        mac: '3c:22:fb:da:a6:6c',
        vendor_name: 'Apple',
        owner: { email_addr: 'ingrid.vos@alderpoint.example', full_name: 'Ingrid Vos' },
      },
    });
    const [firewall] = await assets.all('assets_query_devices', {
      filter: ['device.name[eq]fw-lis-01'],
    });
    expect((firewall?.['device'] as Json)['mac']).toBe('00:1b:17:51:6f:4f');
  });

  it.each(['cmdb_ci_computer', 'cmdb_ci_network_adapter', 'cmdb_key_value'])(
    'go without the rows of %s that the user may not read, and say so',
    async (table) => {
      const forbidden = reply({ error: { message: 'User Not Authorized', detail: '' } }, 403);
      assets.answer = (key) => (key.includes(table) ? forbidden : undefined);
      const read = await assets.succeed('assets_query_devices', { query: { limit: 5 } });
      expect((read['result'] as Json[]).length).toBe(5);
      expect(JSON.stringify(read['messages'])).toContain(table);
    },
  );
});

describe('software of the CMDB', () => {
  it('is that of software instances where Software Asset Management is not active', async () => {
    const installed = await assets.all('assets_query_software');
    assets.answer = withoutSam;
    assets.answered = [];
    const instances = await assets.all('assets_query_software');
    const named = (all: Json[]) =>
      all
        .map(({ package: one, device }) =>
          [(one as Json)['name'], (one as Json)['version'], (device as Json)['uid']].join(),
        )
        .sort();
    expect(named(instances)).toEqual(named(installed));
    expect(asked('cmdb_software_instance').length).toBeGreaterThan(1);
    const one = (instances[0]?.['package'] as Json)['name'] as string;
    const filter = [`package.name[eq]${one}`];
    expect((await assets.all('assets_query_software', { filter })).length).toBeGreaterThan(0);
  });

  it('is not written there', async () => {
    assets.answer = withoutSam;
    const { message } = await assets.refuse('assets_create_software', 501, {
      body: {
        source_name: 'ServiceNow',
        software_inventory: {
          activity_id: 2,
          category_uid: 5,
          class_uid: 5020,
          type_uid: 502002,
          severity_id: 1,
          time: 1_795_305_600_000,
          metadata: { version: '1.8.0', product: { name: 'Tests', vendor_name: 'Onefold' } },
          device: { type_id: 0, hostname: 'AP-UTR-L0001' },
          package: { name: 'Word', version: '2016' },
        },
      },
    });
    expect(message).toContain('Software Asset Management is not active');
    expect(asked('identifyreconcile')).toEqual([]);
  });
});

describe('writes of the CMDB', () => {
  it('have the words of the engine where it refuses a device', async () => {
    assets.answer = (key) =>
      key.includes('identifyreconcile')
        ? reply({
            result: {
              items: [
                {
                  className: 'cmdb_ci_computer',
                  sysId: 'Unknown',
                  errors: [{ error: 'INVALID_INPUT_DATA', message: 'Invalid data source' }],
                },
              ],
              relations: [],
            },
          })
        : undefined;
    const { message } = await assets.refuse('assets_create_asset', 400, {
      body: {
        source_name: 'Nobody',
        device: {
          activity_id: 2,
          category_uid: 5,
          class_uid: 5001,
          type_uid: 500102,
          severity_id: 1,
          time: 1_795_305_600_000,
          metadata: { version: '1.3.0', product: { name: 'Tests', vendor_name: 'Onefold' } },
          device: { type_id: 0, hostname: 'made-1' },
        },
      },
    });
    expect(message).toContain('Invalid data source');
  });

  it('change the device of a MAC address of its adapter, by its class', async () => {
    const changed = (await assets.succeed('assets_update_device_properties', {
      body: {
        devices: [
          { mac_address: '00-1B-17-51-6F-4F', properties: { u_owner_team: 'Security' } },
          { mac_address: '00:00:00:00:00:01', properties: { u_owner_team: 'Security' } },
        ],
      },
    })) as Record<string, unknown>;
    expect(changed['result'] ?? changed).toMatchObject({
      updated: ['00-1B-17-51-6F-4F'],
      not_found: ['00:00:00:00:00:01'],
    });
    expect(asked('PATCH').join()).toContain('/cmdb/instance/cmdb_ci_ip_firewall/');
  });
});

describe('an integration of the CMDB', () => {
  it('is verified, and told what the user lacks', async () => {
    expect((await assets.verify()).status).toBe(200);
    assets.answer = (key) =>
      key.includes('cmdb_ci_hardware')
        ? {
            ...reply({ result: [] }),
            headers: { 'content-type': 'application/json', 'x-total-count': '9' },
          }
        : undefined;
    const { status, body } = await assets.verify();
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('itil');
  });
});
