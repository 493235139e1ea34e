import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { makeWorld } from '#fakes';
import type { Json } from '#test/harness';
import { connectAws } from './aws.fixture.js';

const configurations = 'networksecurity_query_traffic_log_configurations';
const events = 'networksecurity_query_traffic_events';

const connect = (config: object = {}, principal = 'admin') =>
  connectAws('networksecurity_aws', { config: { ...config }, principal });
let aws = connect();
const world = makeWorld({ start: aws.start, dataset: 'BASIC' });
const flows = world.network_flows.filter(({ sensor }) => sensor.startsWith('vpc-'));

beforeAll(() => loadValidators());
beforeEach(() => {
  aws = connect();
});

describe('flow logs', () => {
  it('are those of the region, as cloud resources', async () => {
    const found = await aws.all(configurations, { limit: 200 });
    expect(found.map(({ unmapped }) => unmapped.logDestinationType as string)).toEqual([
      'cloud-watch-logs',
      'cloud-watch-logs',
      's3',
    ]);
    expect(found[0]).toMatchObject({
      region: 'eu-west-1',
      cloud: { provider: 'AWS' },
      resources: [
        {
          uid: expect.stringMatching(/^fl-/),
          type: 'AWS::EC2::FlowLog',
          name: 'flow logs of vpc vpc-0a1b2c3d4e5f60718',
        },
      ],
      unmapped: { resourceId: 'vpc-0a1b2c3d4e5f60718', trafficType: 'ALL' },
    });
    expect(found[1]?.['unmapped'].resourceId).toBe(flows[0]?.interface_id);
    expect(await aws.pages(configurations, { limit: 1 })).toHaveLength(3);
    const [request] = aws.fake.log.requests;
    expect(request).toMatchObject({
      method: 'GET',
      query: { Action: ['DescribeFlowLogs'], Version: ['2016-11-15'], MaxResults: ['200'] },
    });
    expect(request?.headers['authorization']).toMatch(/\/eu-west-1\/ec2\/aws4_request/);
  });

  it('are those of the configuration, where it names some', async () => {
    const [first] = await aws.all(configurations, { limit: 200 });
    const uid = first?.['resources'][0].uid as string;
    const one = connect({ traffic_log_configuration_ids: [uid] });
    const found = await one.all(configurations, { limit: 200 });
    expect(found.map(({ resources }) => resources[0].uid as string)).toEqual([uid]);
    const gone = connect({ traffic_log_configuration_ids: ['fl-0'] });
    const { status, body } = await gone.call(configurations);
    expect(status).toBe(400);
    expect(body['message']).toContain("The flow log ID 'fl-0' does not exist");
  });
});

describe('traffic', () => {
  it('is that of all log groups, each record once over all pages', async () => {
    const pages = await aws.pages(events, { limit: 20 });
    const rows = pages.flat();
    expect(pages.length).toBeGreaterThan(2);
    expect(new Set(rows.map(({ metadata }) => metadata.uid as string)).size).toBe(rows.length);
    const ofVpc = rows.filter(({ metadata }) => metadata.log_name === '/vpc/vpc');
    // Every twentieth window has no data.
    const withData = flows.filter((_flow, index) => index % 20 !== 19);
    expect(ofVpc.map(({ src_endpoint }) => src_endpoint.ip as string).sort()).toEqual(
      withData.map(({ source_ip }) => source_ip).sort(),
    );
    expect(rows.length).toBeGreaterThan(ofVpc.length);
    const tokens = aws.fake.log.requests.filter(({ body }) => body.includes('nextToken'));
    expect(tokens.length).toBeGreaterThan(1);
    expect(tokens[0]?.headers).toMatchObject({
      'x-amz-target': 'Logs_20140328.FilterLogEvents',
      'content-type': 'application/x-amz-json-1.1',
      authorization: expect.stringMatching(/\/eu-west-1\/logs\/aws4_request/),
    });
  });

  it('has ports, bytes, times and the verdict, and loses no field of the line', async () => {
    const [first] = await aws.all(events, { limit: 200 });
    const [flow] = flows;
    expect(first).toMatchObject({
      src_endpoint: { ip: flow?.source_ip, port: flow?.source_port },
      dst_endpoint: { ip: flow?.destination_ip, port: flow?.destination_port },
      traffic: { bytes: flow?.bytes_out, packets: flow?.packets_out },
      connection_info: { protocol_num: 6, protocol_name: 'tcp' },
      start_time: Math.floor((flow?.started_ms ?? 0) / 1_000) * 1_000,
      action: 'Allowed',
      unmapped: {
        'account-id': '111122223333',
        'interface-id': flow?.interface_id,
        'log-status': 'OK',
      },
    });
  });

  it('is asked for by its time, and filtered by the rest here', async () => {
    const all = await aws.all(events, { limit: 200 });
    const middle = all[all.length >> 1]?.['time'] as number;
    aws.fake.log.requests.length = 0;
    const later = await aws.all(events, {
      limit: 200,
      filter: [`time[gte]${new Date(middle).toISOString()}`],
    });
    const uids = (rows: typeof all) => rows.map(({ metadata }) => metadata.uid as string);
    expect(uids(later)).toEqual(uids(all.filter(({ time }) => time >= middle)));
    const asked = aws.fake.log.requests.find(({ method }) => method === 'POST');
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({ startTime: middle - 600_000 });
    const port = all[0]?.['dst_endpoint'].port as number;
    const some = await aws.all(events, { limit: 200, filter: `dst_endpoint.port[eq]${port}` });
    expect(uids(some)).toEqual(uids(all.filter(({ dst_endpoint }) => dst_endpoint.port === port)));
  });

  it('of a log group that a policy refuses are left out by name, and those of the others stay', async () => {
    const read = async () => await aws.succeed(events, { query: { limit: 200 } });
    const whole = (await read())['result'] as Json[];
    const names = new Set(whole.map(({ metadata }) => metadata.log_name as string));
    const [refused = ''] = names;
    expect(names.size).toBeGreaterThan(1);
    aws.answer = (key) =>
      key.includes(`"logGroupName":"${refused}"`)
        ? {
            status: 400,
            headers: { 'content-type': 'application/x-amz-json-1.1' },
            body: Buffer.from(
              JSON.stringify({
                __type: 'AccessDeniedException',
                Message: 'User is not authorized to perform: logs:FilterLogEvents',
              }),
            ),
          }
        : undefined;
    const { result, messages } = await read();
    expect((result as Json[]).map(({ metadata }) => metadata.log_name as string)).toEqual(
      whole.map(({ metadata }) => metadata.log_name as string).filter((name) => name !== refused),
    );
    expect((messages as Json)['problems']).toMatchObject([{ instance: 'part-left-out' }]);
  });
});

describe('a credential', () => {
  it('that lacks a permission is told its name', async () => {
    const reader = connect({}, 'reader');
    expect((await reader.verify()).status).toBe(200);
    const { status, body } = await reader.call(events);
    expect(status).toBe(502);
    expect(body['remediation']).toContain('logs:FilterLogEvents');
  });

  it('with another secret is refused', async () => {
    const wrong = connectAws('networksecurity_aws', {
      credential: ({ aws: key }) => ({
        type: 'aws',
        access_key_id: key?.accessKeyId,
        secret_access_key: 'another secret',
      }),
    });
    const { status, body } = await wrong.call(configurations);
    expect(status).toBe(502);
    expect(body['message']).toMatch(/refuses the credential/);
  });
});
