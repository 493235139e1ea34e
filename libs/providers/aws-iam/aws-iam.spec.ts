import { beforeEach, expect, it } from '@jest/globals';
import { OverFake } from '#test/harness';

const userId = 'pieter.jansen@alderpoint.example';
const denied = 'arn:aws:iam::aws:policy/AWSDenyAll';

let iam: OverFake;
function connect(principal = 'admin', region = 'eu-west-1'): OverFake {
  const over = new OverFake(new URL('./', import.meta.url), 'identity_aws_iam', {
    principal,
    config: { region },
    credential: ({ aws }) => ({
      type: 'aws',
      access_key_id: aws?.accessKeyId,
      secret_access_key: aws?.secretAccessKey,
    }),
  });
  over.now = Date.now(); // signatures are of the real time
  return over;
}
/** Returns the forms that were sent. */
const forms = (from = iam) =>
  from.requests().map(({ body }) => Object.fromEntries(new URLSearchParams(String(body))));
beforeEach(() => {
  iam = connect();
});

it('attaches a policy to disable a user, and detaches it as often as it is there', async () => {
  await iam.succeed('identity_disable_user', { path: { userId } });
  await iam.succeed('identity_enable_user', { path: { userId } });
  await iam.succeed('identity_enable_user', { path: { userId } });
  expect(forms()).toEqual([
    expect.objectContaining({ Action: 'AttachUserPolicy', UserName: userId, PolicyArn: denied }),
    expect.objectContaining({ Action: 'ListAttachedUserPolicies' }),
    expect.objectContaining({ Action: 'DetachUserPolicy', UserName: userId, PolicyArn: denied }),
    expect.objectContaining({ Action: 'ListAttachedUserPolicies' }),
  ]);
});

it('denies sessions that began before, and asks for a new password', async () => {
  await iam.succeed('identity_expire_all_user_sessions', { path: { userId } });
  await iam.succeed('identity_force_user_password_reset', { path: { userId } });
  const [ended, reset] = forms();
  expect(ended).toMatchObject({ Action: 'PutUserPolicy', PolicyName: 'AWSRevokeOlderSessions' });
  expect(JSON.parse(ended?.['PolicyDocument'] ?? '')).toMatchObject({
    Statement: [
      {
        Effect: 'Deny',
        Condition: {
          DateLessThan: { 'aws:TokenIssueTime': expect.stringMatching(/Z$/) as unknown },
        },
      },
    ],
  });
  expect(reset).toMatchObject({ Action: 'UpdateLoginProfile', PasswordResetRequired: 'true' });
});

it('says that a machine has no password', async () => {
  const users = await iam.all('identity_query_users');
  const machine = users.find(({ entity }) => !String(entity.uid).includes('@'));
  const problem = await iam.refuse('identity_force_user_password_reset', 409, {
    path: { userId: String(machine?.['entity'].uid) },
  });
  expect(problem['message']).toContain('no password of the console');
});

it('names users without a state where the details are not allowed', async () => {
  const reader = connect('reader');
  const { result, messages } = await reader.succeed('identity_query_users', {});
  expect(JSON.stringify(messages)).toContain('iam:GetAccountAuthorizationDetails');
  expect(JSON.stringify(result)).not.toContain('user_status');
  expect(JSON.stringify((await reader.verify()).body)).toContain('iam:ListGroups');
});

it.each([
  ['eu-west-1', 'us-east-1'],
  ['cn-northwest-1', 'cn-north-1'],
  ['us-gov-east-1', 'us-gov-west-1'],
])('signs for the endpoint of the cloud of %s', async (region, signed) => {
  const there = connect('admin', region);
  await there.verify();
  const [request] = there.requests();
  expect(request?.headers['authorization']).toContain(`/${signed}/iam/aws4_request`);
});
