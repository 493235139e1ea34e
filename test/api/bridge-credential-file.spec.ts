import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BridgeGroups, type Group, stopIntervals } from './bridge-groups.js';
import { type Service, startService } from './service.js';
import type { TestAgent } from './test-agent.js';

const testMs = 120_000;

let service: Service;
let groups: BridgeGroups;
let host: Server;
let origin: string;
/** Requests to the host whose responses are kept back. */
const held: (() => void)[] = [];
let isHolding = false;

stopIntervals();
beforeAll(async () => {
  service = await startService();
  groups = new BridgeGroups(service);
  host = createServer((_incoming, response) => {
    const answer = () => response.end(JSON.stringify({ data: { teams: { nodes: [] } } }));
    response.setHeader('content-type', 'application/json');
    if (isHolding) held.push(answer);
    else answer();
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const answer of held) answer();
  await groups.stopAgents();
});
afterAll(async () => {
  host.closeAllConnections();
  host.close();
  await service.stop();
});

const allow = () => [{ origin, methods: ['POST'] }];

/** Starts an agent that has its credential in a file. */
async function withFile(credential: string): Promise<{ agent: TestAgent; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-agent-'));
  const file = join(folder, 'credential');
  writeFileSync(file, credential);
  const settings = { credential_file: 'credential', allow: allow() };
  return { agent: await groups.connect('not.the.one', folder, settings), file };
}

/** Creates an integration behind a group. @returns a function that calls it */
async function caller({ accountId, id }: Group): Promise<() => Promise<[number, string]>> {
  const { token } = await groups.ask<{ token: { access: { secret: string } } }>(
    'POST',
    `/v1/integrations/${accountId}`,
    {
      bridge_selector: { type: 'id', value: id },
      provider_config: {
        type: 'ticketing_linear',
        url: origin,
        credential: { type: 'token', secret: 'a token of linear' },
      },
    },
  );
  return async () => {
    const path = '/v1/ticketing/projects';
    const { status, message } = await service.call('GET', path, undefined, token.access.secret);
    return [status, message];
  };
}

/** Makes a call that the host does not answer before {@link release}. */
async function hold(call: () => Promise<[number, string]>): Promise<Promise<[number, string]>[]> {
  isHolding = true;
  const calls = [call()];
  while (held.length < calls.length) await setTimeout(20);
  isHolding = false;
  return calls;
}

function release(): void {
  for (const answer of held.splice(0)) answer();
}

async function waitFor(group: Group, agents: number): Promise<void> {
  while ((await groups.status(group)).length !== agents) await setTimeout(20);
}

describe('an agent whose credential is in a file', () => {
  it(
    'connects with the one that rotation returned once it is in the file, without a new start',
    async () => {
      const plant = await groups.create();
      const { agent, file } = await withFile(plant.credential);
      const [before] = await groups.status(plant);
      const rotate = `${plant.path}/credential/rotate`;
      const { credential } = await groups.ask<{ credential: string }>('POST', rotate);
      await agent.says(/"message":"not connected"[^\n]*or was rotated/);
      writeFileSync(file, `${credential}\n`);
      await waitFor(plant, 1);
      const [after] = await groups.status(plant);
      const same = { agent: before?.agent, started_at: before?.started_at };
      expect(after).toMatchObject(same);
      expect(await (await caller(plant))()).toEqual([200, '']);
      expect(agent.hasSaid(new RegExp(credential.slice(-20)))).toBe(false);
    },
    testMs,
  );

  it(
    'goes on with the last one while there is none in the file',
    async () => {
      const plant = await groups.create();
      const { agent, file } = await withFile(plant.credential);
      writeFileSync(file, 'half of a cred');
      await agent.says(/"message":"credential not read"[^\n]*is not valid/);
      expect(await (await caller(plant))()).toEqual([200, '']);
      expect(agent.hasSaid(/"message":"disconnected"/)).toBe(false);
    },
    testMs,
  );

  it(
    'goes to the group of another one, when it has answered what the first one has sent',
    async () => {
      const [first, second] = [await groups.create(), await groups.create()];
      const { agent, file } = await withFile(first.credential);
      const [ofFirst, ofSecond] = [await caller(first), await caller(second)];
      const [call] = await hold(ofFirst);
      writeFileSync(file, second.credential);
      await waitFor(second, 1);
      expect(await ofSecond()).toEqual([200, '']);
      expect(agent.hasSaid(/"message":"disconnected"/)).toBe(false);
      release();
      expect(await call).toEqual([200, '']);
      await agent.says(/"message":"disconnected"[^\n]*the agent has moved/);
      await waitFor(first, 0);
      expect(await ofFirst()).toEqual([
        503,
        expect.stringContaining('no agent of the bridge group'),
      ]);
      expect(await ofSecond()).toEqual([200, '']);
    },
    testMs,
  );
});

describe('a bridge group whose only agent is leaving', () => {
  it(
    'is served by one that comes meanwhile',
    async () => {
      const plant = await groups.create();
      const call = await caller(plant);
      const leaving = await groups.connect(plant.credential, undefined, { allow: allow() });
      const [underWay] = await hold(call);
      const left = leaving.stop();
      await groups.connect(plant.credential, undefined, { allow: allow() });
      expect(await call()).toEqual([200, '']);
      release();
      expect(await underWay).toEqual([200, '']);
      await left;
      await waitFor(plant, 1);
      expect(await call()).toEqual([200, '']);
    },
    testMs,
  );
});
