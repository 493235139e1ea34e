import { type Json, OverFake } from '#test/harness';

const folder = new URL('./', import.meta.url);
const config = { url: 'https://api.crowdstrike.com' };
const credential = ({ client }: { client?: { id: string; secret: string } }) => ({
  type: 'o_auth_client',
  client_id: client?.id,
  client_secret: client?.secret,
});

/** Creates a provider of the vendor's document over its fake. */
export function falcon(type: string, principal = 'admin'): OverFake {
  return new OverFake(folder, type, { config, credential, principal });
}

/** Calls of the API that the fake received, without those for tokens. */
export function requests(
  over: OverFake,
): { call: string; query: Record<string, string[]>; body: Json }[] {
  return over.fake.log.requests
    .filter(({ path }) => path !== '/oauth2/token')
    .map(({ method, path, query, body }) => ({
      call: `${method} ${path}`,
      query: query as Record<string, string[]>,
      body: (body === '' ? {} : JSON.parse(body)) as Json,
    }));
}
