import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService } from './service.js';

const roleArn = 'arn:aws:iam::123456789012:role/onefold';

/** A service with an account. */
async function start(awsRoles: boolean) {
  const service = await startService(5, undefined, 0, { awsRoles });
  const { result } = await service.call('POST', '/v1/accounts', { name: 'acme' });
  const account = (result as unknown as { account: { id: string } }).account.id;
  const store = (external_id: string) =>
    service.call<{ id: string }>('POST', `/v1/credentials/${account}`, {
      name: 'role',
      fullname: 'Role',
      config: { type: 'aws_role', role_arn: roleArn, external_id },
    });
  /** An integration with the role, or a reference to one that is stored. */
  const verify = (credential: object) =>
    service.call('POST', `/v1/integrations/${account}/verify`, {
      integration: {
        provider_config: {
          type: 'storage_aws_s3',
          bucket: 'evidence',
          region: 'eu-west-1',
          credential,
        },
      },
    });
  return { service, account, store, verify };
}

describe('roles of AWS that are not switched on', () => {
  let own: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    own = await start(false);
  });
  afterAll(() => own.service.stop());

  it('are refused where a credential is stored, or is part of an integration', async () => {
    const sentence = 'is not allowed: this installation cannot assume AWS roles';
    const { status, message } = await own.store(own.account);
    expect([status, message]).toEqual([400, `body /config/type: ${sentence}`]);
    const inline = { type: 'aws_role', role_arn: roleArn, external_id: own.account };
    const tried = await own.verify(inline);
    expect([tried.status, tried.message]).toEqual([
      400,
      `body /integration/provider_config/credential/type: ${sentence}`,
    ]);
  });
});

describe('roles of AWS', () => {
  let own: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    own = await start(true);
  });
  afterAll(() => own.service.stop());

  it('are stored with an external id of the account, and with no other', async () => {
    const { status, message } = await own.store('acc_of_another');
    expect([status, message]).toEqual([
      400,
      'body /config/external_id: must begin with the id of its account',
    ]);
    expect((await own.store(`${own.account}:audit`)).status).toBe(200);
  });

  it('that are stored are a 501 while the connector does not assume any', async () => {
    // The connector of this service has the setting off, as after an operator has changed it.
    const inline = { type: 'aws_role', role_arn: roleArn, external_id: own.account };
    const { status, message } = await own.verify(inline);
    expect([status, message]).toEqual([
      501,
      'the credential in provider_config names a role, and no roles of AWS are assumed',
    ]);
  });
});
