import { type Json, OverFake } from '#test/harness';

const folder = new URL('./', import.meta.url);
const config = {
  tenant_id: '3f1c9a52-7d44-4e0b-9a86-2c5d81e0b7f3',
  url: 'https://api.security.microsoft.com',
};

/** Creates a provider of the vendor's document over its fake. */
export function defender(type: string, principal = 'admin'): OverFake {
  return new OverFake(folder, type, {
    config:
      type === 'edr_defender' ? { ...config, security_url: 'https://graph.microsoft.com' } : config,
    credential: ({ client }) => ({
      type: 'o_auth_client',
      client_id: client?.id,
      client_secret: client?.secret,
    }),
    principal,
  });
}

/** Calls that the fake received, without those for tokens. */
export function requests(
  over: OverFake,
): { call: string; query: Record<string, string[]>; body: Json }[] {
  return over.fake.log.requests
    .filter(({ path }) => !path.endsWith('/token'))
    .map(({ method, path, query, body }) => ({
      call: `${method} ${path}`,
      query: query as Record<string, string[]>,
      body: (body === '' ? {} : JSON.parse(body)) as Json,
    }));
}
