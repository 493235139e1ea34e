import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId } from '#contract';
import { makeWorld } from '#fakes';
import { type Json, listFaults } from '#test/harness';
import { connectAws } from './aws.fixture.js';

const connect = (principal = 'admin') => {
  const over = connectAws('cloudsecurity_aws', { principal });
  over.fake.limits.override = { requests: 1e6, seconds: 60 };
  return over;
};
let aws = connect();
const world = makeWorld({ start: aws.start, dataset: 'BASIC' });
const findings = world.cloud_findings.filter(({ account }) => account === 'acc-0001');
const results = findings.filter(({ kind }) => kind === 'misconfiguration');
const titles = (rows: Json[]): string[] =>
  rows.map((one) => one['finding_info'].title as string).sort();
const titlesOf = (expected: { title: string }[]) => expected.map(({ title }) => title).sort();

beforeAll(() => loadValidators());
beforeEach(() => {
  aws = connect();
});

describe.each<[OperationId, number]>([
  ['cloudsecurity_query_ioms', results.filter(({ result }) => result === 'fail').length],
  ['cloudsecurity_query_compliance_findings', results.length],
  ['cloudsecurity_query_threats', findings.length - results.length],
  [
    'cloudsecurity_query_cloud_resource_inventory',
    world.cloud_resources.filter(({ account }) => account === 'acc-0001').length,
  ],
  ['cloudsecurity_query_events', world.events.filter(({ kind }) => kind === 'cloud_api').length],
])('%s', (id, count) => {
  it('has the records of the account, right by OCSF', async () => {
    const { status, body } = await aws.call(id, { query: { limit: 100 } });
    expect([status, body['message']]).toEqual([200, undefined]);
    expect(body['result']).toHaveLength(count);
    const { meta } = (await aws.call(id, { query: { limit: 1 }, meta: ['stats/count'] })).body;
    expect(meta).toMatchObject({ stats: { count: { '*': count } } });
  });

  it('has each record once over pages, filters and orders as declared', async () => {
    const found = await listFaults(aws, id);
    expect(found).toEqual([]);
  });
});

it('finds what fails a control, with its severity and its resource', async () => {
  const found = await aws.all('cloudsecurity_query_ioms');
  expect(titles(found)).toEqual(titlesOf(results.filter(({ result }) => result === 'fail')));
  const open = found.find((one) => String(one['finding_info'].title).includes('public reads'));
  expect(open).toMatchObject({
    severity: 'High',
    compliance: { status: 'Fail', control: 'S3.2' },
    cloud: { provider: 'AWS', region: 'eu-west-1', account: { uid: '111122223333' } },
    resources: [{ uid: 'arn:aws:s3:::alderpoint-brochures', type: 'AwsS3Bucket' }],
  });
  const [request] = aws.fake.log.requests;
  expect(request).toMatchObject({ method: 'POST', path: '/findings' });
  expect(request?.headers['authorization']).toMatch(/\/eu-west-1\/securityhub\/aws4_request/);
});

it('finds the threats of GuardDuty, in the order that was asked for', async () => {
  const found = await aws.all('cloudsecurity_query_threats', { order: 'time[desc]' });
  expect(titles(found)).toEqual(titlesOf(findings.filter(({ kind }) => kind === 'threat')));
  const times = found.map((one) => one['time'] as number);
  expect(times).toEqual([...times].sort((one, other) => other - one));
});

it.each([
  ['without_hub', 'cloudsecurity_query_ioms', 501, 'not subscribed'],
  ['without_detector', 'cloudsecurity_query_threats', 501, 'not enabled in the region eu-west-1'],
] as const)('tells %s', async (kind, id, status, text) => {
  aws.fake.faults.add({ kind, times: 10 });
  const answer = await aws.call(id);
  expect([answer.status, answer.body['message']]).toEqual([
    status,
    expect.stringContaining(text) as unknown,
  ]);
});

it.each([
  ['cloudsecurity_query_ioms', 'securityhub:GetFindings'],
  ['cloudsecurity_query_threats', 'guardduty:ListDetectors'],
  ['cloudsecurity_query_cloud_resource_inventory', 'config:SelectResourceConfig'],
  ['cloudsecurity_query_events', 'cloudtrail:LookupEvents'],
] as const)('%s names the permission %s', async (id, needs) => {
  const { status, body } = await connect('reader').call(id);
  expect([status, JSON.stringify(body)]).toEqual([502, expect.stringContaining(needs) as unknown]);
});

it('is verified by Security Hub', async () => {
  expect((await aws.verify()).status).toBe(200);
  expect((await connect('reader').verify()).status).toBeGreaterThanOrEqual(400);
});
