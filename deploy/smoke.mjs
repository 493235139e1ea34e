// Calls an operation of every domain on a mock, and exits with 1 unless all answer:
//   node deploy/smoke.mjs <Organization token> [--domains ticketing,identity]
// It makes an account with an integration for each domain and deletes it again. ONEFOLD_URL is the address of the API.
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const event = {
  class_name: 'Base Event',
  class_uid: 0,
  category_uid: 0,
  type_uid: 99,
  activity_id: 99,
  severity_id: 1,
  time: 1767225600000,
  metadata: { version: '1.3.0', product: { vendor_name: 'Onefold' } },
};

/** A request of each domain: its path, and a body if it is a POST. A message needs a project where notifications are issues, as in Jira. */
export const requests = {
  appsec: ['/v1/app-sec/findings?limit=2'],
  assets: ['/v1/assets/devices?limit=2'],
  chat: ['/v1/chat/conversations?limit=2'],
  cloudsecurity: ['/v1/cloudsecurity/events?limit=2'],
  custom: ['/v1/custom/operations/query/custom_query?limit=2'],
  edr: ['/v1/edr/endpoints?limit=2'],
  emailsecurity: ['/v1/email-security/email-events?limit=2'],
  endpointmanagement: ['/v1/endpoint-management/devices?limit=2'],
  identity: ['/v1/identity/users?limit=2'],
  incidentresponse: ['/v1/incident-response/escalation-policies'],
  networksecurity: ['/v1/network-security/traffic/log-configurations'],
  notifications: ['/v1/notifications/create', { summary: 'hello', project: 'OPS' }],
  siem: ['/v1/siem/events?limit=2'],
  sink: ['/v1/sink/events', [event]],
  storage: ['/v1/storage/folders/tickets'],
  ticketing: ['/v1/ticketing/tickets?limit=2'],
  vulnerabilities: ['/v1/vulnerabilities/findings?limit=2'],
};

/** Chooses the mock of a domain: one of a real vendor, if there is one. */
function mockOf(domain, types) {
  const mocks = types.filter((type) => type.startsWith(`${domain}_`));
  return (
    mocks.find((type) => type === 'identity_okta_mock') ??
    mocks.find((type) => type.endsWith('_mock')) ??
    mocks.find((type) => type.startsWith(`${domain}_mock_`))
  );
}

/** Values that the contract requires of a configuration. */
function configurationOf(type) {
  if (type.endsWith('_mock')) return { type, dataset: 'basic_v0' };
  return type.startsWith('storage_') ? { type, bucket: 'demo' } : { type };
}

/** Makes an integration on the mock of a domain. @returns its type, its id and the secret of its token */
export async function makeIntegration(call, token, accountId, domain, types) {
  const type = mockOf(domain, types);
  if (type === undefined) throw new Error('no mock: MOCKS is off');
  const made = await call(token, 'POST', `/v1/integrations/${accountId}`, {
    name: type,
    provider_config: configurationOf(type),
  });
  return { type, id: made.integration.id, secret: made.token.access.secret };
}

/** Calls every domain once. @param domains those that the installation serves @returns a line for each domain that did not answer with 2xx @throws Error if nothing can be set up */
export async function smoke(url, token, print, domains = Object.keys(requests)) {
  const call = caller(url);
  const providers = await call(token, 'GET', '/v1/capabilities/providers');
  const types = providers.map(({ id }) => id);
  const name = `smoke-${randomBytes(4).toString('hex')}`;
  const { account } = await call(token, 'POST', '/v1/accounts', { name, environment: 'test' });
  const failures = [];
  try {
    for (const domain of domains) {
      const [path, body] = requests[domain];
      try {
        const { type, secret } = await makeIntegration(call, token, account.id, domain, types);
        await call(secret, body === undefined ? 'GET' : 'POST', path, body);
        print(`ok    ${domain.padEnd(18)} ${type}`);
      } catch (error) {
        failures.push(`${domain}: ${error.cause?.message ?? error.message}`);
        print(`WRONG ${failures.at(-1)}`);
      }
    }
  } finally {
    await call(token, 'DELETE', `/v1/accounts/${account.id}`);
  }
  return failures;
}

/** Returns a function that makes a call and returns its result, or throws an Error with the response. */
export function caller(url) {
  return async (token, method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text).result;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { domains: { type: 'string' } },
  });
  const [token] = positionals;
  if (token === undefined) {
    console.error('Say the Organization token: node deploy/smoke.mjs ofo_...');
    process.exit(2);
  }
  const domains = values.domains?.split(',') ?? Object.keys(requests);
  const unknown = domains.find((domain) => !Object.hasOwn(requests, domain));
  if (unknown !== undefined) {
    console.error(`There is no domain ${unknown}. There are: ${Object.keys(requests).join(', ')}.`);
    process.exit(2);
  }
  const { ONEFOLD_URL = 'http://127.0.0.1:8080' } = process.env;
  const failures = await smoke(ONEFOLD_URL, token, console.log, domains);
  const count = domains.length;
  console.log(`${count - failures.length} of ${count} domains answered`);
  process.exit(failures.length === 0 ? 0 : 1);
}
