import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BridgeGroups, type Group, stopIntervals } from './bridge-groups.js';
import { type Service, startService } from './service.js';

let service: Service;
let groups: BridgeGroups;

stopIntervals();
beforeAll(async () => {
  service = await startService();
  groups = new BridgeGroups(service);
});
afterEach(() => groups.stopAgents());
afterAll(() => service.stop());

/** Creates an integration of Linear at an address, reached through a group. @returns its token */
async function behind({ accountId, id }: Group, url: string): Promise<string> {
  const { token } = await groups.ask<{ token: { access: { secret: string } } }>(
    'POST',
    `/v1/integrations/${accountId}`,
    {
      bridge_selector: { type: 'id', value: id },
      provider_config: {
        type: 'ticketing_linear',
        url,
        credential: { type: 'token', secret: 'a token of linear' },
      },
    },
  );
  return token.access.secret;
}

describe('the status of a bridge group', () => {
  const canary = 'a-secret-that-stays-at-home';
  let host: Server;
  let origin: string;
  beforeAll(async () => {
    host = createServer((_incoming, response) => {
      response.setHeader('content-type', 'application/json');
      const nodes = [{ id: 't1', name: 'Plant', key: 'T' }];
      response.end(JSON.stringify({ data: { teams: { nodes } } }));
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    host.closeAllConnections();
    host.close();
  });

  /** Lets agents and gateways report until the status shows so many requests. */
  async function reported(plant: Group, requests: number) {
    for (;;) {
      jest.advanceTimersByTime(5_000);
      const agents = await groups.status(plant);
      const sum = agents.reduce((count, { local_stats: stats }) => count + stats.requests, 0);
      if (sum >= requests) return agents;
      await setTimeout(20);
    }
  }

  it('shows of each agent what it is, what it may do, and how it fares', async () => {
    const plant = await groups.create();
    const begun = new Date().toISOString();
    const first = await groups.connect(plant.credential, undefined, {
      allow: [{ origin, methods: ['POST'], paths: ['/graphql'] }],
      secrets: [
        {
          name: 'jira-prod',
          origins: ['https://jira.internal'],
          fields: { secret: { value: canary } },
        },
      ],
    });
    const listed = await service.call(
      'GET',
      '/v1/ticketing/projects',
      undefined,
      await behind(plant, origin),
    );
    expect([listed.status, listed.message]).toEqual([200, '']);
    const elsewhere = await behind(plant, 'https://elsewhere.internal');
    const refused = await service.call('GET', '/v1/ticketing/projects', undefined, elsewhere);
    expect(refused.status).toBe(502);
    const [shown] = await reported(plant, 2);
    if (shown === undefined) throw new Error('the status shows no agent');
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/) as unknown;
    expect(shown).toEqual({
      current_time: time,
      response_duration: expect.stringMatching(/^\d+\.\d{3}ms$/) as unknown,
      local_config: {
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as unknown,
        allow_addresses: [expect.stringContaining(origin) as unknown],
        vault: { 'jira-prod': 'https://jira.internal' },
      },
      local_stats: {
        requests: 2,
        failures: 1,
        in_bytes: expect.any(Number) as unknown,
        out_bytes: expect.any(Number) as unknown,
      },
      agent: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      host_name: hostname(),
      started_at: time,
      first_connected_at: time,
      connected_at: time,
      last_error: expect.stringContaining('elsewhere.internal') as unknown,
    });
    const { in_bytes: inBytes, out_bytes: outBytes } = shown.local_stats;
    expect(Math.min(inBytes, outBytes)).toBeGreaterThan(20); // The bodies of the request and of its response.
    expect(parseFloat(shown.response_duration)).toBeGreaterThan(0);
    for (const at of [shown.started_at, shown.first_connected_at, shown.connected_at])
      expect(at && at >= begun && at <= shown.current_time).toBe(true);
    expect(JSON.stringify(shown)).not.toContain(canary);

    // Started again it has counted nothing yet, and its key is known since before.
    await first.stop();
    await groups.connect(plant.credential, first.folder);
    const [again] = await groups.status(plant);
    expect(again).toMatchObject({
      agent: shown.agent,
      first_connected_at: shown.first_connected_at,
      local_stats: { requests: 0, failures: 0, in_bytes: 0, out_bytes: 0 },
    });
    expect(again).not.toHaveProperty('last_error');
    expect(again && again.connected_at && again.connected_at > (shown.connected_at ?? '')).toBe(
      true,
    );
  });

  it('lists each agent of the group, the longest connected first', async () => {
    const plant = await groups.create();
    const first = await groups.connect(plant.credential);
    const [one] = await groups.status(plant);
    await groups.connect(plant.credential);
    const both = await groups.status(plant);
    expect(both).toHaveLength(2);
    expect(both[0]?.agent).toBe(one?.agent);
    expect(both[1]?.agent).not.toBe(one?.agent);
    await first.stop();
    while ((await groups.status(plant)).length > 1) await setTimeout(20);
    expect((await groups.status(plant)).map(({ agent }) => agent)).toEqual([both[1]?.agent]);
  });
});
