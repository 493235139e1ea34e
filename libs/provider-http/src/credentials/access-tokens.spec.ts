import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { ApiError } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { keyOf, Sealer } from '#secrets';
import { useReplicas } from '../two-replicas.fixture.js';
import { AccessTokens } from './access-tokens.js';
import type { ClientTokenRequest } from './fetch-access-token.js';

const used = useReplicas();
const signal = new AbortController().signal;

describe('access tokens of client credentials', () => {
  let server: Server;
  let asked: URLSearchParams[] = [];
  let answer: object = {};
  const request = (): ClientTokenRequest => ({
    organizationId: 'org_1',
    accountId: 'acc_1',
    credentialId: `crd_${randomBytes(4).toString('hex')}`,
    isStored: true,
    tokenUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    clientId: 'us',
    clientSecret: 'hush-hush',
    scope: 'read write',
    parameters: [['audience', 'things']],
    client: 'body',
  });
  const sealer = new Sealer(keyOf(randomBytes(32)));
  const policy = new EgressPolicy(['127.0.0.1']);
  const dispatcher = createDispatcher(policy);
  const replicas = () =>
    used.stores.map(
      (store) => new AccessTokens(store, sealer, systemClock, { dispatcher, policy }),
    );

  beforeAll(async () => {
    server = createServer((incoming, response) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.on('end', () => {
        asked.push(new URLSearchParams(body));
        response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' });
        setTimeout(() => response.end(JSON.stringify(answer)), 50);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  beforeEach(() => {
    asked = [];
    answer = {
      access_token: `t-${Math.trunc(performance.now())}`,
      token_type: 'Bearer',
      expires_in: 3600,
    };
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await dispatcher.destroy();
  });

  it('are fetched once for all replicas, and kept sealed', async () => {
    const wanted = request();
    const tokens = await Promise.all(
      replicas().flatMap((one) =>
        [one, one, one].map((each) => each.get(wanted, undefined, signal)),
      ),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(asked.map((one) => Object.fromEntries(one))).toEqual([
      {
        grant_type: 'client_credentials',
        client_id: 'us',
        client_secret: 'hush-hush',
        scope: 'read write',
        audience: 'things',
      },
    ]);
    const rows = await used.stores[0].write({ organizationId: 'org_1', accounts: 'all' }, (tx) =>
      tx.query<{ sealed: string }>('select sealed from provider_tokens'),
    );
    expect(JSON.stringify(rows)).not.toContain(tokens[0]);
  });

  it('are fetched anew when the provider has refused the one there was, or it is about to expire', async () => {
    const wanted = request();
    const [one, other] = replicas();
    const first = (await one?.get(wanted, undefined, signal)) ?? '';
    answer = { access_token: 'second', token_type: 'Bearer', expires_in: 30 };
    expect(await other?.get(wanted, first, signal)).toBe('second');
    answer = { access_token: 'third', token_type: 'Bearer', expires_in: 3600 };
    expect(await other?.get(wanted, undefined, signal)).toBe('third');
    expect(asked).toHaveLength(3);
  });

  it('are fetched anew for another secret, and stay for those who wait when one hangs up', async () => {
    const wanted = request();
    const [one] = replicas();
    const caller = new AbortController();
    const gone = one?.get(wanted, undefined, caller.signal);
    const stays = one?.get(wanted, undefined, signal);
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    const first = await stays;
    answer = { access_token: 'of the new secret', token_type: 'Bearer', expires_in: 3600 };
    expect(await one?.get({ ...wanted, clientSecret: 'new' }, undefined, signal)).toBe(
      'of the new secret',
    );
    expect(await one?.get(wanted, undefined, signal)).toBe(first);
    expect(asked).toHaveLength(2);
  });

  it('are not read beyond what a token takes, and not asked for where nothing may be called', async () => {
    answer = { access_token: 'x'.repeat(300_000), token_type: 'Bearer' };
    await expect(replicas()[0]?.get(request(), undefined, signal)).rejects.toThrow(
      'gives no access token',
    );
    const inside = { ...request(), tokenUrl: 'http://169.254.169.254/token' };
    await expect(replicas()[0]?.get(inside, undefined, signal)).rejects.toThrow('metadata address');
  });

  it('that are not given are a 502 which names the credential and never the secret', async () => {
    answer = { error: 'invalid_client', error_description: 'unknown client hush-hush' };
    const wanted = request();
    const failure = await replicas()[0]
      ?.get(wanted, undefined, signal)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect((failure as ApiError).status).toBe(502);
    expect((failure as ApiError).message).toContain(wanted.credentialId);
    expect((failure as ApiError).message).toContain('invalid_client unknown client [secret]');
    expect((failure as ApiError).message).not.toContain('hush');
    answer = { access_token: 'after', token_type: 'Bearer' };
    expect(await replicas()[0]?.get(wanted, undefined, signal)).toBe('after');
  });
});
