import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenOperations, openOperations } from '#apps/operations';
import { Health, Metrics } from '#observe';
import { wholeOrganization } from '#store';
import { AuthorizationFake, eventually, returnToService } from '#test/harness';
import { type Service, startService } from './service.js';

let service: Service;
let worker: OpenOperations;
let slack: AuthorizationFake;

beforeAll(async () => {
  service = await startService();
  slack = await AuthorizationFake.start('slack');
  worker = await openOperations({
    databaseUrl: service.databaseUrl,
    databasePool: 2,
    sealer: service.sealer,
    bus: service.bus,
    health: new Health(),
    metrics: new Metrics('spec'),
    concurrentTasks: 2,
    concurrentDeliveries: 1,
    jobPageRecords: 10,
    egressAllow: ['127.0.0.1'],
  });
}, 120_000);
afterAll(async () => {
  await worker.drain();
  await worker.close();
  await slack.stop();
  await service.stop();
});

/** An organization with an account and an integration point that has an application at the vendor. */
interface Host {
  organizationId: string;
  token: string | undefined;
  accountId: string;
  point: string;
  provider: string;
  fake: AuthorizationFake;
}

const make = async <Result = { id: string }>(
  path: string,
  body: object,
  token?: string,
): Promise<Result> => {
  const { status, message, result } = await service.call<Result>('POST', path, body, token);
  expect([status, message]).toEqual([200, '']);
  return result;
};
const drop = async (path: string, token?: string): Promise<void> => {
  const { status, message } = await service.call('DELETE', path, undefined, token);
  expect([status, message]).toEqual([204, '']);
};

const mine = () => ({ organizationId: service.administrator.organizationId });
const slackPaths = { page: '/oauth/v2/authorize', token: '/api/oauth.v2.access' };

async function host(
  { organizationId, token }: { organizationId: string; token?: string },
  { fake, provider, application, paths }: Vendor,
): Promise<Host> {
  const body = { fullname: 'a' };
  const { account } = await make<{ account: { id: string } }>('/v1/accounts', body, token);
  const environments = { test: ['*'], prod: ['*'] };
  const connector = provider.split('_')[0];
  const point = await make('/v1/integration-points', { connector, environments }, token);
  const { id: client_id, secret: client_secret } = fake.application(application);
  const config = {
    type: 'o_auth_client',
    client_id,
    client_secret,
    token_url: `${fake.url}${paths.token}`,
    extra: {
      authorize_url: `${fake.url}${paths.page}`,
      ...(paths.revoke === undefined ? {} : { revoke_url: `${fake.url}${paths.revoke}` }),
    },
  };
  await make(`/v1/credentials/${point.id}`, { name: provider, config }, token);
  return {
    organizationId,
    token,
    accountId: account.id,
    point: point.id,
    provider,
    fake,
  };
}
interface Vendor {
  fake: AuthorizationFake;
  provider: string;
  application: string;
  paths: { page: string; token: string; revoke?: string };
}

const slackHost = async (
  application = 'rotating',
  of?: { organizationId: string; token: string },
) =>
  await host(of ?? mine(), {
    fake: slack,
    provider: 'chat_slack',
    application,
    paths: { ...slackPaths, revoke: '/api/auth.revoke' },
  });

/** A credential that a person granted, with its token. */
async function grant(of: Host): Promise<{ credentialId: string; secret: string }> {
  const begun = await make<{ authorization: { id: string }; authorize_url: string }>(
    `/v1/connect/${of.accountId}/authorizations`,
    { integration_point_id: of.point, provider: of.provider },
    of.token,
  );
  expect((await returnToService(await of.fake.allow(begun.authorize_url))).status).toBe(200);
  const path = `/v1/connect/${of.accountId}/authorizations/${begun.authorization.id}`;
  const { result } = await service.call<{ credential_id: string }>(
    'GET',
    path,
    undefined,
    of.token,
  );
  return { credentialId: result.credential_id, secret: await secretOf(of, result.credential_id) };
}

async function secretOf({ organizationId, accountId }: Host, id: string): Promise<string> {
  const { sealed } = await service.store.read(wholeOrganization(organizationId), (tx) =>
    tx.credentials.get(id),
  );
  const config = JSON.parse(service.sealer.open(accountId, sealed).reveal()) as { secret: string };
  return config.secret;
}

const integrate = async (of: Host, credentialId: string) =>
  await make<{ integration: { id: string } }>(
    `/v1/integrations/${of.accountId}`,
    {
      integration_point_id: of.point,
      provider_config: {
        type: of.provider,
        url: `${of.fake.url}/api`,
        credential: { type: 'token_id', value: credentialId },
      },
    },
    of.token,
  );

const bearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } });
/** Whether Slack takes the token. */
const isTaken = async (secret: string): Promise<boolean> => {
  const answer = await fetch(`${slack.url}/api/auth.test`, bearer(secret));
  return ((await answer.json()) as { ok: boolean }).ok;
};

interface Entry {
  code: string;
  audit_type: string;
  path: string;
  response?: string;
}
/** Waits for what the audit trail says of the token of a credential. */
const ended = async (credentialId: string): Promise<Entry> => {
  let found: Entry | undefined;
  await eventually(async () => {
    const path = '/v1/audit/organizations?order=created_at%5Bdesc%5D&limit=100';
    const { result } = await service.call<Entry[]>('GET', path);
    found = result.find(
      (entry) => entry.code.startsWith('grant_') && JSON.stringify(entry).includes(credentialId),
    );
    expect(found).toBeDefined();
  });
  return found as Entry;
};

describe('a granted token is given back to the provider', () => {
  it('when its credential is deleted, with its refresh token', async () => {
    const of = await slackHost();
    const { credentialId, secret } = await grant(of);
    expect(await isTaken(secret)).toBe(true);
    const sent = slack.engine.log.requests.length;
    await drop(`/v1/credentials/${of.accountId}/${credentialId}`);
    expect(await ended(credentialId)).toMatchObject({
      code: 'grant_revoked',
      audit_type: 'API',
      path: `/v1/credentials/${of.accountId}/${credentialId}`,
    });
    expect(await isTaken(secret)).toBe(false);
    const asked = slack.engine.log.requests
      .slice(sent)
      .filter(({ path }) => path === '/api/auth.revoke');
    expect(asked).toHaveLength(2);
  });

  it('when the last integration that uses it is deleted', async () => {
    const of = await slackHost();
    const { credentialId, secret } = await grant(of);
    const one = await integrate(of, credentialId);
    const other = await integrate(of, credentialId);
    await drop(`/v1/integrations/${of.accountId}/${one.integration.id}`);
    const path = `/v1/credentials/${of.accountId}/${credentialId}`;
    expect((await service.call('GET', path)).status).toBe(200);
    await drop(`/v1/integrations/${of.accountId}/${other.integration.id}`);
    expect((await service.call('GET', path)).status).toBe(404);
    expect((await ended(credentialId)).code).toBe('grant_revoked');
    expect(await isTaken(secret)).toBe(false);
  });

  it('when its account is deleted', async () => {
    const of = await slackHost();
    const { credentialId, secret } = await grant(of);
    await drop(`/v1/accounts/${of.accountId}`);
    expect((await ended(credentialId)).code).toBe('grant_revoked');
    expect(await isTaken(secret)).toBe(false);
  });

  it('when its sub organization is deleted, in the trail of the parent', async () => {
    const made = await make<{
      organization: { id: string };
      token: { access: { secret: string } };
    }>('/v1/suborgs', { name: 'below' });
    const { id: organizationId } = made.organization;
    const of = await slackHost('rotating', { organizationId, token: made.token.access.secret });
    const { credentialId, secret } = await grant(of);
    await drop(`/v1/suborgs/${organizationId}`);
    const { code, path } = await ended(credentialId);
    expect([code, path]).toEqual(['grant_revoked', `/v1/suborgs/${organizationId}`]);
    expect(await isTaken(secret)).toBe(false);
  });

  it('when a new grant replaces it, which stays', async () => {
    const of = await slackHost();
    const before = await grant(of);
    const { integration } = await integrate(of, before.credentialId);
    const after = await grant(of);
    const path = `/v1/integrations/${of.accountId}/${integration.id}`;
    const value = { type: 'token_id', value: after.credentialId };
    const patch = [{ op: 'replace', path: '/provider_config/credential', value }];
    expect((await service.call('PATCH', path, patch)).status).toBe(200);
    expect((await ended(before.credentialId)).code).toBe('grant_revoked');
    expect([await isTaken(before.secret), await isTaken(after.secret)]).toEqual([false, true]);
  });

  it('when somebody stores another secret in its place, and not when it is the same', async () => {
    const of = await slackHost('lasting');
    const [one, other] = [await grant(of), await grant(of)];
    const store = async (credentialId: string, secret: string) => {
      const path = `/v1/credentials/${of.accountId}/${credentialId}`;
      const { result } = await service.call('GET', path);
      const body = { ...result, config: { type: 'token', secret } };
      const { status, message } = await service.call('PUT', path, body);
      expect([status, message]).toEqual([200, '']);
    };
    await store(other.credentialId, other.secret);
    await store(one.credentialId, 'xoxb-of-somebody-else');
    expect((await ended(one.credentialId)).code).toBe('grant_revoked');
    expect([await isTaken(one.secret), await isTaken(other.secret)]).toEqual([false, true]);
  });
});

it('waits for a provider that is down, which keeps nobody from deleting', async () => {
  const of = await slackHost();
  const { credentialId, secret } = await grant(of);
  slack.engine.faults.add({ kind: 'status', status: 503, match: 'POST /api/auth.revoke' });
  await drop(`/v1/credentials/${of.accountId}/${credentialId}`);
  expect((await ended(credentialId)).code).toBe('grant_revoked');
  expect(await isTaken(secret)).toBe(false);
  const calls = slack.engine.log.requests.filter(({ path }) => path === '/api/auth.revoke');
  expect(calls.some(({ status }) => status === 503)).toBe(true);
});

it('keeps a token that another credential has too', async () => {
  const of = await slackHost('lasting');
  const [one, other] = [await grant(of), await grant(of)];
  // Slack grants the same bot token to an application again; its fake does not.
  await service.store.write(wholeOrganization(of.organizationId), (tx) =>
    tx.query(
      `update credential_grants set token_hash = (select token_hash from credential_grants where credential_id = $1)
       where credential_id = $2`,
      [one.credentialId, other.credentialId],
    ),
  );
  await drop(`/v1/credentials/${of.accountId}/${one.credentialId}`);
  expect((await ended(one.credentialId)).code).toBe('grant_kept');
  expect(await isTaken(one.secret)).toBe(true);
});

it('does not send a token to an address that the application gets later', async () => {
  const of = await slackHost('lasting');
  const { credentialId, secret } = await grant(of);
  const path = `/v1/credentials/${of.point}/chat_slack`;
  const value = 'http://localhost:1/api/auth.revoke';
  const patch = [{ op: 'replace', path: '/config/extra/revoke_url', value }];
  expect((await service.call('PATCH', path, patch)).status).toBe(200);
  await drop(`/v1/credentials/${of.accountId}/${credentialId}`);
  expect(await ended(credentialId)).toMatchObject({
    code: 'grant_left_at_provider',
    audit_type: 'ALARM',
    response: expect.stringContaining('extra.revoke_url of the application'),
  });
  expect(await isTaken(secret)).toBe(true);
});

describe.each([
  {
    folder: 'github-code',
    provider: 'identity_github',
    application: 'lasting',
    paths: {
      page: '/login/oauth/authorize',
      token: '/login/oauth/access_token',
      revoke: '/applications/{client_id}/token',
    },
    query: undefined,
    call: '/orgs/alderpoint/members',
    code: 'grant_revoked',
    after: 401,
  },
  {
    folder: 'microsoft-graph',
    provider: 'identity_entra_id',
    application: 'web',
    paths: {
      page: '/organizations/oauth2/v2.0/authorize',
      token: '/organizations/oauth2/v2.0/token',
    },
    query: undefined,
    call: '/v1.0/users',
    code: 'grant_left_at_provider',
    after: 200,
  },
  {
    folder: 'linear',
    provider: 'ticketing_linear',
    application: 'web',
    paths: { page: '/oauth/authorize', token: '/oauth/token', revoke: '/oauth/revoke' },
    query: '{ viewer { id } }',
    call: '/graphql',
    code: 'grant_revoked',
    after: 401,
  },
])('of $folder', ({ folder, call, query, code, after, ...vendor }) => {
  let fake: AuthorizationFake;
  beforeAll(async () => {
    fake = await AuthorizationFake.start(folder);
  });
  afterAll(() => fake.stop());

  it(`the trail says ${code}, and the provider answers ${after} then`, async () => {
    const of = await host(mine(), { fake, ...vendor });
    const { credentialId, secret } = await grant(of);
    const { headers } = bearer(secret);
    const request =
      query === undefined
        ? { headers }
        : {
            method: 'POST',
            body: JSON.stringify({ query }),
            headers: { ...headers, 'content-type': 'application/json' },
          };
    const status = async () => (await fetch(`${fake.url}${call}`, request)).status;
    expect(await status()).toBe(200);
    await drop(`/v1/credentials/${of.accountId}/${credentialId}`);
    expect((await ended(credentialId)).code).toBe(code);
    expect(await status()).toBe(after);
  });
});

it('leaves tokens in no record of the audit trail, and keeps none', async () => {
  const of = await slackHost();
  const { credentialId, secret } = await grant(of);
  await drop(`/v1/credentials/${of.accountId}/${credentialId}`);
  await ended(credentialId);
  const path = '/v1/audit/organizations?order=created_at%5Bdesc%5D&limit=100';
  const trail = JSON.stringify((await service.call('GET', path)).result);
  for (const text of [secret, slack.application('rotating').secret])
    expect(trail).not.toContain(text);
  const rows = await service.store.read(wholeOrganization(of.organizationId), (tx) =>
    tx.query(`select 1 from grant_revocations where revocation->>'credentialId' = $1`, [
      credentialId,
    ]),
  );
  expect(rows).toEqual([]);
});
