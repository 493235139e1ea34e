import type { OverFake } from '#test/harness';

/** Options of the vendor's document over its fake. */
export function optionsOf(principal = 'admin'): ConstructorParameters<typeof OverFake>[2] {
  return {
    config: { tenant_id: '3f1c9a52-7d44-4e0b-9a86-2c5d81e0b7f3' },
    credential: ({ client }) => ({
      type: 'o_auth_client',
      client_id: client?.id,
      client_secret: client?.secret,
    }),
    principal,
  };
}
