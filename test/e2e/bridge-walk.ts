import { copyFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningFake, startFake } from '#test/harness';
import { type AgentSettings, allowed, createGroup, startAgent, until } from './bridge-agents.js';
import type { Client } from './client.js';
import { newFolder, type Onefold } from './onefold.js';
import type { Running } from './processes.js';
import { ticketingSystems } from './ticketing-systems.js';
import { ticketingSystemWalk } from './ticketing-system-walk.js';

/** Bridge groups: agents as processes of their own, and calls through them. */
export function bridgeWalk(onefold: () => Onefold): void {
  const agents: Running[] = [];
  let linear: RunningFake;
  let accountId: string;
  const config = () => linear.configuration();

  beforeAll(async () => {
    linear = await startFake('linear');
    const { account } = (await onefold().api.call('accounts_create', { body: {} })).result;
    accountId = account.id;
  });
  afterAll(async () => {
    await Promise.all([...agents.map((one) => one.stop('SIGKILL')), linear.stop()]);
  });

  function agentOf(credential: string, settings: AgentSettings): Running {
    const agent = startAgent(onefold().api.url, credential, settings);
    agents.push(agent);
    return agent;
  }

  /** An integration of Linear behind a bridge, and a client with its token. */
  async function behind(bridge_selector: object): Promise<Client> {
    const { api } = onefold();
    const body = { provider_config: config() as never, bridge_selector: bridge_selector as never };
    const made = await api.call('integrations_create', { path: { accountId }, body });
    return api.as(made.result.token.access.secret);
  }

  const status = async (bridgeId: string) =>
    (await onefold().api.call('bridges_get_status', { path: { accountId, bridgeId } })).result;

  const [system] = ticketingSystems.filter(({ name }) => name === 'Linear');
  if (system === undefined) throw new Error('Linear has no walk');
  describe('the walk of ticketing', () => {
    let agent: Running | undefined;
    let url = '';
    afterAll(() => agent?.stop());
    ticketingSystemWalk(onefold, {
      ...system,
      name: 'Linear through a bridge',
      start: async () => {
        const running = await system.start();
        url = String(running.config['url']);
        return running;
      },
      bridge: async (api, ofAccount) => {
        const { id, credential } = await createGroup(api, ofAccount);
        agent = startAgent(api.url, credential, { allow: allowed(url) });
        await agent.says(/"message":"connected"/);
        return { type: 'id', value: id };
      },
    });
    it('goes through the agent, which logs each request without secrets', () => {
      const lines = agent?.output().split('\n') ?? [];
      expect(lines.filter((line) => line.includes('"message":"request"')).length).toBeGreaterThan(
        9,
      );
      expect(agent?.output()).not.toMatch(/authorization|\?/i);
      expect(agent?.output()).not.toContain(linear.credentials.secret);
    });
  });

  it('says that no agent is connected and since when, and reaches the next one', async () => {
    const { id, credential } = await createGroup(onefold().api, accountId);
    const tickets = await behind({ type: 'id', value: id });
    const none = await tickets.refuse('ticketing_list_projects', 503);
    expect(none.message).toMatch(
      /no agent of the bridge group "[^"]+" is connected; none ever was/,
    );
    const folder = newFolder();
    const first = agentOf(credential, { folder, allow: allowed(linear.url) });
    await first.says(/"message":"connected"/);
    await tickets.call('ticketing_list_projects');
    expect(await status(id)).toMatchObject([
      {
        local_config: { version: '0.2.0', allow_addresses: [expect.stringContaining(linear.url)] },
        host_name: expect.any(String) as unknown,
      },
    ]);
    await first.stop('SIGKILL');
    await until(async () => (await status(id)).length === 0);
    // Connectors resolve an integration once in a second.
    await until(async () => {
      const { message } = await tickets.refuse('ticketing_list_projects', 503);
      return /is connected; the last one was there at 20/.test(message);
    });
    const again = agentOf(credential, { folder, allow: allowed(linear.url) });
    await again.says(/"message":"connected"/);
    await tickets.call('ticketing_list_projects');
  });

  it('calls nothing that the file of the agent does not list, and follows no redirect', async () => {
    const { id, credential } = await createGroup(onefold().api, accountId);
    const tickets = await behind({ type: 'id', value: id });
    const cases: [object[], RegExp][] = [
      [
        [{ origin: 'https://elsewhere.internal' }],
        /refuses http:\/\/127\.0\.0\.1:\d+, which is not listed/,
      ],
      [[{ origin: new URL(linear.url).origin }], /the method is not listed/],
      [allowed(linear.url, { paths: ['/rest/*'] }), /the path is not listed/],
    ];
    for (const [allow, message] of cases) {
      const agent = agentOf(credential, { allow });
      await agent.says(/"message":"connected"/);
      const problem = await tickets.refuse('ticketing_list_projects', 502);
      expect(problem.message).toMatch(message);
      expect(problem.message).toContain('the policy of the bridge agent');
      await agent.says(/"message":"request refused"/);
      await agent.stop();
      await until(async () => (await status(id)).length === 0);
    }
  });

  it('chooses groups by labels, and shares work between agents', async () => {
    const { credential } = await createGroup(onefold().api, accountId, ['plant', 'north']);
    const tickets = await behind({ type: 'labels', value: ['north'] });
    const both = [
      agentOf(credential, { allow: allowed(linear.url) }),
      agentOf(credential, { allow: allowed(linear.url) }),
    ];
    for (const agent of both) await agent.says(/"message":"connected"/);
    await Promise.all(Array.from({ length: 20 }, () => tickets.call('ticketing_list_projects')));
    for (const agent of both) expect(agent.output()).toContain('"message":"request"');
    // A read that an agent took with it is answered by the other.
    const calls = Array.from({ length: 20 }, () => tickets.call('ticketing_list_projects'));
    await both[0]?.stop('SIGKILL');
    await Promise.all(calls);
  });

  it('disconnects the agents of a group that is deleted, which integrations prevent without force', async () => {
    const { api } = onefold();
    const { id, credential } = await createGroup(api, accountId);
    const agent = agentOf(credential, { allow: allowed(linear.url) });
    await agent.says(/"message":"connected"/);
    const path = { accountId, bridgeId: id };
    const { result } = await api.call('integrations_create', {
      path: { accountId },
      body: {
        name: 'behind-the-plant',
        provider_config: config() as never,
        bridge_selector: { type: 'id', value: id },
      },
    });
    const used = await api.refuse('bridges_delete', 409, { path });
    expect(used.message).toContain('behind-the-plant');
    await api.call('bridges_delete', { path, query: { force: true } });
    await agent.says(/"message":"disconnected"[^\n]*was deleted/, 5_000);
    await agent.says(/"message":"not connected"[^\n]*belongs to no bridge group/);
    const tickets = api.as(result.token.access.secret);
    const { message } = await tickets.refuse('ticketing_list_projects', 503);
    expect(message).toBe(`the integration selects the bridge group "${id}", and there is none`);
  });

  it('disconnects agents with a credential that is rotated, and takes those with the new one', async () => {
    const { api } = onefold();
    const { id, credential } = await createGroup(api, accountId);
    const tickets = await behind({ type: 'id', value: id });
    const [folder, allow] = [newFolder(), allowed(linear.url)];
    const agent = agentOf(credential, { folder, allow });
    await agent.says(/"message":"connected"/);
    const path = { accountId, bridgeId: id };
    const { result } = await api.call('bridges_rotate_credential', { path });
    await agent.says(/"message":"disconnected"[^\n]*was rotated/);
    await agent.says(/"message":"not connected"[^\n]*or was rotated/);
    await tickets.refuse('ticketing_list_projects', 503);
    await agent.stop();
    const again = agentOf(result.credential, { folder, allow });
    await again.says(/"message":"connected"/);
    await tickets.call('ticketing_list_projects');
  });

  it('refuses a copy of an agent that is connected, and audits it with each new agent', async () => {
    const { api } = onefold();
    const { id, credential } = await createGroup(api, accountId);
    const [folder, other] = [newFolder(), newFolder()];
    const agent = agentOf(credential, { folder, allow: [] });
    await agent.says(/"message":"connected"/);
    copyFileSync(join(folder, 'agent.key'), join(other, 'agent.key'));
    const copy = agentOf(credential, { folder: other, allow: [] });
    await copy.says(/"message":"not connected"[^\n]*another process with the key/);
    expect(await status(id)).toHaveLength(1);
    const records = async (code: string) =>
      (
        await api.call('audit_list', {
          query: { filter: [`bridge_group_id[eq]${id}`, `code[eq]${code}`] },
        })
      ).result;
    expect(await records('bridge_agent_added')).toHaveLength(1);
    expect((await records('bridge_agent_refused')).length).toBeGreaterThan(0);
  });

  it('answers requests that offer another protocol as if they did not', async () => {
    const { api } = onefold();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify({ fullname: 'x'.repeat(100_000) });
    const post = () =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        const headers = {
          ...api.headers,
          connection: 'Upgrade, HTTP2-Settings',
          upgrade: 'h2c',
          'http2-settings': 'AAMAAABk',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        };
        const sent = request(`${api.url}/v1/accounts`, { method: 'POST', headers, agent });
        sent.on('error', reject);
        sent.on('response', (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve([response.statusCode, text]));
        });
        sent.end(body);
      });
    for (let count = 0; count < 3; count += 1) {
      const [code, text] = await post();
      expect([code, text]).toEqual([400, expect.stringContaining('/fullname')]);
    }
    agent.destroy();
  });

  it('lets in nobody without a valid credential of a group', async () => {
    const { credential } = await createGroup(onefold().api, accountId);
    const [head, , signature] = credential.split('.');
    const claims = Buffer.from(
      JSON.stringify({ iss: 'onefold', sub: 'brg_1', organization_id: 'org_1' }),
    );
    for (const forged of [
      `${head}.${claims.toString('base64url')}.${signature}`,
      `${credential.slice(0, -8)}AAAAAAAA`,
    ]) {
      const agent = agentOf(forged, { allow: [] });
      await agent.says(/"message":"not connected"[^\n]*belongs to no bridge group/);
      await agent.stop();
    }
  });
}
