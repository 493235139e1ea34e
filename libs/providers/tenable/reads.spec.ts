import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeWorld } from '#fakes';
import type { OperationId } from '#contract';
import { type Json, listFaults, type OverFake } from '#test/harness';
import { deviceOf, overFake } from './over-fake.fixture.js';

const vulnerabilities = overFake('vulnerabilities_tenable_cloud');
const assets = overFake('assets_tenable_cloud');
const { devices, findings, scans } = makeWorld({ start: vulnerabilities.start, dataset: 'BASIC' });
const laptop = devices.find(({ kind }) => kind === 'laptop')!;

beforeEach(() => {
  vulnerabilities.reset();
  assets.reset();
});

it('a list of findings has each row once, and its filters have the result of filtering here', async () => {
  expect(await listFaults(vulnerabilities, 'vulnerabilities_query_findings')).toEqual([]);
});

it.each(['assets_query_devices', 'assets_query_software'] as const)(
  '%s has each row once over its pages, while assets are added',
  async (id) => {
    const all = await assets.all(id);
    const { body } = await assets.call(id, { query: { limit: 40 } });
    await assets.call('assets_create_asset', {
      body: { device: deviceOf('added-later', '10.99.0.1') },
    });
    const pages = [body['result'] as Json[]];
    for (let { cursor } = body; cursor !== '';) {
      const next = await assets.call(id, { query: { limit: 40, cursor } });
      pages.push(next.body['result'] as Json[]);
      ({ cursor } = next.body);
    }
    const uids = pages.flat().map(({ metadata }) => metadata.uid as string);
    expect(uids).toEqual([...new Set(uids)]);
    expect(
      all.map(({ metadata }) => metadata.uid as string).filter((uid) => !uids.includes(uid)),
    ).toEqual([]);
  },
);

describe('findings', () => {
  it('are those of the company, on their assets, each with its CVE', async () => {
    const rows = await vulnerabilities.all('vulnerabilities_query_findings');
    const nameOf = ({ device, vulnerabilities: [one] }: Json) =>
      `${device.hostname} ${(one as Json)['cve'].uid}`;
    const names = new Map(devices.map(({ key, hostname }) => [key, hostname]));
    expect(rows.map(nameOf).sort()).toEqual(
      findings.map((one) => `${names.get(one.device)} ${one.vulnerability}`).sort(),
    );
  });

  it('ask Tenable for what the filters want, and start one export for all pages', async () => {
    const query = { filter: ['severity_id[eq]5', 'state_id[eq]4'], limit: 5 };
    const pages = await vulnerabilities.pages('vulnerabilities_query_findings', query);
    const fixed = findings.filter((one) => one.severity === 'critical' && one.state === 'fixed');
    expect(pages.flat()).toHaveLength(fixed.length);
    const begun = vulnerabilities.fake.log.requests.filter(({ method }) => method === 'POST');
    expect(begun).toHaveLength(1);
    expect(JSON.parse(String(begun[0]?.body))).toMatchObject({
      filters: { severity: ['critical'], state: ['FIXED'] },
    });
  });
});

it('an export without a time has findings of all times, and one with a time those behind it', async () => {
  const filtersOf = async (query: Record<string, unknown>): Promise<unknown> => {
    vulnerabilities.reset();
    await vulnerabilities.all('vulnerabilities_query_findings', query);
    const begun = vulnerabilities.fake.log.requests.find(({ method }) => method === 'POST');
    return (JSON.parse(String(begun?.body)) as Json)['filters'];
  };
  expect(await filtersOf({})).toMatchObject({ since: 1 });
  const timed = await filtersOf({ filter: ['finding.last_seen_time[gt]2026-01-01T00:00:00Z'] });
  expect(timed).toMatchObject({ last_found: Date.UTC(2026, 0, 1) / 1000 });
  expect(timed).not.toHaveProperty('since');
});

describe('assets', () => {
  it('are exported with parameters that the export has, and are as old as their last change', async () => {
    const [first] = await assets.all('assets_query_devices');
    const begun = assets.fake.log.requests.find(({ method }) => method === 'POST');
    expect(JSON.parse(String(begun?.body))).not.toHaveProperty('include_unlicensed');
    expect((first as Json)['time']).toBe((first as Json)['device'].modified_time);
  });

  it('have the laptop with its addresses, its system and its software', async () => {
    const rows = await assets.all('assets_query_devices');
    expect(rows).toHaveLength(devices.length);
    const row = rows.find(({ device }) => device.hostname === laptop.hostname) as Json;
    expect(row['device']).toMatchObject({ ip: laptop.ip, domain: laptop.domain });
    const { uid } = row['device'];
    const software = await assets.all('assets_query_device_software', {}, { deviceUid: uid });
    expect(software.map((one) => one['package'].version as string).sort()).toEqual(
      laptop.installed.map(({ version }) => version).sort(),
    );
  });

  it('are the same for both domains, and so are findings', async () => {
    const uidsOf = (rows: Json[]) => rows.map(({ metadata }) => metadata.uid as string).sort();
    expect(uidsOf(await vulnerabilities.all('vulnerabilities_query_assets'))).toEqual(
      uidsOf(await assets.all('assets_query_devices')),
    );
    expect(uidsOf(await assets.all('assets_query_vulnerabilities'))).toEqual(
      uidsOf(await vulnerabilities.all('vulnerabilities_query_findings')),
    );
  });

  it('that do not exist are a 404', async () => {
    const { status } = await assets.call('assets_query_device_software', {
      path: { deviceUid: 'none' },
    });
    expect(status).toBe(404);
  });
});

describe('scans', () => {
  it('are listed with their schedule, and have runs, a state and findings', async () => {
    const { body } = await vulnerabilities.call('vulnerabilities_query_scans');
    expect((body['result'] as Json[]).map(({ name }) => name as string)).toEqual(
      scans.map(({ name }) => name),
    );
    const at = scans.findIndex(({ key }) => findings.some((one) => one.scan === key));
    const scan = body['result'][at] as Json;
    expect(scan['schedule']).toMatchObject({ frequency: 'weekly', repeat_interval: 1 });
    const path = { scan_id: scan['uid'] as string };
    const activities = await vulnerabilities.call('vulnerabilities_get_scan_activities', { path });
    const activity = await vulnerabilities.call('vulnerabilities_get_scan_activity', { path });
    expect(activities.body['result'][0]).toEqual(activity.body['result']);
    expect(activity.body['result']).toMatchObject({ activity_name: 'Completed' });
    const state = await vulnerabilities.call('vulnerabilities_get_scan_status', { path });
    expect(state.body['result']).toMatchObject({ scan_id: path.scan_id, status: 'Complete' });
    const found = await vulnerabilities.all('vulnerabilities_query_scan_findings', {}, path);
    const key = scans[at]?.key;
    expect(found).toHaveLength(findings.filter((one) => one.scan === key).length);
    expect(found.length).toBeGreaterThan(0);
  });
});

it.each([
  ['vulnerabilities_get_labels', vulnerabilities],
  ['assets_get_labels', assets],
] as [OperationId, OverFake][])(
  '%s has the values of tags with their category',
  async (id, one) => {
    const { body } = await one.call(id);
    const sites = [...new Set(devices.map(({ site }) => site))].sort();
    expect(body).toEqual({ cursor: '', result: sites.map((value) => ({ key: 'Site', value })) });
  },
);

it('the configuration is tried with a call that a wrong key does not pass', async () => {
  expect((await assets.verify()).status).toBe(200);
});
