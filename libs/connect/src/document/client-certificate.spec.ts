import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationId } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { compileProvider } from '#provider-document';
import { ClientCertificates } from '#provider-http';
import { type KeyPair, TestAuthority } from '#test/harness';
import type { ProviderResult } from '../provider.js';
import { documentCall, plainHttp } from './document-call.fixture.js';
import { documentProvider } from './document-provider.js';

const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy);
let authority: TestAuthority;
let server: Server;
let url: string;
let ours: KeyPair;
let others: KeyPair;
/** The requests so far: path, name in the client certificate, port of the client, and the header with a key. */
let seen: { path: string; name: string; port: number | undefined; key: unknown }[] = [];
let location = '';

beforeAll(async () => {
  authority = new TestAuthority();
  const { certificate, key } = authority.issue('provider');
  ours = authority.issue('ours');
  others = authority.issue('others');
  server = createServer(
    { cert: certificate, key, ca: authority.certificate, requestCert: true },
    (request, response) => {
      const socket = request.socket as TLSSocket;
      const name = socket.authorized ? String(socket.getPeerCertificate().subject.CN) : 'nobody';
      const { url: path = '' } = request;
      seen.push({ path, name, port: socket.remotePort, key: request.headers['x-key'] });
      const status = name === 'nobody' ? 401 : path === '/moved' ? 302 : 200;
      response.writeHead(status, { 'content-type': 'application/json', location }).end('[]');
    },
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  authority.remove();
});

const alone = 'credential: { tls_certificate: { send: tls } }';
const besideToken = `credential: { token: { send: header, name: x-key, value: this.credential.secret } }
  certificate: { beside: true, tls_certificate: { send: tls } }`;

interface Account {
  accountId?: string;
  pair?: KeyPair;
  path?: string;
  credentials?: string;
  egress?: EgressPolicy;
}

/** Calls the provider for an account. */
function caller(certificates: ClientCertificates | undefined) {
  return async ({
    accountId = 'acc_1',
    pair = ours,
    path = '/list',
    credentials = alone,
    egress = policy,
  }: Account): Promise<ProviderResult | undefined> => {
    const provider = documentProvider(
      compileProvider(`
provider: custom_tls
version: 1.0.0
fullname: Runs
vendor: Tests
credentials:
  ${credentials}
http: { base_url: this.config.url }
operations:
  custom_query: { steps: [{ path: ${path} }], rows: this.steps.call }
`),
    );
    const config = {
      type: 'tls_certificate',
      certificate: pair.certificate,
      private_key: pair.key,
      certificate_authority: authority.certificate,
    };
    const result = await provider.operations['custom_query' as OperationId]?.run(
      documentCall({
        http: plainHttp({
          dispatcher,
          policy: egress,
          ...(certificates === undefined ? {} : { certificates }),
        }),
        accountId,
        providerConfig: { url },
        credential: (slot: string) =>
          credentials === besideToken && slot === 'credential'
            ? { id: 'crd_2', kind: 'token', config: { type: 'token', secret: 'k3y-of-the-test' } }
            : { id: 'crd_1', kind: 'tls_certificate', config },
      }),
      {},
    );
    if (result === undefined || !('pages' in result)) return result;
    await result.pages.read(undefined, 10);
    return result;
  };
}

describe('a client certificate', () => {
  let certificates: ClientCertificates;
  let call: ReturnType<typeof caller>;
  beforeEach(() => {
    certificates = new ClientCertificates(policy, 1);
    call = caller(certificates);
  });
  afterEach(() => certificates.close());

  it('is presented to a server that demands one', async () => {
    await call({});
    expect(seen).toMatchObject([{ path: '/list', name: 'ours', key: undefined }]);
  });

  it('goes along with the token beside it', async () => {
    await call({ credentials: besideToken });
    expect(seen).toMatchObject([{ name: 'ours', key: 'k3y-of-the-test' }]);
  });

  it('keeps its connections for its own credential, account and content', async () => {
    await call({});
    await call({});
    await call({ accountId: 'acc_2' });
    await call({ pair: others });
    expect(seen.map(({ name }) => name)).toEqual(['ours', 'ours', 'ours', 'others']);
    const [first, second, ...rest] = seen.map(({ port }) => port);
    expect(second).toBe(first);
    expect(new Set([first, ...rest]).size).toBe(3);
  });

  it('is not presented to another origin, to which the provider redirects', async () => {
    location = `https://localhost:${new URL(url).port}/elsewhere`;
    // Without the authority, which belongs to the certificate, the other origin is not even trusted.
    await expect(call({ path: '/moved' })).rejects.toMatchObject({ status: 502 });
    expect(seen.map(({ path, name }) => `${path} ${name}`)).toEqual(['/moved ours']);
  });

  it('is not left out silently where there are no connections for it', async () => {
    await expect(caller(undefined)({})).rejects.toMatchObject({
      status: 501,
      message: 'client certificates cannot be presented here',
    });
    expect(seen).toEqual([]);
  });

  it('opens no address that the egress policy refuses', async () => {
    certificates = new ClientCertificates(new EgressPolicy(), 4);
    await expect(caller(certificates)({})).rejects.toThrow('not a public address');
    await expect(call({ egress: new EgressPolicy() })).rejects.toThrow('not a public address');
    expect(seen).toEqual([]);
  });
});

describe('a document', () => {
  it.each([
    ['credential: { tls_certificate: { send: basic } }', 'a tls_certificate cannot be sent by'],
    ['credential: { token: { send: tls } }', 'a token cannot be sent by tls'],
  ])('sends certificates by tls and nothing else: %s', async (credentials, message) => {
    const call = caller(new ClientCertificates(policy, 4));
    await expect(call({ credentials })).rejects.toThrow(message);
  });
});
