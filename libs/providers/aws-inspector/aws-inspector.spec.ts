import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { OverFake } from '#test/harness';

type Id = 'vulnerabilities_amazon_inspector' | 'appsec_amazon_inspector';

function open(type: Id, principal?: string): OverFake {
  const over = new OverFake(new URL('./', import.meta.url), type, {
    config: { region: 'eu-west-1' },
    credential: ({ aws }) => ({
      type: 'aws',
      access_key_id: aws?.accessKeyId,
      secret_access_key: aws?.secretAccessKey,
    }),
    ...(principal === undefined ? {} : { principal }),
  });
  over.now = Date.now(); // signatures are of the real time
  return over;
}
const bodies = (over: OverFake) =>
  over.fake.log.requests.map(({ body = '' }) => JSON.parse(body) as Record<string, unknown>);

beforeAll(() => loadValidators());

describe('findings', () => {
  it('are asked for by criteria of Inspector, in seconds and in its words', async () => {
    const over = open('vulnerabilities_amazon_inspector');
    await over.call('vulnerabilities_query_findings', {
      query: {
        limit: 10,
        filter: [
          'severity_id[in]4,5',
          'state_id[eq]1',
          'time[gt]2026-01-01T00:00:00.500Z',
          'time[lt]2030-01-01T00:00:00.500Z',
          'vulnerabilities.cve.uid[eq]CVE-2021-44228',
        ],
      },
    });
    const [request] = over.fake.log.requests;
    expect(request?.headers['authorization']).toContain('/eu-west-1/inspector2/aws4_request');
    const equal = (value: string) => ({ comparison: 'EQUALS', value });
    expect(bodies(over)[0]?.['filterCriteria']).toEqual({
      findingType: [{ comparison: 'NOT_EQUALS', value: 'CODE_VULNERABILITY' }],
      severity: [equal('HIGH'), equal('CRITICAL')],
      findingStatus: [equal('ACTIVE')],
      vulnerabilityId: [equal('CVE-2021-44228')],
      updatedAt: [{ startInclusive: 1767225600, endInclusive: 1893456001 }],
    });
  });

  it('are compared here where a filter has more values than a criterion takes', async () => {
    const over = open('vulnerabilities_amazon_inspector');
    const ids = Array.from({ length: 11 }, (_, index) => `i-${index}`).join(',');
    const filter = [`device.uid[in]${ids}`];
    const { status, body } = await over.call('vulnerabilities_query_findings', {
      query: { filter },
    });
    expect([status, body['result']]).toEqual([200, []]);
    expect(Object.keys(bodies(over)[0]?.['filterCriteria'] as object)).toEqual(['findingType']);
  });

  it('of code are in the domain appsec alone, and those of instances in the other', async () => {
    const types = async (id: Id, operation: Parameters<OverFake['all']>[0]) =>
      new Set(
        (await open(id).all(operation, { limit: 100 })).map(
          ({ finding, finding_info, resources }) =>
            `${(finding ?? finding_info).types[0]} ${resources[0].type}`,
        ),
      );
    expect(
      await types('vulnerabilities_amazon_inspector', 'vulnerabilities_query_findings'),
    ).toEqual(
      new Set([
        'PACKAGE_VULNERABILITY AWS_EC2_INSTANCE',
        'NETWORK_REACHABILITY AWS_EC2_INSTANCE',
        'PACKAGE_VULNERABILITY AWS_ECR_CONTAINER_IMAGE',
        'PACKAGE_VULNERABILITY AWS_LAMBDA_FUNCTION',
        'PACKAGE_VULNERABILITY CODE_REPOSITORY',
      ]),
    );
    expect(await types('appsec_amazon_inspector', 'appsec_query_findings')).toEqual(
      new Set([
        'CODE_VULNERABILITY CODE_REPOSITORY',
        'PACKAGE_VULNERABILITY AWS_ECR_CONTAINER_IMAGE',
        'PACKAGE_VULNERABILITY AWS_LAMBDA_FUNCTION',
        'PACKAGE_VULNERABILITY CODE_REPOSITORY',
      ]),
    );
  });
});

it('a resource is an asset once, however many types of scan it has', async () => {
  const rows = await open('vulnerabilities_amazon_inspector').all('vulnerabilities_query_assets', {
    limit: 50,
  });
  const uids = rows.map(({ device }) => device.uid as string);
  expect(uids).toHaveLength(new Set(uids).size);
  expect(rows.map(({ device }) => device.name as string).sort()).toEqual(
    'build01 db01 git01 instrument-cloud resize-images shop01 telemetry-service web01 wiki01'.split(
      ' ',
    ),
  );
});

describe('a finding of an application', () => {
  const image = async (over: OverFake) => {
    const rows = await over.all('appsec_query_findings', { limit: 100 });
    return rows.find(({ application }) => application.type === 'AWS_ECR_CONTAINER_IMAGE');
  };

  it('has the weaknesses that AWS knows of its vulnerability', async () => {
    const over = open('appsec_amazon_inspector');
    const found = await image(over);
    const path = {
      applicationId: found?.['application'].uid,
      findingId: found?.['finding_info'].uid,
    };
    const { status, body } = await over.call('appsec_get_application_finding_details', { path });
    expect(status).toBe(200);
    expect(body['result']).toMatchObject({
      application: { name: 'telemetry-service:1.8.2' },
      vulnerabilities: [{ cve: { uid: 'CVE-2021-44228', related_cwes: [{ uid: 'CWE-502' }] } }],
    });
  });

  it('comes without them where the policy has only findings', async () => {
    const over = open('appsec_amazon_inspector', 'reader');
    const found = await image(over);
    const path = {
      applicationId: found?.['application'].uid,
      findingId: found?.['finding_info'].uid,
    };
    const { status, body } = await over.call('appsec_get_application_finding_details', { path });
    expect([status, JSON.stringify(body)]).toEqual([
      200,
      expect.stringContaining('inspector2:BatchGetFindingDetails') as unknown,
    ]);
  });
});

it('verify says that Inspector is not enabled, and which permission is missing', async () => {
  const over = open('vulnerabilities_amazon_inspector');
  over.fake.faults.add({ kind: 'disabled', times: 10 });
  expect(JSON.stringify(await over.verify())).toContain(
    'Amazon Inspector is not enabled in the region eu-west-1 of this account',
  );
  expect(JSON.stringify(await open('appsec_amazon_inspector', 'reader').verify())).toContain(
    'inspector2:ListCoverage',
  );
});
