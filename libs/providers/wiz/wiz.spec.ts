import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { type Json, OverFake } from '#test/harness';

const connect = (type: string, principal = 'admin', host = 'api.us17.app.wiz.io') =>
  new OverFake(new URL('./', import.meta.url), type, {
    config: { api_endpoint_url: `https://${host}/graphql` },
    credential: ({ client }) => ({
      type: 'o_auth_client',
      client_id: client?.id,
      client_secret: client?.secret,
    }),
    principal,
    before: ({ url }) => {
      urls.push(url);
      return undefined;
    },
  });
const urls: string[] = [];
const cloud = connect('cloudsecurity_wiz');
const vulnerabilities = connect('vulnerabilities_wiz');
/** The variables of the queries that the fake received, each under the name of its list. */
const queries = (of: OverFake): Json[] =>
  of.fake.log.requests
    .filter(({ path }) => path === '/graphql')
    .map(({ body }) => JSON.parse(body) as { query: string; variables: Json })
    .map(({ query, variables }) => ({ list: /\{\s*(\w+)\(/.exec(query)?.[1], ...variables }));

beforeAll(() => loadValidators());
beforeEach(() => {
  for (const over of [cloud, vulnerabilities]) over.reset();
  urls.length = 0;
});

it.each([
  ['api.us17.app.wiz.io', 'https://auth.app.wiz.io/oauth/token'],
  ['api.us1.gov.wiz.io', 'https://auth.gov.wiz.io/oauth/token'],
  ['api.us1.app.wiz.us', 'https://auth.app.wiz.us/oauth/token'],
])('gets the token of %s from %s', async (host, token) => {
  await connect('cloudsecurity_wiz', 'admin', host).call('cloudsecurity_query_threats');
  expect(urls).toEqual([token, `https://${host}/graphql`]);
});

describe('filters', () => {
  it('of issues are variables of the query, with times a millisecond away', async () => {
    const filter = [
      'severity_id[in]4,5',
      'status_id[eq]1',
      'finding_info.types[eq]TOXIC_COMBINATION',
      'time[gte]2026-11-01T00:00:00Z',
      'time[lt]2026-12-01T00:00:00Z',
    ];
    await cloud.call('cloudsecurity_query_threats', { query: { filter } });
    expect(queries(cloud)[0]).toEqual({
      list: 'issuesV2',
      first: 250,
      after: null,
      orderBy: { field: 'CREATED_AT', direction: 'DESC' },
      filterBy: {
        severity: ['HIGH', 'CRITICAL'],
        status: ['OPEN'],
        type: ['TOXIC_COMBINATION'],
        statusChangedAt: { after: '2026-10-31T23:59:59.999Z', before: '2026-12-01T00:00:00.001Z' },
      },
    });
  });

  it('with values that Wiz would refuse are applied here', async () => {
    const filter = ['severity_id[eq]6', 'finding_info.types[eq]OTHER', 'finding_info.uid[eq]x'];
    const { status, body } = await cloud.call('cloudsecurity_query_threats', { query: { filter } });
    expect([status, body['result'], queries(cloud)[0]?.['filterBy']]).toEqual([200, [], {}]);
  });

  it('of vulnerability findings are those of Wiz', async () => {
    const filter = ['vulnerabilities.cve.uid[eq]CVE-2024-36905', 'cloud.region[in]eu-west-1'];
    await vulnerabilities.call('vulnerabilities_query_findings', { query: { filter } });
    expect(queries(vulnerabilities)[0]?.['filterBy']).toEqual({
      vulnerabilityExternalIdV2: { equals: ['CVE-2024-36905'] },
      assetRegion: { equals: ['eu-west-1'] },
    });
  });
});

describe('events', () => {
  const lists = (of: OverFake) => [...new Set(queries(of).map((one): unknown => one['list']))];

  it.each([
    [undefined, ['detections', 'auditLogEntries']],
    ['class_uid[eq]2004', ['detections']],
    ['class_uid[in]3002,6003', ['auditLogEntries']],
  ])('with the filter %s are read from %j', async (filter, expected) => {
    const found = await cloud.all('cloudsecurity_query_events', filter ? { filter } : {});
    expect(found.length).toBeGreaterThan(0);
    expect(lists(cloud)).toEqual(expected);
  });

  it('have no entries of the audit log where its scope is missing', async () => {
    const reader = connect('cloudsecurity_wiz', 'reader');
    const found = await reader.all('cloudsecurity_query_events', {});
    expect(new Set(found.map((one): unknown => one['class_uid']))).toEqual(new Set([2004]));
    expect(lists(reader)).toEqual(['detections', 'auditLogEntries']);
  });

  it('need a license of Wiz Defend', async () => {
    cloud.fake.faults.add({ kind: 'without_defend', times: 10 });
    const { status, body } = await cloud.call('cloudsecurity_query_events');
    expect([status, body['message']]).toEqual([501, expect.stringContaining('license')]);
  });
});

it.each([
  ['cloudsecurity_query_ioms', 'read:cloud_configuration'],
  ['cloudsecurity_query_cloud_resource_inventory', 'read:resources'],
  ['cloudsecurity_query_events', 'read:detections'],
] as const)('%s names the missing scope %s', async (id, scope) => {
  const over = connect('cloudsecurity_wiz', 'issue_reader');
  const { status, body } = await over.call(id);
  expect([status, JSON.stringify(body)]).toEqual([502, expect.stringContaining(scope)]);
  expect(JSON.stringify((await over.verify()).body)).toContain('read:cloud_configuration');
});
