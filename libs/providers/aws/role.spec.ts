import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { loadValidators } from '#contract';
import type { FakeRequest, FakeResponse } from '#fakes';
import { OwnAwsKeys } from '#provider-http';
import { FakeSts, openStoredTokens, type OverFake, type StoredTokens } from '#test/harness';
import { connectAws } from './aws.fixture.js';

const role = {
  type: 'aws_role',
  role_arn: 'arn:aws:iam::123456789012:role/onefold',
  external_id: 'acc_1:audit',
};
const findings = 'cloudsecurity_query_ioms';
let stored: StoredTokens;
let sts: FakeSts;
/** The external id that the role trusts. */
let trusted: string;
let aws: OverFake;

beforeAll(async () => {
  await loadValidators();
  stored = await openStoredTokens();
});
afterAll(() => stored.close());

/** Services of AWS take the keys of a role together with its session token only, and say so as they do. */
function before(request: FakeRequest): FakeResponse | undefined {
  if (new URL(request.url).hostname.startsWith('sts.')) return sts.handle(request);
  const state = sts.stateOf(request);
  if (state === 'valid') return undefined;
  const [code, message] =
    state === 'expired'
      ? ['ExpiredTokenException', 'The security token included in the request is expired']
      : ['UnrecognizedClientException', 'The security token included in the request is invalid.'];
  const headers = { 'content-type': 'application/json', 'x-amzn-errortype': code };
  return { status: 403, headers, body: Buffer.from(JSON.stringify({ message })) };
}

const connect = (credential: object = role) => {
  sts = new FakeSts(() => Date.now());
  return connectAws('cloudsecurity_aws', {
    credential: ({ aws: keys }) => {
      // The role has the rights of the principal.
      sts.roles.set(role.role_arn, { externalId: trusted, keys: keys! });
      return credential;
    },
    before,
    ownAwsKeys: new OwnAwsKeys(
      {
        AWS_ACCESS_KEY_ID: sts.asker.accessKeyId,
        AWS_SECRET_ACCESS_KEY: sts.asker.secretAccessKey,
      },
      systemClock,
    ),
    tokens: (outgoing, clock) => stored.make(outgoing, clock),
  });
};
beforeEach(() => {
  trusted = role.external_id;
  aws = connect({ ...role, role_session_name: `s${Math.trunc(performance.now())}` });
});

describe('a role of AWS', () => {
  it('is assumed by the first call, whose requests its keys sign, and not by the second', async () => {
    const { status, body } = await aws.call(findings);
    expect([status, body['message']]).toEqual([200, undefined]);
    expect(body['result']).not.toEqual([]);
    const headers = aws.fake.log.requests[0]?.headers;
    expect(headers?.['x-amz-security-token']).toEqual(expect.any(String));
    expect(headers?.['authorization']).toContain('/eu-west-1/securityhub/aws4_request');
    expect((await aws.call(findings)).status).toBe(200);
    expect(sts.requests).toHaveLength(1);
    expect((await aws.verify()).status).toBe(200);
  });

  it('is assumed again when AWS says that its keys have expired', async () => {
    expect((await aws.call(findings)).status).toBe(200);
    sts.revokeSessions();
    expect((await aws.call(findings)).status).toBe(200);
    expect(sts.requests).toHaveLength(2);
  });

  it("that may not be assumed is a 502 that names it, AWS's words and the external id", async () => {
    trusted = 'acc_1:other';
    aws = connect();
    const { status, body } = await aws.call(findings);
    expect(status).toBe(502);
    expect(body['message']).toContain(`does not let the role ${role.role_arn}`);
    expect(body['message']).toContain('AccessDenied User: arn:aws:iam::111122223333:user/onefold');
    expect(JSON.stringify(body)).toContain('sts:ExternalId is acc_1:audit');
    expect(JSON.stringify(body)).not.toContain(sts.asker.secretAccessKey);
    expect((await aws.verify()).body['message']).toContain('does not let the role');
  });

  it('shows neither its keys nor its session token, even if AWS repeats them', async () => {
    await aws.call(findings);
    const token = aws.fake.log.requests[0]?.headers['x-amz-security-token'] ?? 'none';
    const { body } = await aws.call(findings, { meta: ['remote/fields'] });
    expect(JSON.stringify(body)).not.toContain(token);
  });
});
