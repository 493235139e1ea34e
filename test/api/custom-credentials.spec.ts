import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

const clientSecret = 'client-secret-of-the-customer';

/**
 * Customer's provider that issues access tokens for client credentials, as in production: through the API, with all
 * parts.
 */
describe('a customer’s provider with client credentials', () => {
  let service: Service;
  let server: Server;
  let url: string;
  let integration: { account: string; id: string; secret: string };
  let given = 0;
  let good = new Set<string>();
  const asked: string[] = [];

  const document = `
provider: custom_tokens
version: 1.0.0
fullname: Tokens
vendor: Tests
configuration:
  properties: { url: { type: string } }
  required: [url]
credentials:
  credential:
    o_auth_client: { send: client_credentials, token_url: this.config.url + "/token", scope: '"read"' }
http:
  base_url: this.config.url
verify:
  - { path: /things, needs: read }
operations:
  custom_query:
    resource: things
    steps: [{ path: /things }]
    rows: this.steps.call.rows
`;

  beforeAll(async () => {
    service = await startService();
    server = createServer((request, response) => {
      void text(request).then((body) => {
        asked.push(request.url ?? '');
        const [status, answer] = route(
          request.url ?? '',
          request.headers.authorization ?? '',
          body,
        );
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const stored = await service.call('POST', '/v1/customs', { data: document });
    expect([stored.status, stored.message]).toEqual([200, '']);
    const { result } = await service.call('POST', '/v1/accounts', { name: 'tokens' });
    const { account } = result as unknown as { account: { id: string } };
    const created = await service.call('POST', `/v1/integrations/${account.id}`, {
      provider_config: config(clientSecret),
    });
    const { integration: made, token } = created.result as unknown as {
      integration: { id: string };
      token: { access: { secret: string } };
    };
    integration = { account: account.id, id: made.id, secret: token.access.secret };
  });
  beforeEach(() => {
    asked.length = 0;
  });
  afterAll(async () => {
    await service.stop();
    server.closeAllConnections();
    server.close();
  });

  function route(path: string, authorization: string, body: string): [number, unknown] {
    if (path === '/token') {
      const pair = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
      if (decodeURIComponent(pair) !== `us:${clientSecret}` || !body.includes('scope=read'))
        return [
          401,
          { error: 'invalid_client', error_description: `who is ${pair}, ${authorization}?` },
        ];
      given += 1;
      const token = `access-token-${given}`;
      good = new Set([token]);
      return [200, { access_token: token, token_type: 'Bearer', expires_in: 3600 }];
    }
    const token = authorization.replace('Bearer ', '');
    if (!good.has(token)) return [401, { message: `no ${authorization}` }];
    return [200, { rows: [{ id: 1 }], you: authorization }];
  }
  const config = (client_secret: string) => ({
    type: 'custom_tokens',
    url,
    credential: { type: 'o_auth_client', client_id: 'us', client_secret },
  });
  const query = (meta = '') =>
    service.call(
      'GET',
      `/v1/custom/operations/query/custom_query${meta}`,
      undefined,
      integration.secret,
    );
  const verify = (secret: string) =>
    service.call('POST', `/v1/integrations/${integration.account}/verify`, {
      integration: { provider_config: config(secret) },
    });

  it('gets a token once, for calls that come together and for those after them', async () => {
    const answers = await Promise.all([query(), query(), query()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await query()).status).toBe(200);
    expect(asked.filter((path) => path === '/token')).toHaveLength(1);
  });

  it('gets another one when the provider has revoked it, within the same call', async () => {
    good.clear();
    expect((await query()).status).toBe(200);
    expect(asked).toEqual(['/things', '/token', '/things']);
  });

  it('names the place of a wrong secret that is not stored, and never shows the secret or the token', async () => {
    expect((await verify(clientSecret)).status).toBe(200);
    const wrong = await verify('another-secret-that-is-wrong');
    expect([wrong.status, wrong.type, wrong.message]).toEqual([
      400,
      'urn:onefold:problem:bad-request',
      expect.stringMatching(
        /gives no access token for the credential in provider_config: invalid_client/,
      ),
    ]);
    const answer = await fetch(
      `${service.url}/v1/custom/operations/query/custom_query?meta=api/response(all)`,
      { headers: { authorization: `Bearer ${integration.secret}` } },
    );
    const shown = `${JSON.stringify(wrong)} ${await answer.text()}`;
    expect(shown).toContain('Bearer [secret]');
    expect(shown).not.toMatch(/another.{1,3}secret|client.{1,3}secret.{1,3}of|access-token-\d/);
    expect(shown).not.toContain(Buffer.from('another').toString('base64').slice(2, 8));
  });
});
