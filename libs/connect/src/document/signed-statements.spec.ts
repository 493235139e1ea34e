import { expect, it } from '@jest/globals';
import { compileProvider } from '#provider-document';
import { credentialUse, homeUse } from './credential-use.js';

const { credentials } = compileProvider(`
provider: custom_signed
version: 1.0.0
fullname: Signed statements
vendor: Tests
configuration:
  properties: { robot: { type: string }, delegate: { type: string } }
credentials:
  credential:
    o_auth_client:
      send: client_credentials
      token_url: '"https://login.example/token"'
      scope: '"first"'
      claims: |
        root.iss = this.config.robot
        root.sub = this.config.delegate
http: { base_url: '"https://first.example"' }
operations:
  edr_get_endpoint: { steps: [{ name: one, path: / }], record: this.steps.one }
`);
const sending = credentials[0]?.kinds.get('o_auth_client');
if (sending === undefined) throw new Error('the document takes no client');
const context = {
  config: { robot: 'robot@desk.example', delegate: 'admin@desk.example' },
  place: 'credentials.credential.o_auth_client',
  organizationId: 'org_1',
  accountId: 'acc_1',
  limits: undefined,
};
const credential = { id: 'crd_1', kind: 'o_auth_client' };

it('gives the claims of a statement to the request of a token', () => {
  const config = { client_id: 'a', client_secret: 'key' };
  expect(credentialUse(sending, { ...credential, config }, context)).toMatchObject({
    send: 'client_credentials',
    request: {
      claims: { iss: 'robot@desk.example', sub: 'admin@desk.example' },
      clientSecret: 'key',
      scope: 'first',
    },
  });
});

it('refuses a key that only the agent of a bridge has', () => {
  const atHome = { ...credential, config: {}, atHome: 'key' };
  expect(() => homeUse(sending, atHome, context)).toThrow('bridge agents cannot send a secret');
});
