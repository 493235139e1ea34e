import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bus } from '#bus';
import { mintToken } from '#secrets';
import { until } from '#test/harness';
import { isAgentRequest } from '../../../apps/gateway/src/agent-request.js';
import { BridgeAgents } from '../../../apps/gateway/src/bridge-agents.js';
import { BridgeEndpoint } from '../../../apps/gateway/src/bridge-endpoint.js';
import { Callers, maxCallers } from '../../../apps/gateway/src/callers.js';
import { ClientAddresses } from '../../../apps/gateway/src/client-address.js';
import { GatewayAdapter, maxConnections } from '../../../apps/gateway/src/gateway-adapter.js';
import { maxRunning, maxWaiting } from '../../../apps/gateway/src/lookup-limiter.js';
import { maxPending, maxPendingOfAddress } from '../../../apps/gateway/src/pending-agents.js';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A gateway without operations, whose management service admits nobody. */
const bus = {
  subscribe: () => () => undefined,
  call: () => Promise.reject(new Error('no agent is admitted here')),
} as unknown as Bus;
const agents = new BridgeAgents(bus);
const endpoint = new BridgeEndpoint(bus, agents, new ClientAddresses({ proxyHops: 1 } as never));
const adapter = new GatewayAdapter();
let server: Server;
let port = 0;
beforeAll(async () => {
  adapter.initHttpServer();
  server = adapter.getHttpServer();
  adapter.serveFirst((_request, response) => {
    response.end('answered');
    return true;
  });
  adapter.onUpgrade(isAgentRequest, (request, socket, head) =>
    endpoint.handle(request, socket, head),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  agents.onModuleDestroy();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Lets the other end of a socket do something. */
type Ending = (socket: Socket) => void | Promise<void>;

describe('a connection to the gateway', () => {
  const bound = 50;
  const head = 'GET / HTTP/1.1\r\nHost: a\r\n';
  const endings: Record<string, Ending> = {
    'sends nothing': () => undefined,
    'sends half a request': (socket) => void socket.write(head),
    'sends half a body, and leaves': (socket) => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf');
      socket.destroy();
    },
    'sends something else than HTTP': (socket) => void socket.write('\0\0\0\0\r\n\r\n'),
    'is answered, and stays': async (socket) => {
      socket.write(`${head}\r\n`);
      await once(socket, 'data');
    },
    'is answered, and is killed': async (socket) => {
      socket.write(`${head}\r\n`);
      await once(socket, 'data');
      socket.resetAndDestroy();
    },
    'is killed': (socket) => void socket.resetAndDestroy(),
  };
  const timeouts = () => [server.maxConnections, server.headersTimeout, server.keepAliveTimeout];

  it.each(Object.entries(endings))('is counted no more when its client %s', async (_, end) => {
    const [max = 0, headersMs = 0, keepAliveMs = 0] = timeouts();
    expect(max).toBe(maxConnections);
    server.maxConnections = bound;
    [server.headersTimeout, server.keepAliveTimeout] = [100, 100];
    try {
      const all = await Promise.all(Array.from({ length: bound }, open));
      await until(() => adapter.connections === bound);
      const beyond = await open();
      beyond.resume();
      await until(() => beyond.closed);
      expect(adapter.connections).toBe(bound);
      for (const socket of all) socket.resume();
      for (const socket of all) await end(socket);
      await until(() => adapter.connections === 0);
    } finally {
      [server.maxConnections, server.headersTimeout, server.keepAliveTimeout] = [
        max,
        headersMs,
        keepAliveMs,
      ];
    }
  });
});

describe('an agent that is not admitted yet', () => {
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n';
  const frame = (...bytes: number[]) => Buffer.from([0x82, ...bytes]);
  const endings: Record<string, Ending> = {
    'does not answer the challenge, and stays': () => undefined,
    'does not answer the challenge, and leaves': (socket) => void socket.end(),
    'sends half an answer, and stays': (socket) => void socket.write(frame(0x85, 0, 0, 0, 0, 1)),
    'sends a frame without a message': (socket) => void socket.write(frame(0x81, 0, 0, 0, 0, 0xff)),
    'sends a frame that no client may send': (socket) => void socket.write(frame(1, 0)),
    'is killed': (socket) => void socket.resetAndDestroy(),
  };
  let block = 0;

  async function upgrade(address: string, headers = key): Promise<[Socket, number]> {
    const socket = await open();
    socket.write(
      `GET /bridges/connect HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer a.b.c\r\n${headers}\r\n`,
    );
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.resume();
    return [socket, Number(first.toString().split(' ')[1])];
  }

  it.each(Object.entries(endings))('has no place any more when it %s', async (_, end) => {
    block += 1;
    const address = (n: number) => `10.${block}.0.${Math.floor(n / maxPendingOfAddress)}`;
    const all = await Promise.all(
      Array.from({ length: maxPending }, (_none, n) => upgrade(address(n))),
    );
    expect(all.filter(([, status]) => status !== 101)).toEqual([]);
    expect(endpoint.pendingAgents).toBe(maxPending);
    expect((await upgrade(address(0)))[1]).toBe(429);
    expect((await upgrade(`10.${block}.1.1`))[1]).toBe(101); // in place of the oldest
    expect(endpoint.pendingAgents).toBe(maxPending);
    for (const socket of sockets) void end(socket);
    await until(() => endpoint.pendingAgents === 0);
    await until(() => adapter.connections === 0);
  });

  it('has no place any more when its handshake is refused', async () => {
    for (let n = 0; n < maxPendingOfAddress + 5; n += 1)
      expect((await upgrade('10.255.0.1', ''))[1]).toBe(400);
    await until(() => endpoint.pendingAgents === 0);
  });
});

/** Callers whose look-ups end as a test says. */
function openCallers() {
  const pending: { settle: (found: unknown) => void; fail: (error: Error) => void }[] = [];
  const callers = new Callers({
    subscribe: () => () => undefined,
    onReconnect: () => () => undefined,
    call: (name: string) =>
      new Promise((settle, fail) => {
        if (name === 'tokens.introspect') pending.push({ settle, fail });
      }),
  } as unknown as Bus);
  let n = 0;
  /** Begins a look-up, from few enough of each address that none is braked. */
  const find = () => {
    n += 1;
    const remoteAddress = `10.0.${Math.floor(n / 2_000)}.${Math.floor(n / 20) % 100}`;
    return Promise.resolve(
      callers.find(mintToken('ofo_'), () => ({ requestId: '', remoteAddress }) as never),
    );
  };
  return { callers, pending, find };
}

const valid = { caller: {}, kind: 'access', expiresAt: Number.MAX_VALUE };

describe('a look-up of a token', () => {
  const endings: Record<string, (one: ReturnType<typeof openCallers>['pending'][number]) => void> =
    {
      'is not answered in time': ({ fail }) => fail(new Error('the deadline has passed')),
      'finds nobody': ({ settle }) => settle(null),
      'finds a token that has expired': ({ settle }) => settle({ ...valid, expiresAt: 0 }),
      'finds a caller': ({ settle }) => settle(valid),
    };

  it.each(Object.entries(endings))('has no place any more when it %s', async (_, end) => {
    const { callers, pending, find } = openCallers();
    const all = Promise.allSettled(Array.from({ length: maxRunning + maxWaiting }, find));
    expect(callers.held.lookups).toBe(maxRunning + maxWaiting);
    await expect(find()).rejects.toMatchObject({ status: 503 });
    let isOver = false;
    void all.then(() => (isOver = true));
    while (!isOver) {
      expect(pending.length).toBeLessThanOrEqual(maxRunning);
      pending.splice(0).forEach(end);
      await new Promise((settle) => setImmediate(settle));
    }
    expect(callers.held.lookups).toBe(0);
  });
});

describe('a caller that is known', () => {
  it('makes room for the next one at the bound', async () => {
    const { callers, pending, find } = openCallers();
    for (let n = 0; n <= maxCallers; n += 1) {
      const found = find();
      pending.pop()?.settle(valid);
      await found;
    }
    expect(callers.held.known).toBe(maxCallers);
  });
});
