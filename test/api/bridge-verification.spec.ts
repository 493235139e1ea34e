import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Problem, VerificationCheck } from '#contract';
import { BridgeGroups, type Group } from './bridge-groups.js';
import { type Service, startService } from './service.js';

const [user, projects] = ['/users/current.json', '/projects.json'];

let service: Service;
let groups: BridgeGroups;
let plant: Group;
/** Stands in for Redmine. */
let host: Server;
let origin: string;
let status: number;

beforeAll(async () => {
  service = await startService();
  groups = new BridgeGroups(service);
  host = createServer(({ url }, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    const lists = { issues: [], total_count: url?.startsWith(projects) ? 1 : 0 };
    response.end(JSON.stringify({ ...lists, errors: ['says the provider'] }));
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  status = 200;
  plant = await groups.create();
});
afterEach(() => groups.stopAgents());
afterAll(async () => {
  host.closeAllConnections();
  host.close();
  await service.stop();
});

interface Verified {
  status: number;
  message?: string;
  type?: string;
  remediation?: string;
  checks?: readonly VerificationCheck[];
  /** Notes beside a success. */
  messages?: { problems?: readonly { message: string }[] };
}

const inline = { type: 'token', secret: 'an API key of redmine' };

function integration(url: string, more: object = {}): object {
  return {
    provider_config: { type: 'ticketing_redmine', url, credential: inline },
    bridge_selector: { type: 'id', value: plant.id },
    ...more,
  };
}

async function post(path: string, body?: object): Promise<Verified> {
  const response = await fetch(`${service.url}/v1/integrations/${plant.accountId}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.administrator.access}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Partial<Problem> & Partial<Verified>;
  const checks = answer.checks ?? answer.context?.checks;
  return { ...answer, status: response.status, ...(checks ? { checks } : {}) };
}

const verify = (body: object) => post('/verify', { integration: body });
const allow = (more: object = {}, at = origin) => ({ allow: [{ origin: at, ...more }] });
const containing = (text: string) => expect.stringContaining(text) as unknown;

describe('verification through a bridge', () => {
  it('passes, with a list of the calls that the agent made', async () => {
    const agent = await groups.connect(plant.credential, undefined, allow());
    const { checks, ...answer } = await verify(integration(origin));
    expect(answer).toEqual({ status: 200 });
    expect(checks?.map(({ passed }) => passed)).toEqual([true, true]);
    for (const path of [user, projects])
      await agent.says(new RegExp(`"message":"request","method":"GET"[^\n]*"path":"${path}"`));
  });

  it('names the bridge when it has no agent, or there is none', async () => {
    expect(await verify(integration(origin))).toMatchObject({
      status: 503,
      type: 'urn:onefold:problem:bridge-unavailable',
      message: containing('is connected; none ever was'),
      remediation: containing('Start a bridge agent'),
    });
    const bridge_selector = { type: 'labels', value: ['north', 'south'] };
    expect(await verify(integration(origin, { bridge_selector }))).toMatchObject({
      status: 503,
      type: 'urn:onefold:problem:bridge-unavailable',
      message:
        'the integration selects the bridge groups with the labels north, south, and there is none',
      remediation: containing('Create the group'),
    });
  });

  it('names the policy of the agent, with all paths that its allow-list lacks', async () => {
    const agent = await groups.connect(
      plant.credential,
      undefined,
      allow({ paths: ['/issues/*'] }),
    );
    const { checks, ...refused } = await verify(integration(origin));
    expect(refused).toMatchObject({
      status: 400,
      message: containing('the policy of the bridge agent refuses'),
      remediation: containing('allow-list in the file of the agents'),
    });
    expect(checks).toMatchObject(
      [user, projects].map((path) => ({ passed: false, message: containing(path) })),
    );
    await agent.stop();
    await groups.connect(plant.credential, undefined, allow({ paths: [user] }));
    const half = await verify(integration(origin));
    expect(half.checks?.map(({ passed }) => passed)).toEqual([true, false]);
    expect(half.message).toContain(projects);
  });

  it('names the policy of the agent for a host that is not listed, and a method', async () => {
    await groups.connect(plant.credential, undefined, allow({ methods: ['POST'] }));
    for (const [url, reason] of [
      ['https://elsewhere.internal', 'https://elsewhere.internal, which is not listed'],
      [origin, 'the method is not listed'],
    ] as const)
      expect(await verify(integration(url))).toMatchObject({
        status: 400,
        message: expect.stringMatching(/^the policy of the bridge agent refuses/) as unknown,
        checks: [{ message: containing(reason) }, { message: containing(reason) }],
      });
  });

  it('names the agent when it does not have the secret, or not for the host', async () => {
    const secrets = [
      {
        name: 'other',
        origins: ['https://other.internal'],
        fields: { secret: { value: 'a secret' } },
      },
    ];
    await groups.connect(plant.credential, undefined, { ...allow(), secrets });
    for (const [name, reason] of [
      ['redmine', 'has no secret "redmine"'],
      ['other', `does not send the secret "other" to ${origin}`],
    ] as const) {
      const { id } = await groups.ask<{ id: string }>(
        'POST',
        `/v1/credentials/${plant.accountId}`,
        { config: { type: 'bridge', name } },
      );
      const credential = { type: 'token_id', value: id };
      const provider_config = { type: 'ticketing_redmine', url: origin, credential };
      expect(await verify(integration(origin, { provider_config }))).toMatchObject({
        status: 400,
        message: containing(reason),
        remediation: containing('its name, its fields and its origins'),
      });
    }
  });

  it('says that the agent does not reach the provider', async () => {
    const closed = 'http://127.0.0.1:9';
    await groups.connect(plant.credential, undefined, allow({}, closed));
    expect(await verify(integration(closed))).toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /^Redmine cannot be reached: .*from the bridge agent/,
      ) as unknown,
    });
  });

  it('names the provider when it refuses or fails', async () => {
    await groups.connect(plant.credential, undefined, allow());
    for (const [refusal, message] of [
      [401, /^Redmine refuses its credential/],
      [403, /^Redmine does not permit this/],
      [500, /^Redmine answers 500/],
    ] as const) {
      status = refusal;
      const answer = await verify(integration(origin));
      expect(answer).toMatchObject({
        status: 400,
        message: expect.stringMatching(message) as unknown,
      });
      expect(answer.message).not.toMatch(/bridge|agent|policy/);
    }
  });

  it('tells the same of an integration that is stored', async () => {
    const agent = await groups.connect(plant.credential, undefined, allow({ paths: [user] }));
    const made = await groups.ask<{ integration: { id: string } }>(
      'POST',
      `/v1/integrations/${plant.accountId}`,
      integration(origin),
    );
    const stored = `/${made.integration.id}/verify`;
    expect((await post(stored)).message).toMatch(/^the policy of the bridge agent refuses/);
    await agent.stop();
    await groups.connect(plant.credential, agent.folder, allow());
    expect((await post(stored)).status).toBe(200);
    status = 401;
    expect((await post(stored)).message).toMatch(/^Redmine refuses the credential crd_/);
  });

  it('says in a note that the allow-list lacks what lists records', async () => {
    await groups.connect(plant.credential, undefined, allow({ paths: [user, projects] }));
    const { status: passed, messages } = await verify(integration(origin));
    expect(passed).toBe(200);
    expect(messages?.problems).toMatchObject([
      {
        message: expect.stringMatching(
          /the policy of the bridge agent refuses GET [^ ]*issues/,
        ) as unknown,
      },
    ]);
  });
});
