import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { wholeOrganization } from '#store';
import {
  type Application,
  AuthorizationFake,
  openProviderPage,
  returnToService,
} from '#test/harness';
import { type Service, startService } from './service.js';

interface Begun {
  authorization: { id: string; status: string; credential: string };
  authorize_url: string;
}
interface Found {
  status: string;
  message?: string;
  credential_id?: string;
  missing_scopes?: string[];
}

let service: Service;
let slack: AuthorizationFake;
let application: Application;
let accountId: string;
let point: string;
let applicationId: string;

const make = async <Result = { id: string }>(path: string, body: object): Promise<Result> => {
  const { status, message, result } = await service.call<Result>('POST', path, body);
  expect([status, message]).toEqual([200, '']);
  return result;
};

beforeAll(async () => {
  service = await startService();
  slack = await AuthorizationFake.start('slack');
  application = slack.application('lasting');
  accountId = (await make<{ account: { id: string } }>('/v1/accounts', { name: 'a' })).account.id;
  const environments = { test: ['*'], prod: ['chat_slack'] };
  const made = { name: 'talk', connector: 'chat', environments };
  point = (await make('/v1/integration-points', made)).id;
  const { id: client_id, secret: client_secret } = application;
  const config = {
    type: 'o_auth_client',
    client_id,
    client_secret,
    token_url: `${slack.url}/api/oauth.v2.access`,
    extra: { authorize_url: `${slack.url}/oauth/v2/authorize` },
  };
  applicationId = (await make(`/v1/credentials/${point}`, { name: 'chat_slack', config })).id;
});
afterAll(async () => {
  await slack.stop();
  await service.stop();
});

const session = async (more: object = {}) => {
  const body = { integration_point_id: point, ...more };
  return await make<{ token: string; session: { id: string } }>(
    `/v1/connect/${accountId}/sessions`,
    body,
  );
};
const tryBegin = async (token?: string, more: object = {}) =>
  await service.call<Begun>(
    'POST',
    `/v1/connect/${accountId}/authorizations`,
    { integration_point_id: point, provider: 'chat_slack', ...more },
    token,
  );
const begin = async (token?: string): Promise<Begun> => {
  const { status, message, result } = await tryBegin(token);
  expect([status, message]).toEqual([200, '']);
  return result;
};
const find = async ({ authorization: { id } }: Begun, token?: string) =>
  await service.call<Found>(
    'GET',
    `/v1/connect/${accountId}/authorizations/${id}`,
    undefined,
    token,
  );
/** Opens an address as the browser does. */
const open = async (address: string, acceptLanguage = 'en-US,en;q=0.9') => {
  const answer = await returnToService(address, { 'accept-language': acceptLanguage });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const unknown = 'This authorization has expired, or was answered before. Begin again.';

describe('an authorization', () => {
  it('asks with state and an S256 challenge, for the scopes of the document', async () => {
    const { authorization, authorize_url: address } = await begin();
    expect(address).toMatch(`${service.url}/connect/oauth/begin?state=`);
    const page = await openProviderPage(address);
    expect(authorization).toMatchObject({ status: 'pending', credential: 'credential' });
    const url = new URL(page);
    expect(url.origin + url.pathname).toBe(`${slack.url}/oauth/v2/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: application.id,
      redirect_uri: `${service.url}/connect/oauth/callback`,
      scope: expect.stringContaining('channels:read,groups:read'),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(page).not.toContain(application.secret);
  });

  it('connects an integration in a Connect session, from the button to a call of the provider', async () => {
    const { token } = await session();
    const begun = await begin(token);
    const page = await open(await slack.allow(begun.authorize_url));
    expect(page).toMatchObject({
      status: 200,
      text: expect.stringContaining('Slack is connected.'),
    });
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const { result } = await find(begun, token);
    expect(result).toMatchObject({ status: 'granted', credential_id: expect.any(String) });
    expect(result.missing_scopes).toBeUndefined();
    const credential = { type: 'token_id', value: result.credential_id };
    const provider_config = { type: 'chat_slack', url: `${slack.url}/api`, credential };
    const body = { provider_config, integration_point_id: point };
    const check = { integration: body };
    const path = `/v1/integrations/${accountId}/verify`;
    const verified = await service.call('POST', path, check, token);
    expect([verified.status, verified.message]).toEqual([200, '']);
    const created = await service.call('POST', `/v1/integrations/${accountId}`, body, token);
    expect([created.status, created.message]).toEqual([200, '']);
  });

  it('works once', async () => {
    const begun = await begin();
    const address = await slack.allow(begun.authorize_url);
    expect((await open(address)).status).toBe(200);
    const exchanges = slack.exchanges;
    expect(await open(address)).toMatchObject({
      status: 400,
      text: expect.stringContaining(unknown),
    });
    expect(slack.exchanges).toBe(exchanges);
    expect((await find(begun)).result.status).toBe('granted');
  });

  it('of two answers at once takes one', async () => {
    const address = await slack.allow((await begin()).authorize_url);
    const answers = await Promise.all([open(address), open(address)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('says that somebody declined, and is over then', async () => {
    const begun = await begin();
    const page = await open(await slack.decline(begun.authorize_url));
    const message = 'The access to Slack was declined.';
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining(message) });
    expect((await find(begun)).result).toMatchObject({ status: 'refused', message });
    await expect(slack.allow(begun.authorize_url)).rejects.toThrow('answered 400');
  });

  it('speaks the language of the session to the person, or else that of the browser, and English to the API', async () => {
    const { token } = await session({ locale: 'de' });
    const begun = await begin(token);
    const page = await open(await slack.decline(begun.authorize_url), 'fr-FR,fr;q=0.9');
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain('Der Zugang zu Slack wurde abgelehnt.');
    expect((await find(begun, token)).result.message).toBe('The access to Slack was declined.');
    const without = await begin((await session()).token);
    const granted = await open(await slack.allow(without.authorize_url), 'nl,es-MX;q=0.8');
    expect(granted.text).toContain('<html lang="es">');
    expect(granted.text).toContain('Slack está conectado.');
    const gone = await open(`${service.url}/connect/oauth/callback`, 'ja');
    expect(gone.text).toContain('最初からやり直してください。');
  });

  it.each([
    ['de-CH,de;q=0.9', 'de', 'Das hat nicht funktioniert. Beginnen Sie von vorn.'],
    ['nl,ja;q=0.8', 'ja', '処理できませんでした。最初からやり直してください。'],
    ['nl', 'en', 'This did not work. Begin again.'],
  ])(
    'says in the language of the browser that it failed (%s)',
    async (accepted, language, text) => {
      const address = await slack.allow((await begin()).authorize_url);
      const call = jest.spyOn(service.store, 'organizationOf').mockRejectedValue(new Error('down'));
      const page = await open(address, accepted);
      call.mockRestore();
      expect(page.status).toBe(400);
      expect(page.text).toContain(`<html lang="${language}">`);
      expect(page.text).toContain(`${text} (${page.headers.get('x-request-id') ?? ''})`);
    },
  );

  it('says that a code came too late', async () => {
    const begun = await begin();
    const address = new URL(await slack.allow(begun.authorize_url));
    address.searchParams.set('code', 'another');
    expect((await open(address.href)).status).toBe(400);
    expect((await find(begun)).result.message).toBe(
      'The answer of Slack came too late, or was used before. Begin again.',
    );
  });

  it.each(['', '?state=x', `?state=org.${'a'.repeat(43)}&code=1`, '?code=%00', '?state=%00'])(
    'is not found for the answer %j, whatever is wrong with it',
    async (search) => {
      const page = await open(`${service.url}/connect/oauth/callback${search}`);
      expect(page.status).toBe(400);
      expect(page.text).toContain('Begin again.');
    },
  );

  it('expires when nobody decides in ten minutes', async () => {
    const begun = await begin();
    const address = await slack.allow(begun.authorize_url);
    await service.store.write(wholeOrganization(service.administrator.organizationId), (tx) =>
      tx.query(
        `update connect_authorizations set expires_at = now() - interval '1 second' where id = $1`,
        [begun.authorization.id],
      ),
    );
    expect((await find(begun)).result.status).toBe('expired');
    expect((await open(address)).status).toBe(400);
  });

  it('ends with the session that began it', async () => {
    const made = await session();
    const begun = await begin(made.token);
    const path = `/v1/connect/${accountId}/sessions/${made.session.id}`;
    expect((await service.call('DELETE', path)).status).toBe(204);
    const exchanges = slack.exchanges;
    expect(await open(await slack.allow(begun.authorize_url))).toMatchObject({
      status: 400,
      text: expect.stringContaining(unknown),
    });
    expect(slack.exchanges).toBe(exchanges);
  });

  it('is found by the token that began it alone', async () => {
    const begun = await begin((await session()).token);
    for (const token of [(await session()).token, undefined])
      expect((await find(begun, token)).status).toBe(404);
  });

  it('names the scopes that were not granted', async () => {
    const begun = await begin();
    await open(await slack.allow(begun.authorize_url, 'users:read,chat:write'));
    const { result } = await find(begun);
    expect(result.missing_scopes).toContain('channels:read');
    expect(result.missing_scopes).not.toContain('chat:write');
  });

  it('leaves no secret in the audit trail, and says who began and what was granted', async () => {
    const begun = await begin();
    const address = await slack.allow(begun.authorize_url);
    await open(address);
    const { credential_id } = (await find(begun)).result;
    const path = '/v1/audit/organizations?order=created_at%5Bdesc%5D&limit=50';
    const { result } = await service.call<object[]>('GET', path);
    const trail = JSON.stringify(result);
    expect(trail).toContain(credential_id);
    expect(trail).toContain(`/v1/connect/${accountId}/authorizations"`);
    expect(trail).toContain('"path":"/connect/oauth/callback"');
    const state = new URL(address).searchParams.get('state') ?? '';
    for (const secret of [application.secret, state, state.split('.')[1]])
      expect(trail).not.toContain(secret);
  });
});

it('is announced by the capabilities of the provider, to a session too', async () => {
  const { token } = await session();
  const path = '/v1/capabilities/providers/chat_slack?expand=provider_config';
  const { status, result } = await service.call('GET', path, undefined, token);
  expect(status).toBe(200);
  expect(result).toMatchObject({
    authorization: { credential: 'credential', scopes: expect.arrayContaining(['users:read']) },
  });
});

describe('connect_begin_authorization refuses', () => {
  it('a provider without such a page', async () => {
    const { status, message } = await tryBegin(undefined, { provider: 'ticketing_jira' });
    expect([status, message.split(':')[0]]).toEqual([400, 'body /provider']);
  });

  it('a provider that the session does not offer', async () => {
    const { token } = await session({ providers: ['chat_slack'] });
    const { status } = await tryBegin(token, { provider: 'notifications_slack' });
    expect(status).toBe(400);
  });

  it('an integration point without an application, and names the remedy', async () => {
    const environments = { test: ['*'], prod: ['*'] };
    const other = await make('/v1/integration-points', { connector: 'chat', environments });
    const answer = await tryBegin(undefined, { integration_point_id: other.id });
    expect(answer.status).toBe(409);
    expect(answer.remediation).toContain(`POST /v1/credentials/${other.id}`);
    const { token } = await session();
    expect((await tryBegin(token, { integration_point_id: other.id })).status).toBe(400);
  });

  it('nobody the secret of the application', async () => {
    const { token } = await session();
    const path = `/v1/credentials/${point}/${applicationId}`;
    expect((await service.call('GET', path, undefined, token)).status).toBe(403);
  });
});
