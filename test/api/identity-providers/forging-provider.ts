import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Faults of a wrong provider; everything else is valid. */
export interface Forgery {
  /** Changes the claims of the ID token. */
  claims?: (right: Record<string, unknown>) => Record<string, unknown>;
  /** Changes the header of the ID token. */
  header?: Record<string, unknown>;
  /** Signs with another key than the published one, with the client secret, or not at all. */
  signedBy?: 'foreign key' | 'client secret' | 'nobody';
  /** Changes the finished ID token. */
  token?: (right: string) => string;
  userinfo?: Record<string, unknown>;
  discovery?: Record<string, unknown>;
  /** Answers the request itself. */
  instead?: (path: string, response: ServerResponse) => boolean;
}

/** OpenID provider on loopback whose responses a test can falsify. */
export interface ForgingProvider {
  issuer: string;
  client: { client_id: string; client_secret: string };
  /** Sets the faults from now on. */
  forge(forgery: Forgery): void;
  /** Publishes and uses another key from now on. */
  changeKey(): void;
  /** Number of requests by path. */
  asked: Map<string, number>;
  stop(): Promise<void>;
}

const newKey = (): KeyPair => generateKeyPairSync('rsa', { modulusLength: 2_048 });

interface KeyPair {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export async function startForgingProvider(): Promise<ForgingProvider> {
  const client = { client_id: 'onefold', client_secret: 'forging-canary-secret-of-the-client' };
  const foreign = newKey();
  const asked = new Map<string, number>();
  let key = newKey();
  let kid = 1;
  let forgery: Forgery = {};
  let nonce: string | null = null;

  const idToken = () => {
    const seconds = Math.floor(Date.now() / 1_000);
    const right = {
      iss: issuer,
      sub: 'mallory',
      aud: client.client_id,
      iat: seconds,
      exp: seconds + 300,
      email: 'alice@example.test',
      email_verified: true,
      nonce,
    };
    const alg = { nobody: 'none', 'client secret': 'HS256', 'foreign key': 'RS256', '': 'RS256' };
    const header = { alg: alg[forgery.signedBy ?? ''], kid: `key-${kid}`, ...forgery.header };
    const content = [header, forgery.claims?.(right) ?? right]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${content}.${signature(content)}`;
  };
  const signature = (content: string) => {
    if (forgery.signedBy === 'nobody') return '';
    if (forgery.signedBy === 'client secret')
      return createHmac('sha256', client.client_secret).update(content).digest('base64url');
    const { privateKey } = forgery.signedBy === 'foreign key' ? foreign : key;
    return sign('sha256', Buffer.from(content), privateKey).toString('base64url');
  };
  const answers: Record<string, (url: URL, response: ServerResponse) => object | undefined> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...forgery.discovery,
    }),
    '/jwks': () => ({
      keys: [
        { ...key.publicKey.export({ format: 'jwk' }), kid: `key-${kid}`, use: 'sig', alg: 'RS256' },
      ],
    }),
    '/authorize': ({ searchParams }, response) => {
      nonce = searchParams.get('nonce');
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'a-code');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      response.writeHead(302, { location: back.href }).end();
      return undefined;
    },
    '/token': () => ({
      access_token: 'an-access-token',
      token_type: 'Bearer',
      id_token: forgery.token?.(idToken()) ?? idToken(),
    }),
    '/userinfo': () => forgery.userinfo ?? { sub: 'mallory' },
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', issuer);
    asked.set(url.pathname, (asked.get(url.pathname) ?? 0) + 1);
    if (forgery.instead?.(url.pathname, response)) return;
    const body = answers[url.pathname]?.(url, response);
    if (response.headersSent) return;
    response
      .writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    client,
    asked,
    forge: (next) => (forgery = next),
    changeKey: () => {
      key = newKey();
      kid += 1;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
