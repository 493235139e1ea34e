import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '#contract';
import { EgressPolicy } from '#egress';
import { FakeDispatcher } from '#fakes';
import { FakeSts, openStoredTokens, type StoredTokens } from '#test/harness';
import { type RoleRequest, readRoleKeys } from './assume-role.js';
import type { AccessTokens } from './access-tokens.js';
import { OwnAwsKeys } from './own-aws-keys.js';

const signal = new AbortController().signal;
const minute = 60_000;
const roleArn = 'arn:aws:iam::123456789012:role/team/onefold';
let now = Date.now();
const clock = { now: () => now };
let stored: StoredTokens;
let sts: FakeSts;
let count = 0;

beforeAll(async () => {
  stored = await openStoredTokens();
});
afterAll(() => stored.close());
beforeEach(() => {
  sts = new FakeSts(clock.now);
  sts.roles.set(roleArn, { externalId: 'acc_1:a1' });
  count += 1;
});

const request = (changes: Partial<RoleRequest> = {}): RoleRequest => ({
  organizationId: 'org_1',
  accountId: 'acc_1',
  credentialId: `crd_${count}`,
  isStored: true,
  roleArn,
  externalId: 'acc_1:a1',
  sessionName: undefined,
  duration: undefined,
  region: 'eu-west-1',
  ...changes,
});

const environment = () => ({
  AWS_ACCESS_KEY_ID: sts.asker.accessKeyId,
  AWS_SECRET_ACCESS_KEY: sts.asker.secretAccessKey,
});

/** One replica of a connector. */
function replica(variables: Record<string, string> | undefined = environment()): AccessTokens {
  const outgoing = {
    dispatcher: new FakeDispatcher({ handle: (asked) => Promise.resolve(sts.handle(asked)) }),
    policy: new EgressPolicy(),
  };
  return stored.make({ ...outgoing, ownAwsKeys: new OwnAwsKeys(variables, clock) }, clock);
}

/** Runs work at another time. */
async function at<T>(time: number, work: () => Promise<T>): Promise<T> {
  now = time;
  try {
    return await work();
  } finally {
    now = Date.now();
  }
}

async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const failure = await work.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  return failure as ApiError;
}

describe('a role of a customer', () => {
  it('is assumed once for all replicas, at the endpoint of the region, and its keys are kept sealed', async () => {
    const wanted = request();
    const replicas = [replica(), replica()];
    const tokens = await Promise.all(
      replicas.flatMap((one) => [one, one].map((each) => each.get(wanted, undefined, signal))),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(sts.requests).toEqual([
      {
        host: 'sts.eu-west-1.amazonaws.com',
        Action: 'AssumeRole',
        Version: '2011-06-15',
        RoleArn: roleArn,
        ExternalId: 'acc_1:a1',
        RoleSessionName: 'onefold',
      },
    ]);
    const { secretAccessKey, sessionToken } = readRoleKeys(tokens[0] ?? '');
    expect([secretAccessKey, sessionToken]).toEqual([expect.any(String), expect.any(String)]);
    const rows = await stored.rows();
    for (const secret of [secretAccessKey, sessionToken ?? '', roleArn])
      expect(rows).not.toContain(secret);
  });

  it('is assumed again shortly before its keys expire, and when the provider refused them', async () => {
    const wanted = request();
    const one = replica();
    const first = await one.get(wanted, undefined, signal);
    const later = now + 58 * minute;
    expect(await at(later, () => one.get(wanted, undefined, signal))).toBe(first);
    expect(sts.requests).toHaveLength(1);
    const refused = await one.get(wanted, first, signal);
    expect(refused).not.toBe(first);
    expect(sts.requests).toHaveLength(2);
    const next = await at(now + 59 * minute + 1000, () => one.get(wanted, undefined, signal));
    expect([first, refused]).not.toContain(next);
    expect(sts.requests).toHaveLength(3);
  });

  it('is assumed for as long, and by the name, that the credential says', async () => {
    sts.roles.set(roleArn, { externalId: 'acc_1:a1', maxDuration: 7200 });
    const one = replica();
    await one.get(request({ duration: 7200, sessionName: 'audit' }), undefined, signal);
    expect(sts.requests[0]).toMatchObject({ DurationSeconds: '7200', RoleSessionName: 'audit' });
    const failure = await failureOf(one.get(request({ duration: 43_200 }), undefined, signal));
    expect(failure.message).toContain('exceeds the MaxSessionDuration set for this role');
  });

  it('is never shared by two tenants, even if they name the same role, external id and place', async () => {
    const one = replica();
    const place = { credentialId: 'credentials.credential.aws_role', isStored: false };
    const first = await one.get(request(place), undefined, signal);
    // Another account cannot use the external id of this one.
    const other = request({ ...place, accountId: 'acc_2' });
    expect((await failureOf(one.get(other, undefined, signal))).message).toContain(
      'external_id of the credential in provider_config is not one of its account',
    );
    // With one of its own it has to be trusted itself, although the keys for the first account are there.
    const own = { ...other, externalId: 'acc_2:a1' };
    expect((await failureOf(one.get(own, undefined, signal))).message).toContain('AccessDenied');
    expect(await one.get(request(place), undefined, signal)).toBe(first);
    expect(sts.requests).toHaveLength(2);
  });

  it('that does not trust the external id is a 502 with the words of AWS and what to correct', async () => {
    sts.roles.set(roleArn, { externalId: 'acc_1:other' });
    const failure = await failureOf(replica().get(request(), undefined, signal));
    expect(failure.status).toBe(502);
    expect(failure.message).toBe(
      `https://sts.eu-west-1.amazonaws.com does not let the role ${roleArn} of the credential crd_${count} be assumed: AccessDenied User: arn:aws:iam::111122223333:user/onefold is not authorized to perform: sts:AssumeRole on resource: ${roleArn}`,
    );
    expect(failure.options.remediation).toContain('when sts:ExternalId is acc_1:a1');
    expect(failure.options.context).toMatchObject({
      provider_details: { role_arn: roleArn, external_id: 'acc_1:a1' },
      resources: [{ type: 'credential', id: `crd_${count}`, rel: 'cause' }],
    });
  });

  it.each([
    ['have expired', () => (sts.hasExpired = true), 'ExpiredToken'],
    [
      'are not known',
      () => (sts.asker = { ...sts.asker, accessKeyId: 'AKIAOTHER' }),
      'InvalidClientTokenId',
    ],
    [
      'are wrong',
      () => (sts.asker = { ...sts.asker, secretAccessKey: 'other' }),
      'SignatureDoesNotMatch',
    ],
  ])('is not the customer’s fault where the keys of this service %s', async (_why, spoil, code) => {
    const one = replica();
    spoil();
    const failure = await failureOf(one.get(request(), undefined, signal));
    expect([failure.status, failure.message]).toEqual([
      502,
      expect.stringContaining(`refuses the AWS credentials of this service: ${code}`),
    ]);
    expect(failure.options.remediation).toContain('The operator');
  });

  it('is a 501 where the operator has not switched roles on', async () => {
    const outgoing = {
      dispatcher: new FakeDispatcher({ handle: () => Promise.reject(new Error()) }),
    };
    const off = stored.make({ ...outgoing, policy: new EgressPolicy() }, clock);
    const failure = await failureOf(off.get(request(), undefined, signal));
    expect([failure.status, failure.message]).toEqual([
      501,
      `the credential crd_${count} names a role, and no roles of AWS are assumed`,
    ]);
    expect(failure.options.remediation).toContain('AWS_ROLES');
  });

  it.each([
    ['eu-west-1.evil.example/', roleArn, 'is not a region of AWS'],
    ['evil', roleArn, 'is not a region of AWS'],
    ['eu-west-1', 'arn:aws-iso:iam::123456789012:role/a', 'partition "aws-iso" are not supported'],
  ])('is not asked for at %s for %s', async (region, arn, message) => {
    const failure = await failureOf(
      replica().get(request({ region, roleArn: arn }), undefined, signal),
    );
    expect([failure.status, failure.message]).toEqual([502, expect.stringContaining(message)]);
    expect(sts.requests).toEqual([]);
  });

  it('is asked for at the domain of its partition, and through the egress policy', async () => {
    const china = request({ region: 'cn-north-1', roleArn: roleArn.replace('aws', 'aws-cn') });
    await failureOf(replica().get(china, undefined, signal));
    expect(sts.requests[0]?.['host']).toBe('sts.cn-north-1.amazonaws.com.cn');
    const refusing = new EgressPolicy();
    refusing.checkUrl = () => {
      throw Object.assign(new Error('refused to connect'), { code: 'EGRESS_REFUSED' });
    };
    const dispatcher = new FakeDispatcher({
      handle: (asked) => Promise.resolve(sts.handle(asked)),
    });
    const ownAwsKeys = new OwnAwsKeys(environment(), clock);
    const closed = stored.make({ dispatcher, policy: refusing, ownAwsKeys }, clock);
    await expect(closed.get(request(), undefined, signal)).rejects.toThrow('refused to connect');
    expect(sts.requests).toHaveLength(1);
    const europe = request({
      region: 'eusc-de-east-1',
      roleArn: roleArn.replace('aws', 'aws-eusc'),
    });
    await failureOf(replica().get(europe, undefined, signal));
    expect(sts.requests.at(-1)?.['host']).toBe('sts.eusc-de-east-1.amazonaws.eu');
  });
});

describe('the AWS credentials of this service', () => {
  it('have to be there when roles are switched on', () => {
    expect(() => new OwnAwsKeys({ AWS_ACCESS_KEY_ID: 'AKIA' }, clock)).toThrow(
      'AWS_ROLES is on, and this process has no AWS credentials',
    );
  });

  it('may be temporary keys of the environment', async () => {
    sts.asker = { ...sts.asker, sessionToken: 'session' };
    const temporary = { ...environment(), AWS_SESSION_TOKEN: 'session' };
    await replica(temporary).get(request(), undefined, signal);
    expect(sts.requests).toHaveLength(1);
  });

  it('may be a web identity, exchanged once, and read again from its file when its keys are refused', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'identity-'));
    try {
      const file = path.join(folder, 'token');
      await writeFile(file, 'identity-1\n');
      const keys = { accessKeyId: 'ASIAOWN', secretAccessKey: 'temporary-own-secret' };
      sts.webIdentity = { token: 'identity-1', keys };
      const one = replica({
        AWS_ROLE_ARN: 'arn:aws:iam::111122223333:role/connector',
        AWS_WEB_IDENTITY_TOKEN_FILE: file,
      });
      await one.get(request({ credentialId: `crd_${count}a` }), undefined, signal);
      await one.get(request({ credentialId: `crd_${count}b` }), undefined, signal);
      expect(sts.requests.map(({ Action }) => Action)).toEqual([
        'AssumeRoleWithWebIdentity',
        'AssumeRole',
        'AssumeRole',
      ]);
      sts.hasExpired = true;
      await failureOf(one.get(request({ credentialId: `crd_${count}c` }), undefined, signal));
      sts.hasExpired = false;
      await writeFile(file, 'identity-2');
      sts.webIdentity = { token: 'identity-2', keys };
      await one.get(request({ credentialId: `crd_${count}d` }), undefined, signal);
      expect(sts.requests.at(-2)).toMatchObject({ WebIdentityToken: 'identity-2' });
      await rm(file);
      sts.hasExpired = true;
      await failureOf(one.get(request({ credentialId: `crd_${count}e` }), undefined, signal));
      const failure = await failureOf(
        one.get(request({ credentialId: `crd_${count}f` }), undefined, signal),
      );
      expect(failure.message).toMatch(/refuses the AWS credentials of this service$/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
