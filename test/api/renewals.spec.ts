import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wholeOrganization } from '#store';
import { AuthorizationFake, returnToService } from '#test/harness';
import { type Service, startService } from './service.js';

let service: Service;
let slack: AuthorizationFake;
let accountId: string;
let point: string;
let applicationId: string;

const make = async <Result = { id: string }>(path: string, body: object): Promise<Result> => {
  const { status, message, result } = await service.call<Result>('POST', path, body);
  expect([status, message]).toEqual([200, '']);
  return result;
};
const query = async <Row>(sql: string, values: unknown[]): Promise<Row[]> =>
  await service.store.write(wholeOrganization(service.administrator.organizationId), (tx) =>
    tx.query<Row>(sql, values),
  );

beforeAll(async () => {
  // The connector opens what is of its domain, and nothing else: neither refresh tokens nor the secret of the application.
  service = await startService(5, undefined, 0, { connectorDomain: 'chat' });
  slack = await AuthorizationFake.start('slack');
  accountId = (await make<{ account: { id: string } }>('/v1/accounts', { name: 'a' })).account.id;
  const environments = { test: ['*'], prod: ['chat_slack'] };
  const made = { name: 'talk', connector: 'chat', environments };
  point = (await make('/v1/integration-points', made)).id;
  const { id: client_id, secret: client_secret } = slack.application('rotating');
  const config = {
    type: 'o_auth_client',
    client_id,
    client_secret,
    token_url: `${slack.url}/api/oauth.v2.access`,
    extra: { authorize_url: `${slack.url}/oauth/v2/authorize` },
  };
  applicationId = (await make(`/v1/credentials/${point}`, { name: 'chat_slack', config })).id;
}, 60_000);
afterAll(async () => {
  await slack.stop();
  await service.stop();
});

interface Granted {
  credentialId: string;
  integrationId: string;
  list: () => Promise<{ status: number; message: string; remediation: string }>;
}

/** An integration whose token a person granted, with an application that rotates refresh tokens. */
async function connect(): Promise<Granted> {
  const begun = await make<{ authorization: { id: string }; authorize_url: string }>(
    `/v1/connect/${accountId}/authorizations`,
    { integration_point_id: point, provider: 'chat_slack' },
  );
  const answer = await returnToService(await slack.allow(begun.authorize_url));
  expect(answer.status).toBe(200);
  const path = `/v1/connect/${accountId}/authorizations/${begun.authorization.id}`;
  const { result } = await service.call<{ credential_id: string }>('GET', path);
  const credential = { type: 'token_id', value: result.credential_id };
  const provider_config = { type: 'chat_slack', url: `${slack.url}/api`, credential };
  const { integration, token } = await make<{
    integration: { id: string };
    token: { access: { secret: string } };
  }>(`/v1/integrations/${accountId}`, { provider_config, integration_point_id: point });
  return {
    credentialId: result.credential_id,
    integrationId: integration.id,
    list: () => service.call('GET', '/v1/chat/users', undefined, token.access.secret),
  };
}

/** Moves the time of the renewal, since that of the service is the machine's. */
const makeDue = (credentialId: string) =>
  query(
    `update credential_renewals set due_at = now() - interval '1 second', issued_at = issued_at - interval '1 hour'
     where credential_id = $1`,
    [credentialId],
  );
const expire = async (credentialId: string) => {
  await query(
    `update credential_renewals set due_at = now() - interval '1 hour', expires_at = now() - interval '1 minute', issued_at = issued_at - interval '1 day'
     where credential_id = $1`,
    [credentialId],
  );
  slack.clock.advance(43_201);
};

const ticketOf = async (integrationId: string, credentialId: string): Promise<string> => {
  const { organizationId } = service.administrator;
  const found = await service.bus.call('integrations.resolve', { organizationId, integrationId });
  return found.credentials[credentialId]?.renewal?.ticket ?? '';
};

describe('a granted token that expires', () => {
  it('is renewed before a call, and the refresh token is rotated', async () => {
    const { credentialId, list } = await connect();
    const stored = async () =>
      await query<{ sealed: string; generation: number }>(
        'select sealed, generation from credential_renewals where credential_id = $1',
        [credentialId],
      );
    const [before] = await stored();
    for (const generation of [1, 2]) {
      await expire(credentialId);
      expect((await list()).status).toBe(200);
      expect(await stored()).toMatchObject([{ generation }]);
    }
    expect((await stored())[0]?.sealed).not.toBe(before?.sealed);
  });

  it('has no expires: it does not end by itself', async () => {
    const { credentialId } = await connect();
    const { result } = await service.call('GET', `/v1/credentials/${accountId}/${credentialId}`);
    expect(result).not.toHaveProperty('expires');
  });

  it('is renewed once for all calls at a time, in all processes', async () => {
    const { credentialId, integrationId, list } = await connect();
    await expire(credentialId);
    const before = slack.exchanges;
    const { organizationId } = service.administrator;
    const ticket = await ticketOf(integrationId, credentialId);
    const renew = () => service.bus.call('credentials.renew', { organizationId, ticket });
    const all = await Promise.all([...Array(5).keys()].flatMap(() => [renew(), list()]));
    expect(all.filter((one) => 'status' in one && one.status !== 200)).toEqual([]);
    expect(slack.exchanges).toBe(before + 1);
  });

  it('is used to its end while the provider renews nothing', async () => {
    const { credentialId, list } = await connect();
    await makeDue(credentialId);
    slack.engine.faults.add({ kind: 'status', status: 503, match: 'POST /api/oauth' });
    const before = slack.exchanges;
    expect((await list()).status).toBe(200);
    const tried = slack.exchanges;
    expect(tried).toBeGreaterThan(before);
    expect((await list()).status).toBe(200); // and it is not asked again with each call
    expect(slack.exchanges).toBe(tried);
  });

  it('is renewed when the provider refuses it earlier, and the call goes on', async () => {
    const { credentialId, list } = await connect();
    // The provider has another clock: the service believes that the token is good.
    slack.clock.advance(43_201);
    await query(
      `update credential_renewals set issued_at = issued_at - interval '1 day' where credential_id = $1`,
      [credentialId],
    );
    const before = slack.exchanges;
    expect((await list()).status).toBe(200);
    expect(slack.exchanges).toBe(before + 1);
  });

  it('is replaced by a secret that somebody stores, which is not renewed', async () => {
    const { credentialId, list } = await connect();
    const path = `/v1/credentials/${accountId}/${credentialId}`;
    const rename = [{ op: 'replace', path: '/fullname', value: 'Ours' }];
    expect((await service.call('PATCH', path, rename)).status).toBe(200);
    await expire(credentialId);
    expect((await list()).status).toBe(200);
    const replace = [{ op: 'replace', path: '/config/secret', value: 'xoxb-of-somebody-else' }];
    expect((await service.call('PATCH', path, replace)).status).toBe(200);
    const rows = await query('select 1 from credential_renewals where credential_id = $1', [
      credentialId,
    ]);
    expect(rows).toEqual([]);
    const before = slack.exchanges;
    expect((await list()).status).toBe(502);
    expect(slack.exchanges).toBe(before);
  });
});

describe('a grant that has ended', () => {
  it('says to connect again, asks the provider once, and shows in the health of the integration', async () => {
    const { credentialId, integrationId, list } = await connect();
    await expire(credentialId);
    slack.engine.revokeGrants();
    const before = slack.exchanges;
    for (let count = 0; count < 2; count += 1) {
      const { status, message, remediation } = await list();
      expect([status, message]).toEqual([
        502,
        'connect again: Slack ended the access that was granted (invalid_refresh_token)',
      ]);
      expect(remediation).toContain(credentialId);
    }
    expect(slack.exchanges).toBe(before + 1);
    const path = `/v1/status/${accountId}/${integrationId}`;
    for (let found; found !== 'credentials_refused';) {
      const { result } = await service.call<{ status?: string }[] & { status?: string }>(
        'GET',
        path,
      );
      found = result.status ?? result[0]?.status;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }, 60_000);

  it('does not send the refresh token to an address that the application gets later', async () => {
    const { credentialId, list } = await connect();
    await expire(credentialId);
    const path = `/v1/credentials/${point}/${applicationId}`;
    const patch = (value: string) => [{ op: 'replace', path: '/config/token_url', value }];
    const elsewhere = `${slack.url.replace('127.0.0.1', 'localhost')}/api/oauth.v2.access`;
    expect((await service.call('PATCH', path, patch(elsewhere))).status).toBe(200);
    const before = slack.exchanges;
    const { message } = await list();
    expect(message).toContain('connect again');
    expect(slack.exchanges).toBe(before);
    const back = `${slack.url}/api/oauth.v2.access`;
    expect((await service.call('PATCH', path, patch(back))).status).toBe(200);
  });
});

it('is permitted by tickets of resolved integrations alone', async () => {
  const { credentialId, integrationId } = await connect();
  const { organizationId } = service.administrator;
  const other = await service.organization('other');
  const ticket = await ticketOf(integrationId, credentialId);
  for (const input of [
    { organizationId, ticket: credentialId },
    { organizationId: other.organizationId, ticket },
  ])
    await expect(service.bus.call('credentials.renew', input)).rejects.toThrow('cannot be renewed');
});

it('leaves tokens in no record of the audit trail, which names the renewal, and in no table', async () => {
  const { credentialId, list } = await connect();
  await expire(credentialId);
  expect((await list()).status).toBe(200);
  const path = '/v1/audit/organizations?order=created_at%5Bdesc%5D&limit=50';
  const { result } = await service.call<{ path: string }[]>('GET', path);
  const trail = JSON.stringify(result);
  expect(trail).toContain(`"path":"/v1/credentials/${accountId}/${credentialId}"`);
  expect(trail).toContain(applicationId);
  const forms = slack.engine.log.requests.map(({ body }) => new URLSearchParams(body));
  const bearers = slack.engine.log.requests.flatMap(({ headers }) =>
    headers['authorization']?.startsWith('Bearer ') ? headers['authorization'].slice(7) : [],
  );
  const secrets = [
    ...forms.flatMap((form) => form.get('refresh_token') ?? form.get('code') ?? []),
    ...bearers,
    slack.application('rotating').secret,
  ];
  expect(secrets.length).toBeGreaterThan(3);
  const owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  let dump = '';
  for (const { name } of tables)
    dump += JSON.stringify((await owner.query(`select r::text from ${name} r`)).rows);
  await owner.end();
  expect(dump).toContain(credentialId);
  for (const secret of secrets) expect(trail + dump).not.toContain(secret);
});
