import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';
import type { Service } from '../service.js';

/** OpenID provider on loopback, with forms for logon and consent. */
export interface OpenidProvider {
  issuer: string;
  client: { client_id: string; client_secret: string };
  /** Signs with another key from now on; the old one is deleted. */
  changeKey(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the provider. @param claims claims of everyone who logs on, beside `sub` */
export async function startOpenidProvider(
  redirectUri: string,
  claims: (login: string) => Record<string, unknown>,
  how: { token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' } = {},
): Promise<OpenidProvider> {
  const { default: OidcProvider } = await quietly(() => import('oidc-provider'));
  let provider: Provider;
  const server: Server = createServer((request, response) => {
    void provider.callback()(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: 'onefold', client_secret: 'openid-canary-secret-of-the-client' };
  const make = () =>
    quietly(
      () =>
        new OidcProvider(issuer, {
          clients: [{ ...client, ...how, redirect_uris: [redirectUri] }],
          jwks: { keys: [signingKey()] },
          ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
          cookies: { keys: ['spec'] },
          claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
          pkce: { required: () => true },
          clientAuthMethods: how.token_endpoint_auth_method
            ? [how.token_endpoint_auth_method]
            : ['client_secret_basic', 'client_secret_post'],
          findAccount: (_context, id) => ({
            accountId: id,
            claims: () => ({ sub: id, ...claims(id) }),
          }),
        }),
    );
  provider = await make();
  return {
    issuer,
    client,
    changeKey: async () => {
      provider = await make();
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Adds a provider to the service. @returns the address where sign-ons through it start */
export async function configureOidc(
  service: Service,
  { issuer, client }: Pick<OpenidProvider, 'issuer' | 'client'>,
): Promise<string> {
  const config = { type: 'oidc', issuer_url: issuer, ...client };
  const { result } = await service.call('POST', '/v1/auth/sso', { fullname: 'Loopback', config });
  return `${service.url}/sso/${service.administrator.organizationId}/start/${String(result['id'])}`;
}

let keys = 0;

function signingKey(): JsonWebKey & { kid: string; use: string; alg: string } {
  const { privateKey }: { privateKey: KeyObject } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
  });
  keys += 1;
  return { ...privateKey.export({ format: 'jwk' }), kid: `key-${keys}`, use: 'sig', alg: 'RS256' };
}

/** The provider warns of every default for development, which a spec uses. */
async function quietly<T>(work: () => T | Promise<T>): Promise<T> {
  const { warn, info } = console;
  console.warn = console.info = () => undefined;
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, info });
  }
}
