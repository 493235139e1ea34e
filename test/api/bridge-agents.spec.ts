import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, importJWK, jwtVerify } from 'jose';
import pg from 'pg';
import type { BridgeAgent } from '#bus';
import { operationOf } from '#contract';
import { type Service, startService } from './service.js';
import { BridgeGroups, stopIntervals } from './bridge-groups.js';

const disconnected = /"message":"disconnected"/;

let service: Service;
let owner: pg.Client;
let groups: BridgeGroups;
/** Groups of the events that credentials are not valid any more; undefined for all. */
const changed: { organizationId: string; bridgeId?: string }[] = [];

stopIntervals();
beforeAll(async () => {
  service = await startService();
  groups = new BridgeGroups(service);
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  service.bus.subscribe('bridge.changed', (change) => changed.push(change));
});
afterEach(() => groups.stopAgents());
afterAll(async () => {
  await owner.end();
  await service.stop();
});

/** Resolves when the event of a group has arrived. */
async function arrived(bridgeId: string): Promise<void> {
  while (!changed.some((change) => change.bridgeId === bridgeId)) await setTimeout(20);
}

async function audited(bridgeId: string): Promise<{ code: string; path: string }[]> {
  return await groups.ask('GET', `/v1/audit/organizations?filter=bridge_group_id[eq]${bridgeId}`);
}

describe('the first agent of a bridge group', () => {
  it('makes connectors look integrations up again, which may say that there never was one', async () => {
    const changedFor: string[] = [];
    const stop = service.bus.subscribe('records.changed', ({ changes }) => {
      changedFor.push(...changes.map((change) => change.split(' ')[0] ?? ''));
    });
    try {
      const plant = await groups.create();
      changedFor.length = 0;
      const { folder } = await groups.connect(plant.credential);
      while (!changedFor.includes(plant.id)) await setTimeout(20);
      expect(folder).not.toBe('');
    } finally {
      stop();
    }
  });
});

describe('rotating the credential of a bridge group', () => {
  it('disconnects the agents, which come back with the new one alone, and are no new agents then', async () => {
    const plant = await groups.create();
    const other = await groups.create();
    const untouched = await groups.connect(other.credential);
    const before = [await groups.connect(plant.credential), await groups.connect(plant.credential)];
    const known = (await groups.status(plant)).map(({ agent }) => agent);
    expect(known).toHaveLength(2);
    const rotated = await groups.ask<{ bridge: object; credential: string }>(
      'POST',
      `${plant.path}/credential/rotate`,
    );
    expect(await groups.status(plant)).toEqual([]);
    for (const agent of before) {
      expect(await agent.says(disconnected)).toContain('its credential was rotated');
      await agent.says(/"message":"not connected"[^\n]*belongs to no bridge group, or was rotated/);
      await agent.stop();
    }
    for (const { folder } of before) await groups.connect(rotated.credential, folder);
    expect((await groups.status(plant)).map(({ agent }) => agent).sort()).toEqual(known.sort());
    const records = await audited(plant.id);
    expect(records.filter(({ code }) => code === 'bridge_agent_added')).toHaveLength(2);
    expect(records.filter(({ path }) => path.endsWith('/rotate'))).toMatchObject([{ code: '200' }]);
    expect(await groups.status(other)).toHaveLength(1);
    await untouched.stop();
  });

  it('shows the new one once: it is stored nowhere, and verified by the public key of the group', async () => {
    const plant = await groups.create();
    const key = 'rotate-once';
    const rotate = async () => {
      const response = await fetch(`${service.url}${plant.path}/credential/rotate`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.administrator.access}`,
          'idempotency-key': key,
        },
      });
      expect(response.status).toBe(200);
      return ((await response.json()) as { result: { credential: string; bridge: object } }).result;
    };
    expect(operationOf('bridges_rotate_credential').issues).toBe(true); // Sealed on the bus.
    const { credential, bridge } = await rotate();
    expect(bridge).toEqual(await groups.ask('GET', plant.path));
    expect(credential).not.toBe(plant.credential);
    // The response was lost on its way: the same key gets it again.
    expect((await rotate()).credential).toBe(credential);
    const { rows } = await owner.query<{ public_key: Record<string, unknown> }>(
      'select public_key from bridges where id = $1',
      [plant.id],
    );
    const publicKey = rows[0]?.public_key ?? {};
    expect(publicKey).not.toHaveProperty('d'); // The private key.
    await jwtVerify(credential, await importJWK(publicKey), { issuer: 'onefold' });
    await expect(jwtVerify(plant.credential, await importJWK(publicKey))).rejects.toThrow(
      'signature',
    );
    const { iat = 0, ...claims } = decodeJwt(credential);
    const { iat: former = 0, ...formerClaims } = decodeJwt(plant.credential);
    expect(claims).toEqual(formerClaims);
    expect(iat).toBeGreaterThanOrEqual(former);
    const signature = credential.split('.')[2] ?? '';
    for (const table of ['audit_records', 'bridges', 'idempotency_keys']) {
      const stored = await owner.query<{ row: string }>(`select t::text as row from ${table} t`);
      expect(stored.rows.length).toBeGreaterThan(0);
      for (const { row } of stored.rows) expect(row).not.toContain(signature);
    }
  });

  it('is a 404 for a group of another account, and needs the permission', async () => {
    const [mine, neighbour] = [await groups.create(), await groups.create()];
    const path = `/v1/bridges/${neighbour.accountId}/${mine.id}/credential/rotate`;
    expect((await service.call('POST', path)).status).toBe(404);
    const viewer = await groups.ask<{ primary: { access: { secret: string } } }>(
      'POST',
      '/v1/tokens',
      {
        permission_set: 'viewer',
        resources: { organizations: { ids: ['*'] } },
      },
    );
    const { status } = await service.call(
      'POST',
      `${mine.path}/credential/rotate`,
      undefined,
      viewer.primary.access.secret,
    );
    expect(status).toBe(403);
    await groups.connect(mine.credential);
  });

  it('ends sessions that the old one has just begun: the gateway is told with its first report', async () => {
    const plant = await groups.create();
    const agentOf = (index: number): BridgeAgent => ({
      key: `key-${index}`,
      instance: `process-${index}`,
      facts: { version: '1', host_name: 'h', started_at: '', allow_addresses: [], vault: {} },
    });
    const admit = (agent: BridgeAgent) =>
      service.bus.call('bridges.admit', {
        credential: plant.credential,
        agent,
        origin: {
          requestId: 'r',
          method: 'GET',
          path: '/bridges/connect',
          remoteAddress: '127.0.0.1',
          userAgent: 'spec',
        },
      });
    const tried = Array.from({ length: 30 }, (_, index) => agentOf(index));
    const [first, ...others] = tried;
    if (first === undefined) throw new Error('there is no agent');
    const early = await admit(first);
    const [, ...results] = await Promise.allSettled([
      groups.ask('POST', `${plant.path}/credential/rotate`),
      ...others.map(admit),
    ]);
    const admitted = [
      { ...first, session: early.session },
      ...results.flatMap((result, index) =>
        result.status === 'fulfilled' && others[index]
          ? [{ ...others[index], session: result.value.session }]
          : [],
      ),
    ];
    const stats = { requests: 0, failures: 0, in_bytes: 0, out_bytes: 0 };
    const { organizationId } = service.administrator;
    const { invalid } = await service.bus.call('bridges.report', {
      agents: admitted.map(({ key, instance, session }) => ({
        organizationId,
        bridgeId: plant.id,
        key,
        instance,
        session,
        stats,
        isConnected: true,
        responseMs: null,
      })),
    });
    expect([...invalid].sort()).toEqual(admitted.map(({ key }) => key).sort());
    await expect(admit(agentOf(99))).rejects.toThrow('belongs to no bridge group');
  });
});

describe('deleting what owns bridge groups', () => {
  it('disconnects the agents of a group, and no others', async () => {
    const [plant, other] = [await groups.create(), await groups.create()];
    const agent = await groups.connect(plant.credential);
    await groups.connect(other.credential);
    await groups.ask('DELETE', plant.path);
    expect(await agent.says(disconnected)).toContain('the bridge group was deleted');
    await agent.says(/"message":"not connected"[^\n]*belongs to no bridge group/);
    expect(await groups.status(other)).toHaveLength(1);
  });

  it('disconnects the agents of an account, and those of no other', async () => {
    const [plant, other] = [await groups.create(), await groups.create()];
    const { path } = plant;
    const second = await groups.ask<{ credential: string }>(
      'POST',
      `/v1/bridges/${plant.accountId}`,
      {},
    );
    const leaving = [
      await groups.connect(plant.credential),
      await groups.connect(second.credential),
    ];
    const staying = await groups.connect(other.credential);
    await groups.ask('DELETE', `/v1/accounts/${plant.accountId}`);
    for (const agent of leaving) {
      expect(await agent.says(disconnected)).toContain('the agent is not admitted any more');
      await agent.says(/"message":"not connected"[^\n]*belongs to no bridge group/);
    }
    expect((await service.call('GET', `${path}/status`)).status).toBe(404);
    expect(await groups.status(other)).toHaveLength(1);
    expect(staying.hasSaid(disconnected)).toBe(false);
  });

  it('tells the gateways nothing of an account without groups', async () => {
    const { account } = await groups.ask<{ account: { id: string } }>('POST', '/v1/accounts', {});
    const plant = await groups.create();
    const before = changed.length;
    await groups.ask('DELETE', `/v1/accounts/${account.id}`);
    await groups.ask('DELETE', plant.path); // Events arrive in the order of their transactions.
    await arrived(plant.id);
    expect(changed.slice(before).map(({ bridgeId }) => bridgeId)).toEqual([plant.id]);
  });

  it('disconnects the agents of a sub-organization, and those of no other', async () => {
    const sub = await groups.ask<{
      organization: { id: string };
      token: { access: { secret: string } };
    }>('POST', '/v1/suborgs', {});
    const plant = await groups.create(sub.token.access.secret);
    const other = await groups.create();
    const [leaving, staying] = [
      await groups.connect(plant.credential),
      await groups.connect(other.credential),
    ];
    await groups.ask('DELETE', `/v1/suborgs/${sub.organization.id}`);
    expect(await leaving.says(disconnected)).toContain('the agent is not admitted any more');
    await leaving.says(/"message":"not connected"[^\n]*belongs to no bridge group/);
    expect(await groups.status(other)).toHaveLength(1);
    expect(staying.hasSaid(disconnected)).toBe(false);
  });
});
