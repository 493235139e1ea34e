import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeEngine, makeWorld, MemoryStorage, readFakeFile } from '#fakes';

const document = readFakeFile(new URL('./fake.yaml', import.meta.url));
const start = new Date('2026-11-22T00:00:00Z');
const world = makeWorld({ start, dataset: 'BASIC' });
const sensors = world.devices.filter(({ edr_version }) => edr_version !== null);

/** A record of any list, as far as the tests look into it. */
interface Row {
  id: string;
  device_id: string;
  composite_id: string;
  hostname: string;
  status: string;
  tags: string[];
  created_timestamp: string;
  created_by: string;
  value: string;
  name: string;
  cve: { id: string; base_score?: number };
  host_info: { hostname: string };
  remediation: { entities: unknown[] };
}

interface Body {
  access_token: string;
  meta: { pagination: Record<string, string>; writes: unknown };
  resources: Row[];
  errors: { code: number; message: string; id?: string }[];
}

let now: number;
let fake: FakeEngine;

beforeEach(() => {
  now = start.getTime();
  const storage = new MemoryStorage();
  fake = new FakeEngine(document, { storage, clock: () => now, start, dataset: 'BASIC', key: 'k' });
});

async function send(request: string, type: string, body: string, token = '') {
  const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(request) ?? [];
  const answer = await fake.handle({
    method,
    url: `https://api.crowdstrike.com${path}`,
    headers: { 'content-type': type, authorization: `Bearer ${token}` },
    body: Buffer.from(body),
  });
  expect(fake.log.violations).toEqual([]);
  return { ...answer, body: JSON.parse(Buffer.from(answer.body).toString()) as Body };
}

async function tokenOf(principal: string): Promise<string> {
  const found = fake.credentials().find((one) => one.principal === principal);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: found?.client?.id ?? '',
    client_secret: found?.client?.secret ?? '',
  });
  const type = 'application/x-www-form-urlencoded';
  const answer = await send('POST /oauth2/token', type, form.toString());
  expect(answer.status).toBe(201);
  return answer.body.access_token;
}

async function call(request: string, body?: object, principal = 'admin') {
  const token = await tokenOf(principal);
  const text = body === undefined ? '' : JSON.stringify(body);
  return await send(request, 'application/json', text, token);
}

/** Walks a list to its end by the token that `next` finds. @returns the records of each page */
async function walk(
  get: (token: string) => Promise<{ body: Body }>,
  next: (pagination: Record<string, string>) => string | undefined,
): Promise<Row[][]> {
  const pages: Row[][] = [];
  let token = '';
  do {
    const { body } = await get(token);
    pages.push(body.resources);
    token = next(body.meta.pagination) ?? '';
  } while (token !== '' && pages.length < 50);
  return pages;
}

const hostnames = (rows: Row[]) => rows.map(({ hostname }) => hostname);

describe('hosts', () => {
  it('are paged by a pointer that dies after two minutes', async () => {
    const path = 'GET /devices/combined/devices/v1?limit=20&sort=hostname.asc';
    const pages = await walk(
      (token) => call(`${path}&offset=${token}`),
      ({ next }) => next,
    );
    expect(pages.map(({ length }) => length)).toEqual([20, 20, sensors.length - 40]);
    expect(hostnames(pages.flat())).toEqual(sensors.map(({ hostname }) => hostname).sort());
    const first = await call(path);
    now += 120_000;
    const late = await call(`${path}&offset=${first.body.meta.pagination['next']}`);
    expect(late.status).toBe(400);
  });

  it('are filtered by FQL', async () => {
    const filter = "platform_name:'Windows'+product_type_desc:'Server'";
    const { body } = await call(
      `GET /devices/combined/devices/v1?filter=${encodeURIComponent(filter)}`,
    );
    const expected = sensors.filter((one) => one.os_family === 'windows' && one.kind === 'server');
    expect(hostnames(body.resources).sort()).toEqual(
      expected.map(({ hostname }) => hostname).sort(),
    );
    const wrong = await call("GET /devices/combined/devices/v1?filter=platform_name='Windows'");
    expect(wrong.status).toBe(400);
    expect(wrong.body.errors[0]?.message).toContain('invalid filter expression');
  });

  it('are contained, and released, after a while', async () => {
    const { body } = await call('GET /devices/combined/devices/v1?limit=1');
    const id = body.resources[0]?.device_id ?? '';
    const status = async () =>
      (await call(`GET /devices/entities/devices/v2?ids=${id}&ids=none`)).body.resources.map(
        ({ status }) => status,
      );
    const act = (action: string, ids: string[]) =>
      call(`POST /devices/entities/devices-actions/v2?action_name=${action}`, { ids });
    const contained = await act('contain', [id, 'none']);
    expect(contained.status).toBe(202);
    expect(contained.body.resources).toEqual([
      { id, path: `/devices/entities/devices/v2?ids=${id}` },
    ]);
    expect(contained.body.errors).toEqual([{ code: 404, message: 'Device none not found' }]);
    expect(await status()).toEqual(['containment_pending']);
    now += 5_000;
    expect(await status()).toEqual(['contained']);
    await act('lift_containment', [id]);
    expect(await status()).toEqual(['lift_containment_pending']);
    now += 5_000;
    expect(await status()).toEqual(['normal']);
    expect((await act('contain', ['none'])).status).toBe(404);
    expect((await act('dance', [id])).status).toBe(400);
  });

  it('have tags that can be added and removed', async () => {
    const { body } = await call('GET /devices/combined/devices/v1?limit=1');
    const { device_id: id = '', tags = [] } = body.resources[0] ?? {};
    const change = async (action: string) => {
      const request = { action, device_ids: [id], tags: ['FalconGroupingTags/x'] };
      const answer = await call('PATCH /devices/entities/devices/tags/v1', request);
      expect(answer.body.resources).toEqual([{ device_id: id, updated: true, code: 200 }]);
      const read = await call('POST /devices/entities/devices/v2', { ids: [id] });
      return read.body.resources[0]?.tags;
    };
    expect(await change('add')).toEqual([...tags, 'FalconGroupingTags/x']);
    expect(await change('remove')).toEqual(tags);
  });
});

describe('alerts', () => {
  it('are those of the company, newest first, a page at a time', async () => {
    const pages = await walk(
      (after) => call('POST /alerts/combined/alerts/v1', { limit: 7, after }),
      ({ after }) => after,
    );
    const expected = world.alerts.filter(({ source }) => ['edr', 'cloud'].includes(source));
    const times = pages.flat().map((alert) => alert.created_timestamp);
    expect(times).toEqual(
      expected
        .map(({ created_at }) => created_at)
        .sort()
        .reverse(),
    );
  });

  it('take comments, tags and a status', async () => {
    const filter = "status:['new','in_progress']";
    const { body } = await call('POST /alerts/combined/alerts/v1', { limit: 1, filter });
    const id = body.resources[0]?.composite_id ?? '';
    const action_parameters = [
      { name: 'append_comment', value: 'looking into it' },
      { name: 'update_status', value: 'closed' },
      { name: 'add_tag', value: 'reviewed' },
    ];
    const changed = await call('PATCH /alerts/entities/alerts/v3', {
      composite_ids: [id, 'none'],
      action_parameters,
    });
    expect(changed.body.meta.writes).toEqual({ resources_affected: 1 });
    expect(changed.body.errors).toMatchObject([{ code: 404, id: 'none' }]);
    const read = await call('POST /alerts/entities/alerts/v2', { composite_ids: [id] });
    expect(read.body.resources[0]).toMatchObject({
      status: 'closed',
      tags: ['reviewed'],
      comments: [{ value: 'looking into it', falcon_user_id: 'admin' }],
      updated_timestamp: start.toISOString(),
    });
  });
});

describe('indicators', () => {
  it('are listed, created and deleted', async () => {
    const list = async (filter: string) =>
      (await call(`GET /iocs/combined/indicator/v1?filter=${filter}`)).body.resources;
    const known = world.indicators.filter(({ kind }) => kind === 'domain');
    expect((await list("type:'domain'")).map(({ value }) => value)).toEqual(
      known.map(({ value }) => value),
    );
    const indicator = {
      type: 'domain',
      value: 'bad.example',
      action: 'detect',
      applied_globally: true,
    };
    const made = await call('POST /iocs/entities/indicators/v1', { indicators: [indicator] });
    expect(made.status).toBe(201);
    const { id, created_by } = made.body.resources[0] ?? {};
    expect(created_by).toBe('admin');
    expect(await list("value:'bad.example'")).toHaveLength(1);
    const gone = await call(`DELETE /iocs/entities/indicators/v1?ids=${id}`);
    expect([gone.status, gone.body.resources]).toEqual([200, [id]]);
    expect(await list("value:'bad.example'")).toEqual([]);
  });

  it('are refused together when one of them is wrong', async () => {
    const indicators = [
      { type: 'domain', value: 'one.example', applied_globally: true },
      { type: 'domain', value: 'two.example' },
    ];
    const answer = await call('POST /iocs/entities/indicators/v1', { indicators });
    expect(answer.status).toBe(400);
    const { body } = await call("GET /iocs/combined/indicator/v1?filter=value:*'*.example'");
    expect(body.resources.map(({ value }) => value)).not.toContain('one.example');
  });
});

describe('applications and vulnerabilities', () => {
  it('need a filter', async () => {
    for (const path of [
      '/discover/combined/applications/v1',
      '/spotlight/combined/vulnerabilities/v1',
    ])
      expect((await call(`GET ${path}`)).status).toBe(400);
  });

  it('are those of the devices', async () => {
    const [device] = sensors;
    const { body: devices } = await call(
      `GET /devices/combined/devices/v1?filter=hostname:'${device?.hostname}'`,
    );
    const aid = devices.resources[0]?.device_id ?? '';
    const apps = await call(`GET /discover/combined/applications/v1?filter=host.aid:'${aid}'`);
    expect(apps.body.resources.map(({ name }) => name)).toEqual(
      device?.installed.map(({ name }) => name),
    );
    const open = await call(
      `GET /spotlight/combined/vulnerabilities/v1?filter=aid:'${aid}'%2Bstatus:'open'&facet=cve`,
    );
    const expected = world.findings.filter(
      (one) => one.device === device?.key && ['open', 'suppressed'].includes(one.state),
    );
    expect(open.body.resources.map(({ cve }) => cve.id)).toEqual(
      expected.map(({ vulnerability }) => vulnerability),
    );
  });

  it('show details where they are asked for', async () => {
    const path = "GET /spotlight/combined/vulnerabilities/v1?limit=1&filter=status:'open'";
    const plain = (await call(path)).body.resources[0];
    expect(Object.keys(plain?.cve ?? {})).toEqual(['id']);
    expect(plain).not.toHaveProperty('host_info');
    const facets = '&facet=cve&facet=host_info&facet=remediation';
    const whole = (await call(`${path}${facets}`)).body.resources[0];
    expect(whole?.cve.base_score).toEqual(expect.any(Number));
    expect(whole?.host_info.hostname).toEqual(expect.any(String));
    expect(whole?.remediation.entities).toHaveLength(1);
  });
});

/** Fields that the models of CrowdStrike's own client require, by list. */
const required: Record<string, { get: () => Promise<{ body: Body }>; names: string }> = {
  devices: { get: () => call('GET /devices/combined/devices/v1'), names: 'cid device_id' },
  alerts: {
    get: () => call('POST /alerts/combined/alerts/v1', {}),
    names: `agent_id aggregate_id aggregation_rule_id aggregation_rule_name assigned_to_name assigned_to_uid
      assigned_to_uuid cid cms_rule_id cms_rule_instance_id cms_rule_instance_version composite_id confidence
      crawled_timestamp created_timestamp data_domains description display_name email_sent external id is_aggregated
      is_falcon_platform_ioa linked_behavioral_detections linked_case_ids mitre_attack name objective origin_cid
      pattern_id platform product resolution scenario seconds_to_resolved seconds_to_triaged severity severity_name
      show_in_ui source_products source_vendors status tactic tactic_id tags technique technique_id timestamp type
      updated_timestamp`,
  },
  applications: {
    get: () => call("GET /discover/combined/applications/v1?filter=name:!''"),
    names: 'cid id',
  },
  vulnerabilities: {
    get: () =>
      call("GET /spotlight/combined/vulnerabilities/v1?filter=cid:!''&facet=host_info&facet=cve"),
    names: `aid cid created_timestamp id status updated_timestamp suppression_info.is_suppressed host_info.hostname
      host_info.local_ip host_info.machine_domain host_info.os_version host_info.ou host_info.site_name
      host_info.system_manufacturer`,
  },
};

it.each(Object.keys(required))('%s have the fields that the vendor requires', async (list) => {
  const { get, names } = required[list] ?? { get: () => call('GET /'), names: '' };
  const { body } = await get();
  expect(body.resources.length).toBeGreaterThan(0);
  for (const record of body.resources)
    for (const name of names.split(/\s+/)) {
      const value = name
        .split('.')
        .reduce<unknown>((one, key) => (one as Record<string, unknown>)[key], record);
      expect([name, value]).not.toEqual([name, undefined]);
    }
});

describe('requests', () => {
  it('need a token with the scope, which expires', async () => {
    const reader = await call('POST /devices/entities/devices-actions/v2', {}, 'reader');
    expect([reader.status, reader.body.errors[0]?.message]).toEqual([
      403,
      'access denied, authorization failed',
    ]);
    const token = await tokenOf('admin');
    now += 1_799_000;
    const late = await send('GET /devices/combined/devices/v1', '', '', token);
    expect(late.status).toBe(401);
  });

  it('are limited, with the time of the end of the limit', async () => {
    const token = await tokenOf('admin');
    fake.limits.override = { requests: 1, seconds: 30 };
    const first = await send('GET /devices/combined/devices/v1', '', '', token);
    expect(first.headers['x-ratelimit-remaining']).toBe('0');
    const second = await send('GET /devices/combined/devices/v1', '', '', token);
    expect(second.status).toBe(429);
    expect(second.headers['x-ratelimit-retryafter']).toBe(String(start.getTime() / 1_000 + 30));
  });
});
