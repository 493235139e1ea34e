import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { NoPauses } from '#egress';
import { lintRecord } from '#ocsf';
import { OverSystem, runMapping } from '#test/harness';
import * as client from './client.js';

// Records in the shapes of the vendor's user guides and API references, with values of our own.
const folder = new URL('.', import.meta.url);
function map(mapping: string, record: object) {
  const made = runMapping(folder, mapping, record, { config: { region: 'eu-west-1' } });
  expect(lintRecord(made).errors).toEqual([]);
  return made;
}

describe('an event of CloudTrail', () => {
  const event = (eventName: string, more: object = {}, beside: object = {}) =>
    map('trail-event', {
      EventName: eventName,
      Username: 'anna',
      CloudTrailEvent: JSON.stringify({
        eventID: 'e-1',
        eventTime: '2026-01-01T00:00:00Z',
        eventName,
        awsRegion: 'eu-west-1',
        eventSource: 'iam.amazonaws.com',
        sourceIPAddress: '198.51.100.7',
        userIdentity: { type: 'IAMUser', arn: 'arn:aws:iam::1:user/anna', userName: 'anna' },
        ...more,
      }),
      ...beside,
    });

  it('that is a sign-in is an Authentication, which fails by its response', () => {
    const source = { eventSource: 'signin.amazonaws.com' };
    const mfa = { additionalEventData: { MFAUsed: 'Yes' } };
    const signIn = (outcome: string) =>
      event('ConsoleLogin', { ...source, ...mfa, responseElements: { ConsoleLogin: outcome } });
    expect(signIn('Failure')).toMatchObject({
      class_name: 'Authentication',
      class_uid: 3002,
      activity_name: 'Logon',
      status: 'Failure',
      status_id: 2,
      is_mfa: true,
      user: { name: 'anna' },
    });
    expect(signIn('Success')).toMatchObject({ status: 'Success', status_id: 1 });
  });

  it('that changes a user is an Account Change of that user', () => {
    const resources = [{ ResourceName: 'bert', ResourceType: 'AWS::IAM::User' }];
    const made = event(
      'CreateUser',
      { requestParameters: { userName: 'bert' } },
      { Resources: resources },
    );
    expect(made).toMatchObject({
      class_name: 'Account Change',
      type_uid: 300101,
      activity_name: 'Create',
      user: { name: 'bert' },
      actor: { user: { name: 'anna' } },
      unmapped: { resources: [{ uid: 'bert' }] },
    });
    expect(event('DeactivateMFADevice', { requestParameters: { userName: 'bert' } })).toMatchObject(
      {
        type_uid: 300111,
        activity_name: 'MFA Factor Disable',
      },
    );
  });

  it('of the same name at another service is API Activity', () => {
    expect(event('CreateUser', { eventSource: 'cognito-idp.amazonaws.com' })).toMatchObject({
      class_name: 'API Activity',
      activity_name: 'Create',
    });
  });
});

describe('a finding of GuardDuty', () => {
  const finding = (resource: object, service: object = {}) =>
    map('threat', {
      id: 'f-1',
      accountId: '111122223333',
      region: 'eu-west-1',
      severity: 8,
      type: 'Kind:Of/Finding',
      title: 'Title',
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-02T00:00:00Z',
      resource,
      service: { count: 1, ...service },
    });

  it.each([
    ['Lambda', { lambdaDetails: { functionArn: 'arn:f', functionName: 'f' } }, 'arn:f', 'f'],
    ['ECSCluster', { ecsClusterDetails: { arn: 'arn:c', name: 'c' } }, 'arn:c', 'c'],
    [
      'RDSDBInstance',
      { rdsDbInstanceDetails: { dbInstanceArn: 'arn:d', dbInstanceIdentifier: 'd' } },
      'arn:d',
      'd',
    ],
    ['S3Bucket', { s3BucketDetails: [{ arn: 'arn:b', name: 'b' }] }, 'arn:b', 'b'],
    ['Instance', { instanceDetails: { instanceId: 'i-1' } }, 'i-1', 'i-1'],
    ['AccessKey', { accessKeyDetails: { principalId: 'AIDA', userName: 'anna' } }, 'AIDA', 'anna'],
    ['Other', {}, 'Other', 'Other'],
  ])('about %s has it as its resource', (resourceType, details, uid, name) => {
    const record = finding({ resourceType, ...details });
    expect(record['resources']).toEqual([{ uid, name, type: resourceType, region: 'eu-west-1' }]);
  });

  it.each([
    { kubernetesApiCallAction: { remoteIpDetails: { ipAddressV4: '198.51.100.7' } } },
    { rdsLoginAttemptAction: { remoteIpDetails: { ipAddressV4: '198.51.100.7' } } },
    {
      portProbeAction: { portProbeDetails: [{ remoteIpDetails: { ipAddressV4: '198.51.100.7' } }] },
    },
    {
      actionType: 'NETWORK',
      networkConnectionAction: { remoteIpDetails: { ipAddressV4: '198.51.100.7' } },
    },
  ])('has the other side of any action: %j', (action) => {
    const record = finding({ resourceType: 'Instance' }, { action });
    expect(record['evidences']).toEqual([{ src_endpoint: { ip: '198.51.100.7' } }]);
  });

  it('that is archived is not resolved', () => {
    const record = finding({ resourceType: 'Instance' }, { archived: true });
    expect([record['status_id'], record['status']]).toEqual([99, 'Archived']);
  });
});

it('a configuration item without an ARN has its own id', () => {
  const record = map('cloud-resource', {
    resourceId: 'r-1',
    resourceType: 'AWS::Route53::Zone',
    awsRegion: 'eu-west-1',
    accountId: '1',
    configurationItemCaptureTime: '2026-01-01T00:00:00Z',
  });
  expect(record).toMatchObject({
    resources: [{ uid: 'r-1', name: 'r-1' }],
    observables: [{ value: 'r-1' }],
    metadata: { uid: 'r-1' },
  });
});

describe('the domain of AWS in a region', () => {
  beforeAll(loadValidators);

  it.each([
    ['eu-west-1', 'amazonaws.com'],
    ['us-gov-east-1', 'amazonaws.com'],
    ['cn-north-1', 'amazonaws.com.cn'],
    ['eusc-de-east-1', 'amazonaws.eu'],
  ])('%s is %s', async (region, domain) => {
    const hosts: string[] = [];
    const credential = { type: 'aws', access_key_id: 'a', secret_access_key: 'b' };
    const over = new OverSystem(
      folder,
      'cloudsecurity_aws',
      { region, credential },
      {
        functions: client,
        strict: false,
        pauses: new NoPauses(() => undefined),
        detour:
          () =>
          ({ origin }) => {
            hosts.push(new URL(String(origin)).host);
            throw new Error('the spec looks at the address alone');
          },
      },
    );
    for (const operation of ['ioms', 'threats', 'cloud_resource_inventory', 'events'] as const)
      await over.call(`cloudsecurity_query_${operation}`, {}).catch(() => undefined);
    await over.close();
    expect([...new Set(hosts)]).toEqual(
      ['securityhub', 'guardduty', 'config', 'cloudtrail'].map(
        (service) => `${service}.${region}.${domain}`,
      ),
    );
  });
});

it('a finding about a bucket without an ARN, or an old flow log, has a name and a time of its own', () => {
  const finding = map('threat', {
    id: 'f-1',
    type: 'Discovery:S3/Unusual',
    title: 'Unusual',
    severity: 5,
    region: 'eu-west-1',
    accountId: '1',
    updatedAt: '2026-01-01T00:00:00Z',
    createdAt: '2026-01-01T00:00:00Z',
    resource: { resourceType: 'S3Bucket', s3BucketDetails: [{ name: 'logs' }] },
  });
  expect(finding['resources']).toMatchObject([{ uid: 'logs', name: 'logs', type: 'S3Bucket' }]);
  const flowLog = { flowLogId: 'fl-1', creationTime: '2026-01-01T00:00:00Z' };
  expect(map('flow-log', flowLog)['time']).toBe(Date.UTC(2026, 0, 1));
});
