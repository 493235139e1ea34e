import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationId } from '#contract';
import { Client } from '../e2e/client.js';
import { type Service, startService } from './service.js';

let service: Service;
let accountId: string;
beforeAll(async () => {
  service = await startService();
  const administrator = new Client(service.url, service.administrator.access);
  accountId = (await administrator.call('accounts_create', { body: {} })).result.account.id;
});
afterAll(() => service.stop());

/** An integration on a mock. */
async function connect(type: string): Promise<Client> {
  const administrator = new Client(service.url, service.administrator.access);
  const dataset = type.endsWith('_mock') ? { dataset: 'basic_v0' } : {};
  const { result } = await administrator.call('integrations_create', {
    path: { accountId },
    body: { provider_config: { type, ...dataset } as never },
  });
  return administrator.as(result.token.access.secret);
}

// Records of any shape: the client holds them against the contract.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;
const send = (client: Client, id: OperationId, parts: object = {}) => client.send<Json>(id, parts);

const event = (uid?: string) => ({
  class_name: 'Base Event',
  class_uid: 0,
  category_uid: 0,
  activity_id: 99,
  type_uid: 99,
  severity_id: 1,
  time: 1795305600000,
  message: 'sent',
  metadata: {
    version: '1.3.0',
    product: { name: 'Scanner', vendor_name: 'Acme' },
    ...(uid === undefined ? {} : { uid }),
  },
});

describe('notifications', () => {
  it('"notification_status: OPEN, CLOSED": "the clear operation resolves a notification", with "no body; no content"', async () => {
    const client = await connect('notifications_mock_notifications');
    const { result } = await client.call('notifications_create_message', {
      body: { summary: 'The disk is full' },
    });
    expect(result).toMatchObject({ summary: 'The disk is full', notification_status: 'OPEN' });
    const at = { path: { notificationId: result.id } };
    expect(await send(client, 'notifications_clear_message', at)).toMatchObject({
      status: 204,
      text: '',
    });
    const read = await client.call('notifications_get_message', at);
    expect(read.result.notification_status).toBe('CLOSED');
  });
});

describe('indicators of compromise', () => {
  const indicator = (id: string, address: string) => ({
    type: 'indicator',
    spec_version: '2.1',
    pattern_type: 'stix',
    id: `indicator--${id}`,
    created: '2026-11-21T12:00:00Z',
    modified: '2026-11-21T12:00:00Z',
    valid_from: '2026-11-21T12:00:00Z',
    pattern: `[ipv4-addr:value = '${address}']`,
  });

  it('"create takes STIX input; delete takes ids in the query", and "`DELETE /edr/iocs` must not be 204"', async () => {
    const client = await connect('edr_crowdstrike_mock');
    const indicators = [
      indicator('6f4a3d0e-2c1b-4f5e-9a8d-7c6b5a4f3e2d', '198.51.100.77'),
      indicator('7f4a3d0e-2c1b-4f5e-9a8d-7c6b5a4f3e2d', '198.51.100.78'),
    ];
    const made = await send(client, 'edr_create_iocs', { body: { indicators } });
    const ids = (made.body.result as { id: string }[]).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const deleted = await send(client, 'edr_delete_iocs', { query: { ids: ids.join(',') } });
    expect([deleted.status, deleted.body.result]).toEqual([200, ids]);
  });
});

describe('pictures', () => {
  it('"binary image; `Content-Type` gives the format", with its ETag', async () => {
    const client = await connect('identity_entra_id_mock');
    const found = await send(client, 'identity_query_users', {
      query: { filter: ['entity.user.name[eq]pieter.jansen@alderpoint.example'] },
    });
    const [user] = found.body.result;
    const answer = await fetch(
      client.address('identity_get_user_picture', { path: { userId: user.entity.uid } }),
      { headers: client.headers },
    );
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{40}"$/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });
});

describe.each([
  ['siem_mock_siem', 'siem_post_events'],
  ['siem_elasticsearch_mock', 'siem_post_events'],
  ['sink_mock_sink', 'sink_post_events'],
  ['sink_elasticsearch_mock', 'sink_post_events'],
] as const)('events that are sent to %s', (type, id) => {
  it('are "a bare JSON array of OCSF Event", and an object is refused', async () => {
    const client = await connect(type);
    const good = await send(client, id, { body: [event('e-1'), event('e-2')] });
    expect(good.body.result).toMatchObject([
      { index: 0, uid: 'e-1', stored: true },
      { index: 1, uid: 'e-2', stored: true },
    ]);
    for (const body of [{ events: [event('e-3')] }, event('e-3')])
      expect(await send(client, id, { body })).toMatchObject({ status: 400 });
  });

  it('fail one by one: the result tells of each what became of it', async () => {
    const client = await connect(type);
    // The made-up vendor wants a uid; Elasticsearch maps device.ip as an address.
    const wrong = type.includes('mock_')
      ? event()
      : { ...event('e-2'), device: { type_id: 0, ip: 'no address' } };
    const { status, body } = await send(client, id, { body: [event('e-1'), wrong, event('e-3')] });
    expect([status, body.result]).toMatchObject([
      200,
      [
        { index: 0, uid: 'e-1', stored: true },
        { index: 1, stored: false, error: { message: expect.any(String) } },
        { index: 2, uid: 'e-3', stored: true },
      ],
    ]);
  });
});

describe.each(['siem_mock_siem', 'siem_elasticsearch_mock'])('%s', (type) => {
  it('"query `passthrough-param` (hyphen, repeatable)": every value narrows the list', async () => {
    const client = await connect(type);
    const count = async (words: string[]) =>
      (
        await send(client, 'siem_query_events', {
          query: { 'passthrough-param': words, limit: 500 },
        })
      ).body.result.length as number;
    const [both, one, all] = await Promise.all(
      [['203.0.113.77', 'objects'], ['203.0.113.77'], []].map(count),
    );
    expect(both).toBe(1);
    expect(one).toBeGreaterThan(1);
    expect(all).toBeGreaterThan(one ?? 0);
  });

  it('"Investigation: id, custom_fields?, raw_data. Evidence: investigation_id, raw_data"', async () => {
    const client = await connect(type);
    const { body } = await send(client, 'siem_query_investigations');
    const [first] = body.result as { id: string; raw_data: string }[];
    expect(first).toMatchObject({ id: expect.any(String), raw_data: expect.any(String) });
    const path = { id: first?.id };
    const read = await send(client, 'siem_get_investigation', { path });
    expect(read.body.result.id).toBe(first?.id);
    const evidence = await send(client, 'siem_get_evidence', { path });
    const [found] = [evidence.body.result].flat();
    expect(found).toMatchObject({ investigation_id: first?.id, raw_data: expect.any(String) });
    expect(await send(client, 'siem_get_evidence', { path: { id: 'nobody' } })).toMatchObject({
      status: 404,
    });
  });
});

describe('findings of applications', () => {
  it('"may make several provider calls, slower": one list of the three kinds of alerts of GitHub', async () => {
    const client = await connect('appsec_github_mock');
    const { body } = await send(client, 'appsec_query_findings', {
      query: { limit: 200, meta: ['api/response(list)'] },
    });
    const paths = Object.keys(body.meta.api.response.list as object).map(
      (url) => new URL(url).pathname,
    );
    for (const kind of ['code-scanning', 'dependabot', 'secret-scanning'])
      expect(paths).toContain(`/orgs/alderpoint/${kind}/alerts`);
  });

  it('"bulk body is a bare array"', async () => {
    const client = await connect('appsec_mock_appsec');
    const finding = (uid: string) => ({
      activity_id: 1,
      category_uid: 2,
      class_uid: 2007,
      type_uid: 200701,
      severity_id: 4,
      time: 1795082400000,
      metadata: { version: '1.8.0', uid, product: { name: 'Scanner', vendor_name: 'Acme' } },
      application: { uid: 'instrument-cloud' },
      finding_info: { uid, title: 'Weak hash' },
    });
    const body = [finding('f-1'), finding('f-2')];
    const made = await send(client, 'appsec_create_findings', { body });
    expect(made.body.result).toHaveLength(2);
    expect(
      await send(client, 'appsec_create_findings', { body: { findings: body } }),
    ).toMatchObject({ status: 400 });
  });
});

describe('bulk creations', () => {
  it('of devices answer "{status, errors?}", and name the device that cannot be created', async () => {
    const client = await connect('assets_tenable_cloud_mock');
    const device = (hostname?: string) => ({
      activity_id: 1,
      category_uid: 5,
      class_uid: 5001,
      type_uid: 500101,
      severity_id: 1,
      time: 1795082400000,
      metadata: { version: '1.3.0', product: { vendor_name: 'Acme' } },
      device: { type_id: 2, ...(hostname === undefined ? {} : { hostname }) },
    });
    const create = (devices: object[]) =>
      send(client, 'assets_create_devices', { body: { devices, source_name: 'cmdb' } });
    const made = await create([device('ws-new-1'), device('ws-new-2')]);
    expect([made.status, made.body]).toEqual([200, { status: 'COMPLETE' }]);
    const wrong = await create([device('ws-new-3'), device()]);
    expect(wrong.status).toBe(400);
  });
});
