import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { makeWorld } from '#fakes';
import { defender, requests } from './defender.fixture.js';

const edr = defender('edr_defender');
const assets = defender('assets_defender');
const vulnerabilities = defender('vulnerabilities_defender');
const world = makeWorld({ start: edr.start, dataset: 'BASIC' });
const hasSensor = new Set(
  world.devices.filter(({ edr_version }) => edr_version !== null).map(({ key }) => key),
);
const findings = world.findings.filter(
  ({ device, state }) => hasSensor.has(device) && state !== 'suppressed',
);

beforeAll(() => loadValidators());
beforeEach(() => {
  for (const over of [edr, assets, vulnerabilities]) over.reset();
});

describe('machines', () => {
  it('are filtered by OData, in which quotes are doubled', async () => {
    const filter = ["device.hostname[in]ws-1,o'brien", 'time[gt]2026-11-01T00:00:00Z'];
    expect((await edr.call('edr_query_endpoints', { query: { filter } })).status).toBe(200);
    expect(requests(edr)[0]).toMatchObject({
      call: 'GET /api/machines',
      query: {
        $filter: [
          "lastSeen gt 2026-11-01T00:00:00.000Z and (computerDnsName eq 'ws-1' or computerDnsName eq 'o''brien')",
        ],
      },
    });
  });

  it('are isolated as the caller says, with a comment', async () => {
    const [machine] = await edr.all('edr_query_endpoints');
    const endpoint_ids = [machine?.['device'].uid as string];
    const body = { state: 'Disconnect', endpoint_ids, isolation_type: 'Selective' };
    expect((await edr.call('edr_network_quarantine', { body })).status).toBe(200);
    const sent = requests(edr).find(({ call }) => call.startsWith('POST'));
    expect(sent?.body).toEqual({
      Comment: 'Requested through Onefold',
      IsolationType: 'Selective',
    });
  });
});

describe('findings', () => {
  const open = findings.filter(({ state }) => state !== 'fixed');

  it('are those of the export, which is read by the token of its link', async () => {
    const found = await vulnerabilities.all('vulnerabilities_query_findings');
    expect(found).toHaveLength(open.length);
    expect(requests(vulnerabilities)[0]?.call).toBe(
      'GET /api/machines/SoftwareVulnerabilitiesByMachine',
    );
  });

  it('since a day are those that have changed, with what is fixed', async () => {
    const since = new Date(vulnerabilities.now - 2 * 86_400_000).toISOString();
    const found = await vulnerabilities.all('vulnerabilities_query_findings', {
      filter: `time[gte]${since}`,
    });
    const fixed = findings.filter(({ state }) => state === 'fixed');
    expect(fixed.length).toBeGreaterThan(0);
    expect(found.map(({ state }) => state as string)).toEqual(fixed.map(() => 'Resolved'));
    expect(requests(vulnerabilities).map(({ call, query }) => [call, query['sinceTime']])).toEqual([
      ['GET /api/machines/SoftwareVulnerabilityChangesByMachine', [since]],
    ]);
  });
});

describe('alerts', () => {
  it('have the same id in Graph, which gets a token of its own', async () => {
    const [threat] = await edr.all('edr_query_threatevents');
    const alerts = await edr.all('edr_query_alerts');
    const uid = threat?.['finding_info'].uid as string;
    expect(alerts.map(({ finding_info }) => finding_info.uid as string)).toContain(uid);
    const scopes = edr.fake.log.requests
      .filter(({ path }) => path.endsWith('/token'))
      .map(({ body }) => new URLSearchParams(body).get('scope'));
    expect([...new Set(scopes)]).toEqual([
      'https://api.securitycenter.microsoft.com/.default',
      'https://graph.microsoft.com/.default',
    ]);
  });

  it('are filtered with the words of either API', async () => {
    const query = { filter: ['severity[in]High,Unknown', 'status[eq]In Progress'] };
    await edr.call('edr_query_threatevents', { query });
    await edr.call('edr_query_alerts', { query });
    // A list ends with a page without rows.
    expect([...new Set(requests(edr).map((one) => one.query['$filter']?.[0]))]).toEqual([
      "(severity eq 'High' or severity eq 'UnSpecified') and (status eq 'InProgress')",
      "(severity eq 'high' or severity eq 'unknown') and (status eq 'inProgress')",
    ]);
  });
});

describe('a credential without a permission', () => {
  it('is told its name by the verification', async () => {
    const { status, body } = await defender('vulnerabilities_defender', 'inventory').verify();
    expect([status, JSON.stringify(body)]).toEqual([
      502,
      expect.stringContaining('Vulnerability.Read.All'),
    ]);
  });
});

describe('indicators', () => {
  const indicator = (pattern: string) => ({
    type: 'indicator',
    spec_version: '2.1',
    id: 'indicator--6f4a3d0e-2c1b-4f5e-9a8d-7c6b5a4f3e2d',
    created: '2026-11-21T12:00:00Z',
    modified: '2026-11-21T12:00:00Z',
    valid_from: '2026-11-21T12:00:00Z',
    pattern_type: 'stix',
    pattern,
  });

  it('of another kind are refused by name before anything is sent', async () => {
    const body = { indicators: [indicator("[mutex:name = 'x']")] };
    const refused = await edr.call('edr_create_iocs', { body });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('mutex:name');
    expect(requests(edr)).toEqual([]);
  });

  it('are imported together and read back by their values', async () => {
    const values = Array.from({ length: 25 }, (_, index) => `bad-${index}.example`);
    const indicators = values.map((value) => indicator(`[domain-name:value = '${value}']`));
    const { body } = await edr.call('edr_create_iocs', { body: { indicators } });
    expect(body['result']).toHaveLength(25);
    expect(requests(edr).map(({ call }) => call)).toEqual([
      'POST /api/indicators/import',
      'GET /api/indicators',
      'GET /api/indicators',
    ]);
  });
});
