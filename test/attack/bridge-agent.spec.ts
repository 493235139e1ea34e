import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '#test/harness';
import { type Running, startApp } from '../e2e/processes.js';
import { LyingGateway, type LyingConnection } from './lying-gateway.js';
import { Random } from './random.js';

/** Bytes that a gateway can send before an agent that does not read it leaves: those of buffers of both ends, and no part of 1 GB. */
const maxBufferedBytes = 64 * 2 ** 20;
const maxRequests = 256;

describe('an agent, as a process, whose server lies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-lied-to-'));
  const servers: Server[] = [];
  let gateway: LyingGateway;
  let agent: Running;
  let connection: LyingConnection;
  let listed = '';
  let unlisted = '';
  let reached: string[] = [];
  /** Lets the requests of the path /held end. */
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  beforeAll(async () => {
    unlisted = await serve(({ method, url }, response) => {
      reached.push(`unlisted ${method} ${url}`);
      response.end();
    });
    listed = await serve(({ method, url }, response) => {
      reached.push(`${method} ${url}`);
      if (url === '/away') response.writeHead(302, { location: `${unlisted}/stolen` });
      if (url !== '/held') response.end('ok');
      else void held.then(() => response.end('ok'));
    });
    gateway = await LyingGateway.start();
    const file = join(folder, 'bridge-agent.json');
    const allow = [{ origin: listed, methods: ['GET'] }];
    writeFileSync(file, JSON.stringify({ server: gateway.url, key_file: 'agent.key', allow }));
    agent = startApp('bridge-agent', [file], { BRIDGE_CREDENTIAL: 'a.b.c' });
    connection = await gateway.next();
  });
  afterAll(async () => {
    const { code } = await agent.stop();
    gateway.stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(folder, { recursive: true, force: true });
    expect(code).toBe(0);
  });

  const get = (url: string) => connection.call({ method: 'GET', url });
  /** Lines of the agent's log with this text, since it has started. */
  const logged = (text: string) =>
    agent
      .output()
      .split('\n')
      .filter((line) => line.includes(text));
  async function serves(): Promise<void> {
    expect(await get(`${listed}/still`)).toMatchObject({ head: { status: 200 }, body: 'ok' });
    expect([agent.child.exitCode, agent.child.signalCode]).toEqual([null, null]);
  }

  it('refuses and logs what its file does not list, whatever the server tells of the policy', async () => {
    reached = [];
    const allow = [{ origin: unlisted, methods: ['GET', 'DELETE'] }];
    for (const type of ['policy', 'allow', 'config', 'admitted', 'challenge'])
      connection.tell({ type, allow, nonce: 'another' });
    const cases = [
      { method: 'GET', url: `${unlisted}/stolen`, path: '/stolen', why: 'which is not listed' },
      { method: 'DELETE', url: `${listed}/a`, path: '/a', why: 'the method is not listed' },
      { method: 'CONNECT', url: `${listed}/a`, path: '/a', why: 'the method is not listed' },
      { method: 'GET', url: listed.replace('//', '//u:p@'), path: '/', why: 'with a user' },
    ];
    for (const { method, url, path, why } of cases) {
      const { head } = await connection.call({ method, url, headers: { host: unlisted } });
      const message = expect.stringContaining(why) as unknown;
      expect(head).toMatchObject({ failure: { reason: 'refused', is_sent: false, message } });
      const line = `"request refused","method":"${method}"[^\n]*"path":"${path}"[^\n]*${why}`;
      await agent.says(new RegExp(line));
    }
    expect(reached).toEqual([]);
    await serves();
  });

  it('follows no redirect to a host that is not listed', async () => {
    reached = [];
    const { head } = await get(`${listed}/away`);
    expect(head).toMatchObject({ status: 302, headers: { location: `${unlisted}/stolen` } });
    expect(reached).toEqual(['GET /away']);
    await serves();
  });

  it('takes 256 of ten thousand calls at once, refuses and logs the others, and goes on', async () => {
    reached = [];
    const heads = Array.from({ length: 10_000 }, () => get(`${listed}/held`));
    const refused = heads.slice(maxRequests);
    for (const { head } of await Promise.all(refused))
      expect(head).toMatchObject({ failure: { reason: 'busy', is_sent: false } });
    release();
    for (const { head } of await Promise.all(heads.slice(0, maxRequests)))
      expect(head).toMatchObject({ status: 200 });
    expect(reached).toHaveLength(maxRequests);
    await serves();
    // Requests that were answered are logged behind those that were refused, so the log is complete then.
    await until(() => logged('"path":"/held"').length >= maxRequests);
    expect(logged('more requests at once than the agent takes')).toHaveLength(refused.length);
  });

  it('ends the connection at garbage, logs it, connects again and serves', async () => {
    const random = new Random(17);
    for (let round = 0; round < 20; round += 1) {
      const bytes = Buffer.from(
        Array.from({ length: 5 + random.below(300) }, () => random.below(256)),
      );
      bytes[0] = 7 + random.below(249); // No kind that there is.
      connection.socket.send(bytes);
      await connection.ended;
      connection = await gateway.next();
    }
    expect(logged('"disconnected"').filter((line) => line.includes('unknown kind'))).not.toEqual(
      [],
    );
    await serves();
  });

  it('ends the connection at a frame that declares 1 GB, before it comes', async () => {
    const before = memoryOf(agent);
    const header = Buffer.alloc(10);
    header[0] = 0x82; // The end of a binary message, whose length is in the next 8 bytes (RFC 6455, 5.2).
    header[1] = 127;
    header.writeBigUInt64BE(2n ** 30n, 2);
    connection.raw.write(header);
    expect(await pour(connection.raw, 2 ** 30)).toBeLessThan(maxBufferedBytes);
    await agent.says(/"disconnected".*Max payload size exceeded/);
    expect(memoryOf(agent) - before).toBeLessThan(maxBufferedBytes);
    connection = await gateway.next();
    await serves();
  });

  it('gives up a connection whose server answers it with a header of 1 GB', async () => {
    const before = memoryOf(agent);
    const poured = new Promise<number>((resolve) => {
      gateway.onUpgrade = async (socket) => {
        gateway.onUpgrade = undefined;
        socket.write('HTTP/1.1 101 Switching Protocols\r\nx-large: ');
        resolve(await pour(socket, 2 ** 30));
      };
    });
    connection.socket.terminate();
    expect(await poured).toBeLessThan(maxBufferedBytes);
    await agent.says(/"not connected".*[Hh]eader/);
    expect(memoryOf(agent) - before).toBeLessThan(maxBufferedBytes);
    connection = await gateway.next();
    await serves();
  });

  it('fails a request whose host answers with a header of 1 GB', async () => {
    const host = createTcpServer();
    const poured = once(host, 'connection').then(([socket]) => {
      (socket as Socket).write('HTTP/1.1 200 OK\r\nx-large: ');
      return pour(socket as Socket, 2 ** 30);
    });
    const port = Number(new URL(listed).port);
    const [server] = servers.filter((one) => (one.address() as AddressInfo).port === port);
    server?.closeAllConnections();
    server?.close();
    host.listen(port, '127.0.0.1');
    await once(host, 'listening');
    const { head } = await get(`${listed}/large`);
    expect(head).toMatchObject({ failure: { reason: 'unreachable', is_sent: true } });
    expect(await poured).toBeLessThan(maxBufferedBytes);
    host.close();
    expect(agent.child.exitCode).toBe(null);
    expect((await get(`${unlisted}/after`)).head).toMatchObject({ failure: { reason: 'refused' } });
  });
});

/** Sends up to so many bytes to a peer that may leave. @returns how many were taken */
async function pour(socket: Socket, maxBytes: number): Promise<number> {
  const chunk = Buffer.alloc(65_536, 'x');
  let taken = 0;
  socket.on('error', () => undefined); // The peer leaves while more comes.
  let wake: () => void = () => undefined;
  for (const event of ['drain', 'close']) socket.on(event, () => wake());
  while (!socket.destroyed && taken < maxBytes) {
    const isFull = !socket.write(chunk);
    taken += chunk.length;
    if (isFull && !socket.destroyed) await new Promise<void>((resolve) => (wake = resolve));
  }
  return taken;
}

/** Peak of the resident memory of a process, in bytes. */
function memoryOf({ child }: Running): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
