import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

/** The least that a credential of each kind has. */
const credentials: Readonly<Record<string, object>> = {
  o_auth_client: { client_id: 'c', client_secret: 's' },
  token: { secret: 's' },
  secret: { secret: 's' },
  webhook_url: { secret: 's' },
  basic: { username: 'u', secret: 's' },
  aws: { access_key_id: 'a', secret_access_key: 's' },
};

/** Values of properties that have a pattern. */
const patterned: Readonly<Record<string, string>> = {
  scope_path: 'projects/one',
  bucket: 'records',
  repository: 'acme/desk',
  channel: 'C0123456789',
  team_id: '0b8e6a0c-5d0f-4d7e-8d3b-4d1c7a9e2f55',
};

interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
}

let service: Service;
let path: string;
beforeAll(async () => {
  service = await startService();
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  path = `/v1/integrations/${result.account.id}`;
});
afterAll(() => service.stop());

/** Returns a value of a schema, with what it requires alone. */
function leastOf(schema: Schema, name: string): unknown {
  const { type, format, enum: values, properties, required = [] } = schema;
  if (values !== undefined) return values[0];
  if (properties !== undefined) {
    const kinds = properties['type']?.enum ?? [];
    const kind = Object.keys(credentials).find((one) => kinds.includes(one));
    if (kind !== undefined) return { type: kind, ...credentials[kind] };
    return Object.fromEntries(
      required.map((one) => [one, leastOf(properties[one] ?? {}, one)] as const),
    );
  }
  if (format === 'uri' || /url$/.test(name)) return 'https://vendor.example';
  if (name === 'region') return 'eu-west-1';
  return patterned[name] ?? ([type].flat().includes('array') ? ['a'] : 'a');
}

it('every provider takes an integration with what its configuration requires alone', async () => {
  const listed = await service.call<{ id: string; provider_config: Schema }[]>(
    'GET',
    '/v1/capabilities/providers?expand=provider_config&limit=200',
  );
  expect(listed.status).toBe(200);
  const refused: unknown[] = [];
  for (const { id, provider_config: schema } of listed.result) {
    const config = leastOf(schema, '') as Record<string, unknown>;
    const body = { provider_config: { ...config, type: id } };
    const { status, message } = await service.call('POST', path, body);
    if (status !== 200) refused.push([id, `${status} ${message}`]);
  }
  expect(refused).toEqual([]);
  expect(listed.result.length).toBeGreaterThan(40);
});
