import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AgentRequest, SecretUse } from '#bridge';
import { JsonLog } from '#observe/runtime';
import type { VaultSettings } from './agent-file.js';
import { FakeVault } from './fake-vault.fixture.js';
import { HttpClient } from './http-client.js';
import { RequestPerformer } from './perform-request.js';
import { RequestLog } from './request-log.js';
import { Vault } from './vault.js';

let fake: FakeVault;
let host: Server;
let origin: string;
let got: string[];
let cleanups: (() => void | Promise<void>)[];

/** A host that shows the key that it was sent, and refuses old ones. */
beforeEach(async () => {
  fake = await FakeVault.start();
  fake.secrets.set('jira/prod', { password: 'canary-first' });
  got = [];
  host = createServer((incoming, response) => {
    const key = String(incoming.headers['x-key']);
    got.push(key);
    response.statusCode = key.endsWith('revoked') ? 401 : 200;
    response.end(`${got.join(' ')} ${fake.token}`);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  cleanups = [];
});
afterEach(async () => {
  for (const cleanup of cleanups) await cleanup();
  fake.stop();
  host.closeAllConnections();
  host.close();
});

const use: SecretUse = { send: 'header', secret: 'jira', name: 'x-key', value: '{{secret}}' };

function agentOf(
  changes: Partial<VaultSettings> = {},
  place = { path: 'jira/prod', key: 'password' },
) {
  const lines: string[] = [];
  const log = new JsonLog({ service: 'spec', write: (line) => lines.push(line) });
  const file = {
    allow: [{ origin }],
    secrets: [{ name: 'jira', origins: [origin], fields: { secret: { vault: place } } }],
    vault: { address: fake.address, ...changes },
  };
  const environment = { VAULT_TOKEN: fake.token };
  const agent = new RequestPerformer(file, undefined, new RequestLog(log), environment);
  cleanups.push(() => agent.close());
  return { agent, lines };
}

function vaultOf(changes: Partial<VaultSettings> = {}) {
  const client = new HttpClient({});
  const warned: Record<string, unknown>[] = [];
  const clock = { now: 0 };
  const vault = new Vault(
    { address: fake.address, ...changes },
    {
      client,
      environment: { VAULT_TOKEN: fake.token },
      onToken: () => undefined,
      log: { log: () => undefined, warn: (line) => void warned.push(line as never) },
      now: () => clock.now,
    },
  );
  cleanups.push(() => (vault.close(), client.close()));
  return { vault, clock, warned };
}

const place = { path: 'jira/prod', key: 'password' };

async function answerOf(agent: RequestPerformer): Promise<string> {
  const request: AgentRequest = {
    method: 'GET',
    url: `${origin}/`,
    headers: {},
    hasBody: false,
    body: undefined,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    secrets: [use],
  };
  const { body } = await agent.perform(request);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('secrets of Vault', () => {
  it('are read once, sent, and masked with the token in what comes back', async () => {
    const { agent, lines } = agentOf({ namespace: 'team' });
    for (let n = 0; n < 3; n += 1) {
      const answer = await answerOf(agent);
      expect(answer).not.toContain('canary');
      expect(answer).toContain('*'.repeat(fake.token.length));
    }
    expect(got).toEqual(Array(3).fill('canary-first'));
    expect(fake.requests).toEqual(['GET /v1/secret/data/jira/prod']);
    expect(fake.namespaces).toEqual(['team']);
    expect(agent.vault).toEqual({ jira: origin });
    expect(lines.join('')).not.toContain('canary');
  });

  it('are read at the start, which logs those that are not there, and where', async () => {
    const { agent, lines } = agentOf({}, { path: 'jira/none', key: 'password' });
    await agent.start();
    expect(fake.requests).toContain('GET /v1/secret/data/jira/none');
    const line = lines.find((one) => one.includes('vault secret not read')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      address: fake.address,
      place: 'secret/jira/none',
      reason: 'there is no such secret (404)',
    });
  });

  it('that were rotated are read again when a host refuses the old one, and both stay masked', async () => {
    const { vault, clock } = vaultOf();
    expect(await vault.read(place)).toBe('canary-first');
    fake.secrets.set('jira/prod', { password: 'canary-second' });
    vault.forget(place);
    expect(await vault.read(place)).toBe('canary-first'); // It has just been read.
    clock.now = 5_000;
    vault.forget(place);
    expect(await vault.read(place)).toBe('canary-second');
  });

  it('that were rotated are masked as they are and as they were', async () => {
    const { agent } = agentOf({ refresh_seconds: 1 });
    await answerOf(agent);
    fake.secrets.set('jira/prod', { password: 'canary-second' });
    while (!got.includes('canary-second')) {
      expect(await answerOf(agent)).not.toContain('canary');
      await sleep(100);
    }
  });

  it('are read again when their time is over, by one request for all that wait', async () => {
    const { vault, clock } = vaultOf({ refresh_seconds: 60 });
    await vault.read(place);
    clock.now = 59_999;
    await vault.read(place);
    expect(fake.requests).toHaveLength(1);
    clock.now = 60_000;
    fake.secrets.set('jira/prod', { password: 'canary-second' });
    const values = await Promise.all([1, 2, 3].map(() => vault.read(place)));
    expect([values, fake.requests.length]).toEqual([Array(3).fill('canary-second'), 2]);
  });

  it('stay what they were while Vault is sealed or cannot be reached, and not when they are deleted', async () => {
    const { vault, clock, warned } = vaultOf({ refresh_seconds: 60 });
    await vault.read(place);
    clock.now = 60_000;
    fake.isSealed = true;
    expect(await vault.read(place)).toBe('canary-first');
    const sealed = { reason: 'Vault returned 503: Vault is sealed', isKept: true };
    expect(warned).toMatchObject([{ ...sealed, place: 'secret/jira/prod' }]);
    expect(await vault.read(place)).toBe('canary-first'); // It is not tried at each use.
    expect(fake.requests).toHaveLength(2);
    fake.isSealed = false;
    fake.secrets.set('jira/prod', null);
    clock.now = 70_000;
    await expect(vault.read(place)).rejects.toThrow('the secret was deleted (404)');
    fake.stop();
    await expect(vault.read(place)).rejects.toThrow(/Vault cannot be reached \(\w+\)/);
  });

  it.each<[string, () => void, Partial<VaultSettings>, RegExp]>([
    [
      'the token is wrong',
      () => (fake.token = 'another'),
      {},
      /Vault returned 403: 2 errors occurred: \* permission denied \* invalid token/,
    ],
    ['the mount is another', () => undefined, { mount: 'kv' }, /\(Vault: kv\/jira\/prod, key pass/],
    [
      'the key is not there',
      () => fake.secrets.set('jira/prod', { other: 'x' }),
      {},
      /does not have this key/,
    ],
    [
      'the value is a number',
      () => fake.secrets.set('jira/prod', { password: 1 }),
      {},
      /not a text/,
    ],
    [
      'the value is too short',
      () => fake.secrets.set('jira/prod', { password: 'short' }),
      {},
      /cannot mask the secret "jira" \(Vault: secret\/jira\/prod, key password\)/,
    ],
  ])('are refused by name and place when %s', async (_what, change, settings, message) => {
    const { agent } = agentOf(settings);
    change();
    const failed = answerOf(agent);
    await expect(failed).rejects.toMatchObject({ reason: 'secret', isSent: false });
    await expect(failed).rejects.toThrow(message);
    expect(got).toEqual([]);
  });

  it('need to know where Vault is, and its token', () => {
    const log = new RequestLog(new JsonLog({ service: 'spec', write: () => undefined }));
    const secrets = [{ name: 'jira', origins: [origin], fields: { secret: { vault: place } } }];
    const start = (vault?: VaultSettings) => () =>
      new RequestPerformer({ allow: [], secrets, ...(vault ? { vault } : {}) }, undefined, log, {});
    expect(start()).toThrow('The field secret of the secret jira is in Vault');
    const { address } = fake;
    expect(start({ address })).toThrow(
      'token of Vault is missing: put it into the variable VAULT_',
    );
    expect(start({ address, token_file: '/none' })).toThrow('/none: the file cannot be read');
  });
});

describe('the token of Vault', () => {
  it('is renewed', async () => {
    const { vault, warned } = vaultOf();
    vault.start();
    while (fake.requests.length === 0) await sleep(5);
    expect([fake.requests, warned]).toEqual([['POST /v1/auth/token/renew-self'], []]);
  });

  it('is not renewed again when it cannot be, which is logged', async () => {
    fake.isRenewable = false;
    const { vault, warned } = vaultOf();
    vault.start();
    while (warned.length === 0) await sleep(5);
    const reason = 'Vault returned 400: lease is not renewable';
    expect(warned).toEqual([{ message: 'vault token not renewed', reason }]);
  });
});
