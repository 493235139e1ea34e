import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations, type OperationId, operationOf } from '#contract';
import { Canaries } from './canaries.js';
import type { Answer, LooseParts } from './client.js';
import { dumpDatabase } from './dump-database.js';
import { type Onefold, startDistributed } from './onefold.js';
import { createMockIntegration } from './records.js';
import { eventually, isWhole } from '#test/harness';
import { sampleBody } from '../bodies/sample.js';

/** Operations of the management API that take secrets, as marked in the contract. */
const takers = [...operations.values()].filter(
  ({ secrets, side, state }) => side === 'management' && state === 'served' && secrets.length > 0,
);
/** Samples of integrations; the contract has some 170 providers. */
const integrations = isWhole ? 340 : 170;

let onefold: Onefold;
let listener: NatsConnection;
const canaries = new Canaries();
const overheard: string[] = [];
/** Responses of operations that must not return a secret. */
const answers: string[] = [];
const sent: Record<string, number[]> = {};

beforeAll(async () => {
  onefold = await startDistributed({ LOG_LEVEL: 'debug' });
  listener = await connect({ servers: onefold.nats?.url ?? '' });
  listener.subscribe('>', {
    callback: (_error, { subject, data }) => {
      overheard.push(`${subject} ${Buffer.from(data).toString('latin1')}`);
    },
  });
  await listener.flush();
});
afterAll(async () => {
  await listener.close();
  await onefold.stop();
});

async function send(
  id: OperationId,
  parts: LooseParts,
  client = onefold.api,
): Promise<Answer<never>> {
  const answer = await client.send<never>(id, parts);
  if (answer.status >= 300 || !operationOf(id).issues) answers.push(`${id}: ${answer.text}`);
  (sent[id] ??= []).push(answer.status);
  return answer;
}

/** Calls a provider that answers with its credential while bodies are recorded, and reads and replays what was recorded. */
async function record(accountId: string, credential: object): Promise<void> {
  let asked = 0;
  const provider = createServer(({ headers: { authorization = '' } }, response) => {
    asked += 1;
    const pair = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
    response.writeHead(200, { 'content-type': 'application/json', 'x-echo': authorization });
    response.end(JSON.stringify({ issues: [], values: [], echo: [authorization, pair] }));
  });
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  try {
    const provider_config = { type: 'ticketing_jira', url, credential };
    const made = resultOf(
      await send('integrations_create', { path: { accountId }, body: { provider_config } }),
    ) as unknown as { integration: { id: string }; token: { access: { secret: string } } };
    const path = { accountId, integrationId: made.integration.id };
    expect((await send('requests_record_bodies', { path, body: { hours: 1 } })).status).toBe(200);
    const connector = onefold.api.as(made.token.access.secret);
    const ids: string[] = [];
    for (const id of ['ticketing_query_tickets', 'ticketing_list_projects'] as const)
      ids.push((await send(id, {}, connector)).headers.get('x-request-id') ?? '');
    expect(asked).toBeGreaterThan(1);
    for (const requestId of ids) {
      const { bodies } = await eventually(async () => {
        const found = resultOf(await send('requests_get', { path: { requestId } }));
        expect(found['bodies']).toBeDefined();
        return found as { bodies: { exchanges: object[] } };
      });
      expect(JSON.stringify(bodies.exchanges)).toContain('[secret]');
      const body = { mappings: ['default:0'] };
      expect((await send('requests_replay', { path: { requestId }, body })).status).toBe(200);
    }
  } finally {
    provider.closeAllConnections();
    provider.close();
  }
}

const resultOf = (answer: Answer<unknown>) =>
  (answer.body as { result: Record<string, never> }).result as Record<string, unknown>;

/** Returns a sample with valid names of members. */
function named(body: unknown, round: number): unknown {
  if (Array.isArray(body) || typeof body !== 'object' || body === null) return body;
  const name = `canary-${round}@example.com`;
  if ('member' in body && typeof body.member === 'object')
    return { ...body, member: { ...body.member, name } };
  return 'secret' in body && 'name' in body ? { ...body, name } : body;
}

describe('secrets that are planted everywhere', () => {
  it('are taken by every operation that takes secrets, in every shape of the contract, well and badly', async () => {
    const { accountId, integrationId } = await createMockIntegration(onefold.api, 'canaries');
    const ids: Record<string, string> = { accountId, integrationId, ownerId: accountId };
    for (const operation of takers) {
      const { id, path } = operation;
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const pathOf = () =>
        Object.fromEntries(names.map((name) => [name, ids[name] ?? 'nothing-of-this-name']));
      const rounds =
        id === 'integrations_create' ? integrations : id.startsWith('integrations') ? 40 : 12;
      for (let branch = 0; branch < rounds; branch += 1) {
        const secret = (pointer: string) => canaries.plant(`${id} ${pointer}`);
        const good = named(sampleBody(operation, { branch, secret }), branch);
        await send(id, { path: pathOf(), body: good });
        if (branch >= 12) continue;
        // Wrong types, misspelled names, texts in place of objects.
        const wrong = (pointer: string) => ({ text: canaries.plant(`wrong ${id} ${pointer}`) });
        await send(id, { path: pathOf(), body: sampleBody(operation, { branch, secret: wrong }) });
        const astray = canaries.plant(`astray ${id}`);
        await send(id, {
          path: pathOf(),
          body: Array.isArray(good)
            ? [
                { op: 'replace', path: '/config', value: astray },
                { op: 'add', path: '/config/secret', value: astray },
              ]
            : {
                ...(good as object),
                password: astray,
                config: astray,
                provider_config: astray,
                member: astray,
              },
        });
      }
      const broken = `{"secret": "${canaries.plant(`broken ${id}`)}`;
      const headers = { 'content-type': 'application/json' };
      const url = onefold.api.address(id, { path: pathOf() });
      const { text } = await onefold.api.fetch(id, url, {
        method: operationOf(id).method,
        headers,
        body: broken,
      });
      answers.push(`${id}: ${text}`);
    }
    expect(takers.map(({ id }) => id).filter((id) => !sent[id])).toEqual([]);
    const succeeded = takers.filter(({ id }) => sent[id]?.some((status) => status < 300));
    expect(succeeded.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'auth_create_sso',
        'credentials_create',
        'integrations_create',
        'members_create',
        'organizationWebhooks_create',
        'subOrgs_create',
      ]),
    );
    expect(
      Object.values(sent)
        .flat()
        .filter((status) => status >= 500 && status !== 502),
    ).toEqual([]);
  }, 240_000);

  it('are used: changed, patched, logged on with, repeated, refreshed, opened by a connector', async () => {
    const { api } = onefold;
    const account = resultOf(await send('accounts_create', { body: { name: 'used' } }))[
      'account'
    ] as { id: string };
    const ownerId = account.id;
    const basic = () => ({ type: 'basic', username: 'user', secret: canaries.plant('basic') });
    const headers = { 'idempotency-key': 'canaries' };
    const body = { name: 'basic', config: basic() };
    for (const _again of [1, 2])
      await send('credentials_create', { path: { ownerId }, body, headers });
    const [credential] = resultOf(
      await send('credentials_list', { path: { ownerId } }),
    ) as unknown as { id: string }[];
    const path = { ownerId, credentialId: credential?.id ?? '' };
    expect(
      (
        await send('credentials_update', {
          path,
          body: { ...credential, config: basic() },
        })
      ).status,
    ).toBe(200);
    for (const value of [
      canaries.plant('patch'),
      { text: canaries.plant('patch of a wrong type') },
    ])
      await send('credentials_patch', {
        path,
        body: [{ op: 'replace', path: '/config/secret', value }],
      });

    const organization = resultOf(await send('organization_get', {}));
    const password = canaries.plant('password');
    const member = {
      name: 'canary@example.com',
      secret: password,
      role_binding: ['administrator'],
    };
    expect((await send('members_create', { body: member })).status).toBe(200);
    const logon = (secret: string) =>
      send(
        'auth_logon',
        {
          path: { organizationId: organization['id'] },
          body: { name: member.name, secret },
        },
        api.as(undefined),
      );
    expect((await logon(canaries.plant('wrong password'))).status).toBe(401);
    const session = await logon(password);
    expect(session.status).toBe(200);
    const { token } = resultOf(session) as unknown as {
      token: { access: { secret: string }; refresh: { secret: string } };
    };
    const change = { old_secret: password, new_secret: canaries.plant('new password') };
    expect(
      (await send('auth_change_password', { body: change }, api.as(token.access.secret))).status,
    ).toBe(200);

    const bridge = await send('bridges_create', {
      path: { accountId: ownerId },
      body: { name: 'bridge' },
    });
    expect(bridge.status).toBe(200);
    const created = await send('tokens_create_token', {
      body: {
        name: 'canary',
        permission_set: 'viewer',
        resources: { organizations: { ids: ['*'] } },
      },
      headers,
    });
    const pair = resultOf(created) as unknown as {
      id: string;
      owner_id: string;
      primary: { access: { secret: string }; refresh: { secret: string } };
    };
    const refreshTokenId = pair.id;
    const refresher = api.as(pair.primary.refresh.secret);
    expect((await send('tokens_refresh', { path: { refreshTokenId } }, refresher)).status).toBe(
      200,
    );
    expect((await send('tokens_refresh', { path: { refreshTokenId } }, refresher)).status).toBe(
      200,
    );
    expect(
      (await send('tokens_rotate', { path: { refreshTokenId, ownerId: pair.owner_id } })).status,
    ).toBe(200);
    await send('tokens_get', { path: { refreshTokenId: pair.primary.access.secret } });
    await send('tokens_get', { path: { refreshTokenId } }, api.as(canaries.plant('no token')));
    await send('accounts_list', { query: { filter: [`name[eq]${pair.primary.access.secret}`] } });

    const jira = await send('integrations_create', {
      path: { accountId: ownerId },
      body: {
        name: 'jira',
        provider_config: { type: 'ticketing_jira', url: 'http://127.0.0.1:9', credential: basic() },
      },
    });
    expect(jira.status).toBe(200);
    const { token: ofIntegration } = resultOf(jira) as unknown as {
      token: { access: { secret: string } };
    };
    const connector = api.as(ofIntegration.access.secret);
    for (const id of ['ticketing_query_tickets', 'ticketing_list_projects'] as const)
      expect((await send(id, {}, connector)).status).toBeGreaterThanOrEqual(400);
    await record(ownerId, basic());
    for (const id of [
      'audit_list',
      'tokens_list',
      'integrations_list',
      'organizationWebhooks_list',
      'auth_list_sso',
      'members_list',
    ] as const)
      expect((await send(id, { query: { limit: 1_000 } })).status).toBe(200);
    expect(canaries.planted).toBeGreaterThan(1_000);
  });

  it('come out nowhere: no log, no bus, no table, no metric, no answer', async () => {
    await sleep(1_000);
    const logs = Object.entries(onefold.processes).map(([name, { output }]) => [name, output()]);
    expect(logs.filter(([, log]) => log?.includes('"level":"debug"'))).not.toEqual([]);
    const metrics = await Promise.all(
      logs.map(async ([, log]) => {
        const observe = /"observe":"([^"]+)"/.exec(log ?? '')?.[1] ?? '';
        return await (await fetch(`${observe}/metrics`)).text();
      }),
    );
    const tables = await dumpDatabase(onefold.env?.['DATABASE_URL'] ?? '');
    expect(tables.filter((row) => row.startsWith('audit_records')).length).toBeGreaterThan(500);
    expect(overheard.length).toBeGreaterThan(1_000);
    const lines = logs.flatMap(([name, log]) =>
      (log ?? '').split('\n').map((line) => `${name} ${line}`),
    );
    for (const [where, texts] of Object.entries({
      logs: lines,
      overheard,
      tables,
      metrics,
      answers,
    })) {
      const leaks = texts.flatMap((text) =>
        canaries.foundIn(text).map((place) => `${place} in ${text.slice(0, 300)}`),
      );
      expect([where, leaks.slice(0, 5)]).toEqual([where, []]);
    }
  });

  it('would be found if they did', () => {
    const other = new Canaries();
    const canary = other.plant('here');
    for (const text of [canary, `x${canary}y`]) expect(other.foundIn(text)).toEqual(['here']);
    for (const shift of ['', 'a', 'ab'])
      expect(other.foundIn(Buffer.from(`${shift}:${canary}`).toString('base64'))).toHaveLength(1);
    expect(other.foundIn(Buffer.from(canary).toString('hex'))).toHaveLength(1);
  });
});
