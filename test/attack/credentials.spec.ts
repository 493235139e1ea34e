import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, type Service, startService } from '../api/service.js';

interface Integration {
  id: string;
  provider_config: Record<string, unknown> & { credential: { type: string; value: string } };
}

let service: Service;
let evil: Server;
let evilUrl: string;
let stolen: string[] = [];
let account: string;
/** Token that may edit integrations of the account, but not update credentials. */
let browser: string;

beforeAll(async () => {
  service = await startService();
  evil = createServer((request, response) => {
    stolen.push(JSON.stringify(request.headers));
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"access_token":"x","token_type":"bearer"}');
  });
  await new Promise<void>((done) => evil.listen(0, '127.0.0.1', done));
  evilUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  stolen = [];
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  account = result.account.id;
  browser = await tokenOf('connect-ui');
});
afterAll(async () => {
  evil.closeAllConnections();
  await new Promise((done) => evil.close(done));
  await service.stop();
});

async function tokenOf(permission_set: string): Promise<string> {
  const resources = { accounts: { ids: [account] } };
  const { result } = await service.call<{ primary: { access: { secret: string } } }>(
    'POST',
    '/v1/tokens',
    { permission_set, resources },
  );
  return result.primary.access.secret;
}

const secret = { type: 'basic', username: 'robot', secret: 'hidden-secret' };
const jira = (url: string, credential: object) => ({ type: 'ticketing_jira', url, credential });
const home = 'https://desk.example.com';
const at = () => `/v1/integrations/${account}`;

async function create(provider_config: object, token?: string): Promise<Integration> {
  const { status, message, result } = await service.call<{ integration: Integration }>(
    'POST',
    at(),
    { provider_config },
    token,
  );
  expect([status, message]).toEqual([200, '']);
  return result.integration;
}

async function storedCredential(config: object = secret): Promise<string> {
  const { status, result } = await service.call<{ id: string }>(
    'POST',
    `/v1/credentials/${account}`,
    { config },
  );
  expect(status).toBe(200);
  return result.id;
}

function expectRefused({ status, message }: Answer<unknown>, origin = evilUrl): void {
  expect([status, message]).toEqual([403, expect.stringContaining(`sent to ${origin}`)]);
  expect(stolen).toEqual([]);
}

describe('a stored secret and a caller who may not update credentials', () => {
  it('does not follow a changed url: PUT, PATCH, verify', async () => {
    const made = await create(jira(home, secret));
    const stored = made.provider_config.credential;
    const path = `${at()}/${made.id}`;
    const changed = { ...made, provider_config: jira(evilUrl, stored) };
    const patches = [
      [{ op: 'replace', path: '/provider_config/url', value: evilUrl }],
      [{ op: 'replace', path: '/provider_config', value: jira(evilUrl, stored) }],
    ];
    expectRefused(await service.call('PUT', path, changed, browser));
    for (const patch of patches) expectRefused(await service.call('PATCH', path, patch, browser));
    expectRefused(await service.call('POST', `${path}/verify`, changed, browser));
    // Another scheme or port is another origin.
    for (const url of ['http://desk.example.com', 'https://desk.example.com:8443'])
      expectRefused(
        await service.call(
          'PATCH',
          path,
          [{ op: 'replace', path: '/provider_config/url', value: url }],
          browser,
        ),
        url,
      );
  });

  it('is not attached by its id or name to an integration elsewhere: create, verify, PUT', async () => {
    const value = await storedCredential();
    const own = (await create(jira(evilUrl, secret), browser)).id;
    const { result } = await service.call<{ name: string }>(
      'GET',
      `/v1/credentials/${account}/${value}`,
    );
    for (const reference of [value, result.name]) {
      const provider_config = jira(evilUrl, { type: 'basic_id', value: reference });
      expectRefused(await service.call('POST', at(), { provider_config }, browser));
      const integration = { provider_config };
      expectRefused(await service.call('POST', `${at()}/verify`, { integration }, browser));
      const patch = [{ op: 'replace', path: '/provider_config', value: provider_config }];
      expectRefused(await service.call('PATCH', `${at()}/${own}`, patch, browser));
    }
  });

  it('stays usable where it is sent already, and at other paths of that origin', async () => {
    const value = await storedCredential();
    await create(jira(home, { type: 'basic_id', value }));
    const second = await create(jira(`${home}/jira`, { type: 'basic_id', value }), browser);
    const patch = [{ op: 'add', path: '/provider_config/default_project', value: 'ITS' }];
    const changed = await service.call('PATCH', `${at()}/${second.id}`, patch, browser);
    expect([changed.status, changed.message]).toEqual([200, '']);
  });

  it('goes to what a built-in document names', async () => {
    const value = await storedCredential({ type: 'token', secret: 'key-of-github' });
    const provider_config = {
      type: 'ticketing_github',
      repository: 'acme/desk',
      credential: { type: 'token_id', value },
    };
    const { status } = await service.call('POST', at(), { provider_config }, browser);
    expect(status).toBe(200);
    const elsewhere = { ...provider_config, url: evilUrl };
    expectRefused(await service.call('POST', at(), { provider_config: elsewhere }, browser));
  });

  it('may be given anew, and moved by callers who may update credentials', async () => {
    const made = await create(jira(home, secret));
    const path = `${at()}/${made.id}`;
    const anew = [{ op: 'replace', path: '/provider_config', value: jira(evilUrl, secret) }];
    expect((await service.call('PATCH', path, anew, browser)).status).toBe(200);
    const back = [{ op: 'replace', path: '/provider_config/url', value: home }];
    expectRefused(await service.call('PATCH', path, back, browser), home);
    const manager = await tokenOf('account-manager');
    expect((await service.call('PATCH', path, back, manager)).status).toBe(200);
  });

  it('does not go through the agents of a bridge that it did not go through before', async () => {
    const value = await storedCredential();
    const made = await create(jira(home, { type: 'basic_id', value }));
    const bridge = await service.call<{ bridge: { id: string } }>(
      'POST',
      `/v1/bridges/${account}`,
      {},
    );
    const selector = { type: 'id', value: bridge.result.bridge.id };
    const path = `${at()}/${made.id}`;
    const patch = [{ op: 'add', path: '/bridge_selector', value: selector }];
    const byBridge = `${home} through the bridge with the id ${selector.value}`;
    expectRefused(await service.call('PATCH', path, patch, browser), byBridge);
    expectRefused(
      await service.call('PUT', path, { ...made, bridge_selector: selector }, browser),
      byBridge,
    );
    const labels = { type: 'labels', value: ['plant'] };
    const provider_config = made.provider_config;
    const created = { provider_config, bridge_selector: labels };
    expectRefused(
      await service.call('POST', at(), created, browser),
      `${home} through the bridge with the labels plant`,
    );
    // An address that a built-in document names is trusted, and an agent is not.
    const key = await storedCredential({ type: 'token', secret: 'key-of-github' });
    const github = {
      type: 'ticketing_github',
      repository: 'acme/desk',
      credential: { type: 'token_id', value: key },
    };
    expectRefused(
      await service.call(
        'POST',
        at(),
        { provider_config: github, bridge_selector: selector },
        browser,
      ),
      'https://api.github.com through the bridge',
    );
    // Where it goes by that road already, others may follow, and leaving the bridge is a new road too.
    const manager = await tokenOf('account-manager');
    expect((await service.call('PATCH', path, patch, manager)).status).toBe(200);
    const second = { provider_config, bridge_selector: selector };
    expect((await service.call('POST', at(), second, browser)).status).toBe(200);
    expectRefused(
      await service.call('PATCH', path, [{ op: 'remove', path: '/bridge_selector' }], browser),
      home,
    );
  });

  it('of another domain does not go elsewhere for a manager of one domain', async () => {
    const value = await storedCredential({ type: 'token', secret: 'hidden-secret' });
    await create({ type: 'chat_slack', url: home, credential: { type: 'token_id', value } });
    const { result } = await service.call<{ primary: { access: { secret: string } } }>(
      'POST',
      '/v1/tokens',
      {
        permission_set: 'account-manager',
        resources: { accounts: { ids: [account] }, integrations: { categories: ['ticketing'] } },
      },
    );
    const manager = result.primary.access.secret;
    const provider_config = {
      type: 'ticketing_linear',
      url: evilUrl,
      credential: { type: 'token_id', value },
    };
    expectRefused(await service.call('POST', at(), { provider_config }, manager));
    const own = await storedCredential({ type: 'token', secret: 'own-secret' });
    const allowed = { ...provider_config, credential: { type: 'token_id', value: own } };
    const made = await service.call('POST', at(), { provider_config: allowed }, manager);
    expect([made.status, made.message]).toEqual([200, '']);
  });

  it('of a client is not sent to another token address', async () => {
    const config = {
      type: 'o_auth_client',
      client_id: 'robot',
      client_secret: 'hidden-secret',
      token_url: 'https://login.example.com/token',
    };
    const path = `/v1/credentials/${account}/${await storedCredential(config)}`;
    const move = { op: 'replace', path: '/config/token_url', value: `${evilUrl}/token` };
    expectRefused(await service.call('PATCH', path, [move], browser));
    const gone = { op: 'remove', path: '/config/token_url' };
    expect((await service.call('PATCH', path, [gone], browser)).status).toBe(403);
    const anew = { op: 'replace', path: '/config/client_secret', value: 'mine' };
    expect((await service.call('PATCH', path, [move, anew], browser)).status).toBe(200);
  });
});

describe('a custom document under stored secrets', () => {
  const document = (base: string, token: string) => `
provider: custom_desk
version: 1.0.0
fullname: Desk
vendor: Tests
configuration: { properties: { path: { type: string } } }
credentials:
  credential:
    o_auth_client: { send: client_credentials, token_url: ${JSON.stringify(JSON.stringify(token))} }
http:
  base_url: ${JSON.stringify(JSON.stringify(base))}
operations:
  custom_query:
    resource: things
    steps: [{ path: /things }]
    rows: this.steps.call.rows
`;

  it('does not send them elsewhere unless its writer may update credentials', async () => {
    const { checkDocumentOrigins } = await import('#management/integrations');
    const { compileProvider, describeProvider } = await import('#provider-document');
    const { wholeOrganization } = await import('#store');
    const made = await service.call<{ custom: { id: string } }>('POST', '/v1/customs', {
      data: document(home, `${home}/token`),
    });
    expect([made.status, made.message]).toEqual([200, '']);
    const credential = { type: 'o_auth_client', client_id: 'a', client_secret: 'hidden-secret' };
    await create({ type: 'custom_desk', credential });
    const { organizationId, memberId, tokenId } = service.administrator;
    const of = (base: string, token: string) =>
      describeProvider(compileProvider(document(base, token)));
    const check = (permissionSet: 'connect-ui' | 'administrator', base: string, token: string) =>
      service.store.write(wholeOrganization(organizationId), (tx) =>
        checkDocumentOrigins(
          tx,
          {
            organizationId,
            memberId,
            tokenId,
            scope: 'organization',
            permissions: [{ permissionSet }],
          },
          'custom_desk',
          { before: of(home, `${home}/token`), after: of(base, token) },
        ),
      );
    const refused = expect.objectContaining({ status: 403 });
    await expect(check('connect-ui', evilUrl, `${home}/token`)).rejects.toEqual(refused);
    await expect(check('connect-ui', home, `${evilUrl}/token`)).rejects.toEqual(refused);
    await expect(check('connect-ui', `${home}/v2`, `${home}/oauth`)).resolves.toBeUndefined();
    await expect(check('administrator', evilUrl, evilUrl)).resolves.toBeUndefined();

    // The first use of a stored credential by the organization's own document is at an unknown origin.
    const value = await storedCredential(credential);
    const provider_config = {
      type: 'custom_desk',
      credential: { type: 'o_auth_client_id', value },
    };
    expectRefused(await service.call('POST', at(), { provider_config }, browser), home);
  });
});

describe('the client secret of a single sign-on configuration', () => {
  it('does not follow another issuer', async () => {
    const config = { type: 'oidc', client_id: 'onefold', issuer_url: 'https://idp.example.com/a' };
    const made = await service.call<{ id: string; updated_at: string }>('POST', '/v1/auth/sso', {
      fullname: 'Sign-on',
      config: { ...config, client_secret: 'hidden-secret-of-the-client' },
    });
    expect([made.status, made.message]).toEqual([200, '']);
    const put = async (issuer_url: string) =>
      await service.call('PUT', `/v1/auth/sso/${made.result.id}`, {
        ...made.result,
        config: { ...config, issuer_url },
      });
    const refused = await put('https://evil.example.com/a');
    expect([refused.status, refused.message]).toEqual([
      400,
      expect.stringContaining('/config/client_secret'),
    ]);
    const kept = await put('https://idp.example.com/b');
    expect([kept.status, kept.message]).toEqual([200, '']);
  });
});

describe('a credential that cannot be sent to a provider', () => {
  it('is refused when it is stored, at its field', async () => {
    const config = { type: 'token', secret: 'key\n' };
    const stored = await service.call('POST', `/v1/credentials/${account}`, { config });
    expect([stored.status, stored.message]).toEqual([
      400,
      expect.stringContaining('body /config/secret'),
    ]);
    const inline = { type: 'ticketing_github', repository: 'acme/desk', credential: config };
    const made = await service.call('POST', at(), { provider_config: inline });
    expect([made.status, made.message]).toEqual([
      400,
      expect.stringContaining('body /provider_config/credential/secret'),
    ]);
    const path = `/v1/credentials/${account}/${await storedCredential({ type: 'token', secret: 'key' })}`;
    const patch = [{ op: 'replace', path: '/config/secret', value: 'key\r\nx-other: 1' }];
    const patched = await service.call('PATCH', path, patch);
    expect([patched.status, patched.message]).toEqual([
      400,
      expect.stringContaining('body /0/value'),
    ]);
    expect(stored.message + made.message + patched.message).not.toContain('x-other');
  });
});

describe('unknown fields of a provider configuration', () => {
  it.each([
    ['a document', () => jira(home, secret)],
    ['the contract', () => ({ type: 'ticketing_mock_ticketing' })],
  ])('are not stored where %s does not know them', async (_what, config) => {
    const made = await create({ ...config(), api_key: 'leaked', nested: { token: 'leaked' } });
    const path = `${at()}/${made.id}`;
    const patch = [{ op: 'add', path: '/provider_config/password', value: 'leaked' }];
    const patched = await service.call('PATCH', path, patch);
    expect([patched.status, patched.message]).toEqual([
      400,
      expect.stringContaining('/provider_config/password is not a field of the provider'),
    ]);
    const { result } = await service.call<Integration>('GET', path);
    const put = { ...result, provider_config: { ...result.provider_config, apikey: 'leaked' } };
    expect((await service.call('PUT', path, put)).status).toBe(200);
    const rows = await service.store.read(
      { organizationId: service.administrator.organizationId, accounts: 'all' },
      (tx) => tx.query('select provider_config from integrations where id = $1', [made.id]),
    );
    const shown = [made, patched, result, await service.call('GET', path), rows];
    expect(JSON.stringify(shown)).not.toContain('leaked');
  });
});
