import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Server as TcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { type AgentFacts, connectPath, protocolVersion, ServerLink, writeHello } from '#bridge';
import { TestAuthority } from '#test/harness';
import { BridgeGroups } from './bridge-groups.js';
import { type Service, startService } from './service.js';
import { TestAgent } from './test-agent.js';

const testMs = 120_000;

let service: Service;
let groups: BridgeGroups;
const closing: (() => void)[] = [];

beforeAll(async () => {
  service = await startService();
  groups = new BridgeGroups(service);
}, testMs);
afterEach(async () => {
  await groups.stopAgents();
  for (const close of closing.splice(0)) close();
}, testMs);
afterAll(() => service.stop());

const portOf = (server: TcpServer | Server) => (server.address() as AddressInfo).port;

/** Connects two sockets, and destroys them after the test. */
function relay(one: Socket, other: Socket): void {
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    socket.on('error', () => peer.destroy());
    socket.on('close', () => peer.destroy());
    socket.pipe(peer);
  }
  closing.push(() => one.destroy());
}

describe('the connection of an agent', () => {
  let authority: TestAuthority;
  beforeAll(() => {
    authority = new TestAuthority();
  });
  afterAll(() => authority.remove());

  /** Puts TLS before the service, as a load balancer does. @returns its address */
  async function serveTls(): Promise<string> {
    const { certificate: cert, key } = authority.issue('gateway');
    const server = createTlsServer({ cert, key }, (socket) =>
      relay(socket, connect(Number(new URL(service.url).port), '127.0.0.1')),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.on('tlsClientError', () => undefined); // An agent that does not trust the certificate.
    closing.push(() => server.close());
    return `https://localhost:${portOf(server)}`;
  }

  /** Starts an HTTP proxy. @returns its address, and the hosts that it was asked for */
  async function startProxy(): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const server = createServer((_request, response) => response.writeHead(405).end());
    server.on('connect', ({ url = '' }, socket: Socket) => {
      asked.push(url);
      const [, port] = url.split(':');
      const target = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        relay(socket, target);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    return { url: `http://127.0.0.1:${portOf(server)}`, asked };
  }

  /** A folder with the certificate of the authority. */
  function folderWithAuthority(): string {
    const folder = mkdtempSync(join(tmpdir(), 'onefold-agent-'));
    writeFileSync(join(folder, 'ca.pem'), authority.certificate);
    return folder;
  }

  it(
    'is over TLS, by an authority of its file, and by no other',
    async () => {
      const server = await serveTls();
      const plant = await groups.create();
      const stranger = new TestAgent();
      await stranger.start(server, plant.credential);
      await stranger.says(/"message":"not connected"[^\n]*certificate/);
      expect(await groups.status(plant)).toEqual([]);
      await stranger.stop();
      const agent = new TestAgent(folderWithAuthority());
      await agent.start(server, plant.credential, { server_ca_file: 'ca.pem' });
      await agent.says(/"message":"connected"/);
      expect(await groups.status(plant)).toHaveLength(1);
      await agent.stop();
    },
    testMs,
  );

  it(
    'is through the proxy of HTTPS_PROXY, unless NO_PROXY names the server',
    async () => {
      const server = await serveTls();
      const proxy = await startProxy();
      const plant = await groups.create();
      const start = async (environment: Record<string, string>) => {
        const agent = new TestAgent(folderWithAuthority());
        await agent.start(server, plant.credential, { server_ca_file: 'ca.pem' }, environment);
        await agent.says(/"message":"connected"/);
        await agent.stop();
      };
      await start({ HTTPS_PROXY: proxy.url, NO_PROXY: 'localhost' });
      expect(proxy.asked).toEqual([]);
      await start({ HTTPS_PROXY: proxy.url });
      expect(proxy.asked).toEqual([new URL(server).host]);
    },
    testMs,
  );
});

describe('an agent of another version', () => {
  const facts: AgentFacts = {
    version: '9.9.9',
    host_name: 'plant',
    started_at: new Date().toISOString(),
    allow_addresses: [],
    vault: {},
  };

  /** Connects with a version of the protocol. @returns what the gateway makes of it */
  async function connectAs(protocol: number, credential: string): Promise<string> {
    const { privateKey } = generateKeyPairSync('ed25519');
    const headers = { authorization: `Bearer ${credential}` };
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}${connectPath}`, { headers });
    closing.push(() => socket.terminate());
    const link = new ServerLink(socket, () => Promise.reject(new Error('no requests')));
    const admitted = new Promise<string>((resolve) =>
      link.onMessage(({ type, nonce }) => {
        if (type === 'admitted') resolve('admitted');
        if (type !== 'challenge') return;
        const hello = { protocol, instance: `process ${protocol}`, facts };
        link.tell(writeHello(hello, { privateKey, nonce: String(nonce), credential }));
        link.tell({ type: 'something new' }); // The gateway ignores messages that it does not know.
      }),
    );
    return await Promise.race([admitted, link.ended]);
  }

  it(
    'is admitted when it is one version ahead or behind, and refused by name when it is two',
    async () => {
      const plant = await groups.create();
      for (const protocol of [protocolVersion - 1, protocolVersion, protocolVersion + 1])
        expect([protocol, await connectAs(protocol, plant.credential)]).toEqual([
          protocol,
          'admitted',
        ]);
      expect(await groups.status(plant)).toHaveLength(3);
      for (const protocol of [protocolVersion - 2, protocolVersion + 2])
        expect(await connectAs(protocol, plant.credential)).toMatch(
          /the agent speaks version \S+ of the protocol, and the gateway 1: install a newer/,
        );
      expect(await connectAs(NaN, plant.credential)).toMatch(/did not say which version/); // null in JSON
      expect(await groups.status(plant)).toHaveLength(3);
    },
    testMs,
  );
});

describe('calls of a group', () => {
  it(
    'go to the agent that has fewer of them under way',
    async () => {
      const answers: (() => void)[] = [];
      const host = createServer((_incoming, response) => {
        response.setHeader('content-type', 'application/json');
        answers.push(() => response.end(JSON.stringify({ data: { teams: { nodes: [] } } })));
      }).listen(0, '127.0.0.1');
      await once(host, 'listening');
      closing.push(() => host.close());
      const url = `http://127.0.0.1:${portOf(host)}`;
      const plant = await groups.create();
      const { token } = await groups.ask<{ token: { access: { secret: string } } }>(
        'POST',
        `/v1/integrations/${plant.accountId}`,
        {
          bridge_selector: { type: 'id', value: plant.id },
          provider_config: {
            type: 'ticketing_linear',
            url,
            credential: { type: 'token', secret: 'a token of linear' },
          },
        },
      );
      const path = '/v1/ticketing/projects';
      const call = () => service.call('GET', path, undefined, token.access.secret);
      const calls: ReturnType<typeof call>[] = [];
      const begin = async (count: number) => {
        const before = answers.length;
        for (let made = 0; made < count; made += 1) calls.push(call());
        while (answers.length < before + count) await setTimeout(20);
      };
      const settings = { allow: [{ origin: url, methods: ['POST'] }] };
      const early = await groups.connect(plant.credential, undefined, settings);
      await begin(2);
      const late = await groups.connect(plant.credential, undefined, settings);
      await begin(2); // Both to the agent that has fewer.
      for (const answer of answers) answer();
      for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
      const requestsOf = async (agent: TestAgent) => {
        while (agent.count(/"message":"request"/) < 2) await setTimeout(20);
        return agent.count(/"message":"request"/);
      };
      expect([await requestsOf(early), await requestsOf(late)]).toEqual([2, 2]);
    },
    testMs,
  );
});
