import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wholeOrganization } from '#store';
import { AuthorizationFake, openProviderPage, returnToService } from '#test/harness';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
}, 60_000);
afterAll(async () => {
  await service.stop();
});

const make = async <Result = { id: string }>(path: string, body: object): Promise<Result> => {
  const { status, message, result } = await service.call<Result>('POST', path, body);
  expect([status, message]).toEqual([200, '']);
  return result;
};

describe.each([
  {
    folder: 'github-code',
    provider: 'identity_github',
    application: 'expiring',
    page: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    vendor: 'GitHub organization',
    refused: 'bad_refresh_token',
    claimed: undefined,
    config: { organization_slug: 'alderpoint' },
    list: 'identity/users',
    asks: { scope: 'read:org read:audit_log' },
  },
  {
    folder: 'microsoft-graph',
    provider: 'identity_entra_id',
    application: 'web',
    page: '/organizations/oauth2/v2.0/authorize',
    token: '/organizations/oauth2/v2.0/token',
    vendor: 'Microsoft Entra ID',
    refused: 'invalid_grant',
    claimed: { tenant_id: '3f1c9a52-7d44-4e0b-9a86-2c5d81e0b7f3' },
    config: {},
    list: 'identity/users',
    asks: { scope: expect.stringMatching(/^openid offline_access User\.Read\.All /) as unknown },
  },
  {
    folder: 'microsoft-graph',
    provider: 'endpointmanagement_intune',
    application: 'web',
    page: '/organizations/oauth2/v2.0/authorize',
    token: '/organizations/oauth2/v2.0/token',
    vendor: 'Microsoft Intune',
    refused: 'invalid_grant',
    claimed: { tenant_id: '3f1c9a52-7d44-4e0b-9a86-2c5d81e0b7f3' },
    config: {},
    list: 'endpoint-management/devices',
    asks: {
      scope: [
        'openid',
        'offline_access',
        'DeviceManagementManagedDevices.Read.All',
        'DeviceManagementManagedDevices.PrivilegedOperations.All',
        'DeviceManagementConfiguration.Read.All',
      ].join(' '),
    },
  },
  {
    folder: 'pagerduty',
    provider: 'ticketing_pagerduty',
    application: 'web',
    page: '/oauth/authorize',
    token: '/oauth/token',
    vendor: 'PagerDuty',
    refused: 'invalid_grant',
    claimed: undefined,
    config: { default_creator: 'priya.raman@alderpoint.example' },
    list: 'ticketing/tickets',
    asks: { scope: expect.stringMatching(/^incidents\.read incidents\.write /) as unknown },
  },
  {
    folder: 'linear',
    provider: 'ticketing_linear',
    application: 'web',
    page: '/oauth/authorize',
    token: '/oauth/token',
    vendor: 'Linear',
    refused: 'invalid_grant',
    claimed: undefined,
    config: {},
    list: 'ticketing/projects',
    asks: { scope: 'read,write' }, // the others separate them by blanks
  },
])('at $vendor', (of) => {
  let fake: AuthorizationFake;
  afterAll(async () => {
    await fake.stop();
  });

  it('somebody grants access with PKCE, which connects, is renewed, and ends when it is taken back', async () => {
    fake = await AuthorizationFake.start(of.folder);
    const { account } = await make<{ account: { id: string } }>('/v1/accounts', {
      name: of.provider.replaceAll('_', '-'),
    });
    const environments = { test: ['*'], prod: ['*'] };
    const point = await make('/v1/integration-points', {
      connector: of.provider.split('_')[0],
      environments,
    });
    const { id: client_id, secret: client_secret } = fake.application(of.application);
    const config = {
      type: 'o_auth_client',
      client_id,
      client_secret,
      token_url: `${fake.url}${of.token}`,
      extra: { authorize_url: `${fake.url}${of.page}` },
    };
    await make(`/v1/credentials/${point.id}`, { name: of.provider, config });
    const begun = await make<{ authorization: { id: string }; authorize_url: string }>(
      `/v1/connect/${account.id}/authorizations`,
      { integration_point_id: point.id, provider: of.provider },
    );
    const page = await openProviderPage(begun.authorize_url);
    const asked = Object.fromEntries(new URL(page).searchParams);
    expect(asked).toMatchObject({ ...of.asks, code_challenge_method: 'S256' });
    const answer = await returnToService(await fake.allow(begun.authorize_url));
    expect(await answer.text()).toContain(`${of.vendor} is connected.`);
    const path = `/v1/connect/${account.id}/authorizations/${begun.authorization.id}`;
    const { result } = await service.call<{
      credential_id: string;
      provider_config?: object;
    }>('GET', path);
    expect(result).not.toHaveProperty('missing_scopes');
    expect(result.provider_config).toEqual(of.claimed);
    const body = {
      integration_point_id: point.id,
      provider_config: {
        type: of.provider,
        url: fake.url,
        ...of.config,
        ...of.claimed,
        credential: { type: 'token_id', value: result.credential_id },
      },
    };
    const verified = await service.call('POST', `/v1/integrations/${account.id}/verify`, {
      integration: body,
    });
    expect([verified.status, verified.message]).toEqual([200, '']);
    const { token } = await make<{ token: { access: { secret: string } } }>(
      `/v1/integrations/${account.id}`,
      body,
    );
    const list = () =>
      service.call('GET', `/v1/${of.list}?limit=2`, undefined, token.access.secret);
    expect((await list()).status).toBe(200);

    const expire = async () => {
      fake.clock.advance(900_000); // longer than any of their tokens is good
      await service.store.write(wholeOrganization(service.administrator.organizationId), (tx) =>
        tx.query(
          `update credential_renewals set due_at = now() - interval '1 hour', expires_at = now() - interval '1 minute'
           where credential_id = $1`,
          [result.credential_id],
        ),
      );
    };
    await expire();
    const before = fake.exchanges;
    expect((await list()).status).toBe(200);
    expect(fake.exchanges).toBe(before + 1);
    await expire();
    fake.engine.revokeGrants();
    expect((await list()).message).toBe(
      `connect again: ${of.vendor} ended the access that was granted (${of.refused})`,
    );
  }, 60_000);
});
