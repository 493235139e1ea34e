import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
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
    basic:
      send: client_credentials
      token_url: '"https://login.example/token"'
      secret: this.credential.secret.parse_json().private_key
      claims: root.iss = this.credential.secret.parse_json().client_email
    token:
      send: client_credentials
      token_url: '"https://login.example/token"'
      secret: this.credential.secret.parse_json().private_key | ""
      claims: root.iss = this.credential.secret.parse_json().client_email | ""
http: { base_url: '"https://first.example"' }
operations:
  edr_get_endpoint: { steps: [{ name: one, path: / }], record: this.steps.one }
`);
const sending = credentials[0]?.kinds.get('o_auth_client');
const keyFile = credentials[0]?.kinds.get('token');
if (sending === undefined || keyFile === undefined) throw new Error('the document takes no client');
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

describe('a token that is a key file', () => {
  const ofFile = (secret: string) => {
    const token = { ...credential, kind: 'token', config: { secret } };
    return credentialUse(keyFile, token, context);
  };

  it('has its key sign for its address', () => {
    const file = { client_email: 'robot@desk.example', private_key: 'key of the file' };
    expect(ofFile(JSON.stringify(file))).toMatchObject({
      request: { claims: { iss: 'robot@desk.example' }, clientSecret: 'key of the file' },
    });
  });

  it.each(['hunter2', '{}', '[]'])('is without a key where it is another text', (text) => {
    expect(ofFile(text)).toMatchObject({ request: { claims: { iss: '' }, clientSecret: '' } });
  });

  it('is not shown where an expression fails for it', () => {
    const basic = credentials[0]?.kinds.get('basic') ?? keyFile;
    const opened = { ...credential, kind: 'basic', config: { secret: 'hunter2' } };
    let failure: unknown;
    try {
      credentialUse(basic, opened, context);
    } catch (error) {
      failure = error;
    }
    expect(String(failure)).toContain('failed at credentials.credential.o_auth_client.secret');
    expect(inspect(failure)).not.toContain('hunter2');
  });

  it('cannot be at home', () => {
    const atHome = { ...credential, kind: 'token', config: {}, atHome: 'key' };
    expect(() => homeUse(keyFile, atHome, context)).toThrow('bridge agents cannot send a secret');
  });
});

it('refuses a key that only the agent of a bridge has', () => {
  const atHome = { ...credential, config: {}, atHome: 'key' };
  expect(() => homeUse(sending, atHome, context)).toThrow('bridge agents cannot send a secret');
});
