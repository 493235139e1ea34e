import { expect, it } from '@jest/globals';
import { compileProvider } from './compile-provider.js';
import { describeProvider } from './describe-provider.js';

const document = `
provider: siem_acme
version: 1.0.0
fullname: Acme
vendor: Acme
configuration:
  type: object
  properties:
    url: { type: string }
    console_url: { type: [string, 'null'] }
    auth_options: { type: [object, 'null'], properties: { run_as: { type: string } } }
credentials:
  credential: { token: { send: header, name: authorization, value: this.credential.secret } }
  auth_options.shared_secret:
    optional: true
    beside: true
    secret: { send: header, name: x-shared, value: this.credential.secret }
http: { base_url: this.config.url, origins: [this.config.console_url, 'https://files.acme.example'] }
operations:
  siem_get_alert: { steps: [{ path: /alert }], record: this.steps.call }
`;

it('a credential may be within an object of the configuration', () => {
  const { configuration } = describeProvider(compileProvider(document));
  expect(configuration).toMatchObject({
    properties: {
      credential: { properties: { type: { enum: ['token', 'token_id'] } } },
      auth_options: {
        type: ['object', 'null'],
        properties: {
          run_as: { type: 'string' },
          shared_secret: { properties: { type: { enum: ['secret', 'secret_id'] } } },
        },
      },
    },
    required: ['type', 'credential'],
  });
  expect(configuration).not.toHaveProperty('properties.auth_options.required');
});

it('an address of the configuration that gets credentials is told, so that it cannot change without them', () => {
  const described = describeProvider(compileProvider(document));
  const addresses = (given: Record<string, unknown>) => described.addresses?.(given);
  const config = { url: 'https://a.example', console_url: 'https://b.example/s/x' };
  expect(addresses(config)).toEqual({
    urls: ['https://a.example', 'https://b.example/s/x'],
    fixed: ['https://files.acme.example'],
    isComplete: true,
  });
  expect(addresses({ url: 'https://a.example' })?.urls).toEqual(['https://a.example']);
});

it('names the line of an origin that is neither an address nor an expression', () => {
  const wrong = document.replace('https://files.acme.example', 'this.confg.other');
  expect(() => compileProvider(wrong)).toThrow(/confg/);
});

it.each([
  ['under another name', 'notifications_teams', ['webhook_url', 'webhook_url_id']],
  ['in part', 'appsec_gitlab', ['token', 'token_id']],
  ['not', 'custom_acme', ['token', 'token_id', 'secret', 'secret_id']],
])('names kinds that the contract knows %s as configurations have them', (_what, type, names) => {
  const operation = {
    notifications_teams: 'notifications_create_message',
    appsec_gitlab: 'appsec_get_application_finding_details',
  }[type];
  const { configuration } = describeProvider(
    compileProvider(`
provider: ${type}
version: 1.0.0
fullname: Acme
vendor: Acme
credentials:
  credential:
    token: &sent { send: header, name: authorization, value: this.credential.secret }
    secret: *sent
http: { base_url: '"https://acme.example"' }
operations: { ${operation ?? 'custom_post_batch'}: { record: this.steps.call, steps: [{ path: /post, method: POST }] } }
`),
  );
  expect(configuration).toMatchObject({
    properties: { credential: { properties: { type: { enum: names } } } },
  });
});
