import { expect, it } from '@jest/globals';
import { compileProvider } from '#provider-document';
import { Authentication, type ProviderRequest, Redactor } from '#provider-http';
import { credentialUse } from './credential-use.js';

const document = (scopes: string) => `
provider: custom_two_apis
version: 1.0.0
fullname: Two APIs
vendor: Tests
credentials:
  credential:
    o_auth_client:
      send: client_credentials
      token_url: '"https://login.example/token"'
      scope: '"first"'
      ${scopes}
http: { base_url: '"https://first.example"' }
operations:
  edr_get_endpoint: { steps: [{ name: one, path: / }], record: this.steps.one }
`;
const second = 'scopes: [{ origin: this.config.other, scope: \'"second"\' }]';

/** Makes the authentication of a document, and the list of the scopes that it asks tokens for, with the tokens that are stale. */
function authenticationOf(scopes: string, other: string) {
  const asked: [scope: string | undefined, stale: string | undefined][] = [];
  const { credentials } = compileProvider(document(scopes));
  const sending = credentials[0]?.kinds.get('o_auth_client');
  if (sending === undefined) throw new Error('the document takes no client');
  const config = { client_id: 'a', client_secret: 'client-secret' };
  const credential = { id: 'crd_1', kind: 'o_auth_client', config };
  const use = credentialUse(sending, credential, {
    config: { other },
    place: 'credentials.credential.o_auth_client',
    organizationId: 'org_1',
    accountId: 'acc_1',
    limits: undefined,
  });
  const tokens = {
    get: (request: object, stale: string | undefined) => {
      const { scope } = request as { scope?: string };
      asked.push([scope, stale]);
      return Promise.resolve(`token of ${scope}`);
    },
  };
  const authentication = new Authentication(credential, use, tokens, new Redactor());
  const send = async (url: string) => {
    const request = { url: new URL(url), headers: {}, secretHeaders: [] } as unknown;
    const aborts = { signal: new AbortController().signal };
    const { headers } = await authentication.apply(request as ProviderRequest, aborts);
    return headers['authorization'];
  };
  return { authentication, send, asked };
}

it('asks for a token of its own for each API that a document names', async () => {
  const { send } = authenticationOf(second, 'https://second.example/v1');
  expect(await send('https://first.example/a')).toBe('Bearer token of first');
  expect(await send('https://second.example/b')).toBe('Bearer token of second');
  expect(await send('https://first.example/c')).toBe('Bearer token of first');
});

it('uses the scope of the document for an address that the configuration does not have', async () => {
  const { send } = authenticationOf(second, '');
  expect(await send('https://first.example/a')).toBe('Bearer token of first');
});

it('replaces the token of each API by itself after a refusal', async () => {
  const { authentication, send, asked } = authenticationOf(second, 'https://second.example');
  await send('https://first.example/a');
  await send('https://second.example/a');
  authentication.renew();
  await send('https://second.example/a');
  await send('https://first.example/a');
  expect(asked.slice(2)).toEqual([
    ['second', 'token of second'],
    ['first', 'token of first'],
  ]);
});

it('names the place of a scope that cannot be compiled', () => {
  expect(() =>
    authenticationOf('scopes: [{ origin: "this.config.other(", scope: a }]', ''),
  ).toThrow(/scopes/);
});
