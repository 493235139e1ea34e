import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverFake } from '#test/harness';

const folder = new URL('./', import.meta.url);
const config = { url: 'https://usea1-alderpoint.sentinelone.net/' };
const asToken = ({ secret }: { secret?: string }) => ({ type: 'token', secret });

function sentinelOne(principal = 'admin', events = true): OverFake {
  return new OverFake(folder, 'edr_sentinelone', {
    config,
    principal,
    credential: asToken,
    otherCredentials: (accepted) => (events ? { edr_events_credential: asToken(accepted) } : {}),
  });
}

const edr = sentinelOne();
const laptop = '1500000000000000019';

beforeAll(() => loadValidators());
beforeEach(() => {
  edr.reset();
  // Later changes of the fake come true while it is asked.
  edr.requestMs = 200;
});

describe('endpoints', () => {
  it('are filtered by names, ids and times, until before the next millisecond', async () => {
    const filter = ['device.hostname[in]ws-1,ws-2', 'device.uid[eq]nothing', 'time[lte]2026-11-01'];
    expect((await edr.call('edr_query_endpoints', { query: { filter } })).status).toBe(200);
    expect(edr.requests()[0]).toMatchObject({
      method: 'GET',
      path: '/web/api/v2.1/agents',
      query: {
        ids: '0',
        computerName__contains: 'ws-1,ws-2',
        lastActiveDate__lt: '2026-11-01T00:00:00.001000Z',
      },
    });
  });

  it('are wholly isolated, or the caller is told', async () => {
    const body = { state: 'Disconnect', endpoint_ids: [laptop], isolation_type: 'Selective' };
    expect((await edr.call('edr_network_quarantine', { body })).status).toBe(400);
    const some = { state: 'Disconnect', endpoint_ids: [laptop, '17'] };
    const { body: answer } = await edr.call('edr_network_quarantine', { body: some });
    expect(JSON.stringify(answer['messages'])).toContain('1 of 2 endpoints');
  });
});

describe('applications of an endpoint', () => {
  it('are asked for by its UUID', async () => {
    const filter = `device.uid[eq]${laptop}`;
    const found = await edr.all('edr_query_applications', { filter });
    expect([...new Set(found.map(({ device }) => (device as Json)['uid'] as string))]).toEqual([
      laptop,
    ]);
    const uuid = (found[0]?.['device'] as Json)['uid_alt'] as string;
    const asked = edr.requests().filter(({ path }) => path.endsWith('/inventory'));
    expect(asked.map(({ query }) => query['endpointUuid__contains'])).toEqual([uuid]);
  });
});

describe('threats', () => {
  it('are read without a filter by a word that SentinelOne has no value for', async () => {
    const words = ['severity[in]High,Unknown', 'status[eq]In Progress'];
    await edr.call('edr_query_threatevents', { query: { filter: words } });
    const { query } = edr.requests()[0] ?? {};
    expect(query).toMatchObject({ incidentStatuses: 'in_progress', sortBy: 'createdAt' });
    expect(query).not.toHaveProperty('confidenceLevels');
  });
});

describe('alerts', () => {
  it('are filtered by GraphQL, and refused with its words', async () => {
    const filter = ['severity[in]High,Critical', 'time[gte]2026-11-01T00:00:00Z'];
    await edr.call('edr_query_alerts', { query: { filter } });
    const sent = JSON.parse(edr.requests()[0]?.body ?? '') as Json;
    expect((sent['variables'] as Json)['filters']).toEqual([
      { fieldId: 'detectedAt', dateTimeRange: { start: 1793491200000, startInclusive: true } },
      { fieldId: 'severity', stringIn: { values: ['HIGH', 'CRITICAL'] } },
    ]);
    edr.answer = () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ data: null, errors: [{ message: 'Access Denied' }] })),
    });
    const refused = await edr.call('edr_query_alerts', {});
    edr.answer = undefined;
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      502,
      expect.stringContaining('viewing unified alerts'),
    ]);
  });
});

describe('indicators', () => {
  it('are for the accounts that the service user sees, and deleted by their ids', async () => {
    const indicator = {
      type: 'indicator',
      spec_version: '2.1',
      id: 'indicator--6f4a3d0e-2c1b-4f5e-9a8d-7c6b5a4f3e2d',
      created: '2026-11-21T12:00:00Z',
      modified: '2026-11-21T12:00:00Z',
      valid_from: '2026-11-21T12:00:00Z',
      pattern_type: 'stix',
      pattern: "[url:value = 'https://bad.example/it\\'s']",
    };
    const { body } = await edr.call('edr_create_iocs', { body: { indicators: [indicator] } });
    const [made] = body['result'] as Json[];
    expect(made?.['pattern']).toBe(indicator.pattern);
    const posted = edr.requests().find(({ method }) => method === 'POST');
    expect(JSON.parse(posted?.body ?? '')).toMatchObject({
      filter: { accountIds: ['1402311871649219585'] },
      data: [{ type: 'URL', value: "https://bad.example/it's", source: 'Onefold' }],
    });
    const ids = made?.['id'] as string;
    const gone = await edr.call('edr_delete_iocs', { query: { ids } });
    expect(gone.body).toMatchObject({ result: [ids] });
    expect((await edr.call('edr_delete_iocs', { query: { ids } })).status).toBe(404);
  });
});

describe('response', () => {
  it('runs a script of the library by its name, and waits for its end', async () => {
    const path = { uid: laptop };
    const body = { script: 'Collect Triage Data', args: '-all' };
    const { body: ran } = await edr.call('edr_execute_remote_script', { path, body });
    expect(ran).toMatchObject({ result: { device_uid: laptop } });
    const sent = edr.requests().find(({ method }) => method === 'POST');
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      filter: { ids: [laptop] },
      data: { scriptId: '1600000000000000000', inputParams: '-all' },
    });
    const unknown = await edr.call('edr_execute_remote_script', { path, body: { script: 'none' } });
    expect(unknown.status).toBe(404);
  });

  it('waits for the archive of a file that is newer than the last one', async () => {
    const request = { path: { uid: laptop }, body: { path: '/tmp/a.txt' } };
    const { bytes } = await edr.file('edr_retrieve_file', request);
    expect(bytes.toString()).toContain('/tmp/a.txt');
    const again = { path: { uid: laptop }, body: { path: '/tmp/b.txt' } };
    expect((await edr.file('edr_retrieve_file', again)).bytes.toString()).toContain('/tmp/b.txt');
  });
});

describe('events', () => {
  it('are those of a query that is led to the machine which has it, and is ended', async () => {
    const filter = ['device.hostname[eq]AP-UTR-L0019', 'time[gte]2026-11-10T00:00:00Z'];
    await edr.all('edr_query_edr_events', { filter });
    const asked = edr.requests();
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'DELETE']);
    expect(asked[0]?.path).toBe('/sdl/v2/api/queries');
    const { startTime, pq } = JSON.parse(asked[0]?.body ?? '') as { startTime: string; pq: Json };
    expect(startTime).toBe('1794268800000');
    expect(pq['query']).toContain('endpoint.name in ("AP-UTR-L0019") | columns event.time');
  });

  it('need a credential of their own', async () => {
    const without = await sentinelOne('admin', false).call('edr_query_edr_events', {});
    expect(JSON.stringify(without.body)).toContain('edr_events_credential');
    expect(without.status).toBeGreaterThanOrEqual(400);
  });
});

describe('a credential without a permission', () => {
  it('is told its name by the verification', async () => {
    const { status, body } = await sentinelOne('endpoints').verify();
    expect([status, JSON.stringify(body)]).toEqual([502, expect.stringContaining('Threats.view')]);
  });
});
