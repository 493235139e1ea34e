import { OverFake } from '#test/harness';

const folder = new URL('./', import.meta.url);

/** Runs a provider of the vendor over its fake. @param principal whose credential the integration has @param config more configuration */
export function overFake(type: string, { principal = 'admin', config = {} } = {}): OverFake {
  return new OverFake(folder, type, {
    config: { tenant_id: '3f1c9a52-7d44-4e0b-9a86-2c5d81e0b7f3', ...config },
    credential: ({ client }) => ({
      type: 'o_auth_client',
      client_id: client?.id,
      client_secret: client?.secret,
    }),
    principal,
  });
}
