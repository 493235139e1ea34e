import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { freePort, type KeyPair, TestAuthority } from '#test/harness';
import {
  createDispatcher,
  EgressPolicy,
  EgressProxy,
  EgressProxyFailure,
  hostFailureOf,
  type Resolve,
} from './index.js';

const servers: Server[] = [];
const sockets = new Set<Duplex>();
let authority: TestAuthority;
let own: KeyPair;
beforeAll(() => {
  authority = new TestAuthority();
  own = authority.issue('localhost');
});
afterAll(() => authority.remove());
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections?.();
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket) => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** A proxy that opens a tunnel, or answers with a status. */
async function startProxy(
  answer: (asked: IncomingMessage) => number | 'nothing' = () => 200,
  server: Server = createHttp(),
) {
  const asked: { target: string; authorization: string | undefined }[] = [];
  server.on('connect', (head: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    asked.push({
      target: head.url ?? '',
      authorization: head.headers['proxy-authorization'],
    });
    const status = answer(head);
    if (status === 'nothing') return;
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const port = Number(head.url?.split(':').at(-1));
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  return { asked, port: await listen(server) };
}

const fails: Resolve = (host, done) =>
  done(Object.assign(new Error(host), { code: 'ENOTFOUND' }), []);
const to =
  (address: string): Resolve =>
  (_host, done) =>
    done(null, [{ address, family: 4 }]);

function through(
  address: string,
  {
    resolve = fails,
    allow = [] as string[],
    except = [] as string[],
    timeoutMs = 5_000,
    connections = 2,
  } = {},
) {
  const proxy = new EgressProxy(address, {
    except,
    timeoutMs,
    certificateAuthority: authority.certificate,
  });
  return createDispatcher(new EgressPolicy(allow, resolve, proxy), {
    connections,
    certificateAuthority: authority.certificate,
  });
}

async function failure(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error as Error,
  );
}

describe('a call through the egress proxy', () => {
  it('reaches a target whose name only the proxy knows, with the user and password of the setting', async () => {
    const target = await listen(createHttp((_request, response) => void response.end('reached')));
    const proxy = await startProxy();
    const dispatcher = through(`http://us%40er:p%3Ass@127.0.0.1:${proxy.port}`, { connections: 1 });
    for (let count = 0; count < 3; count += 1) {
      const { body } = await request(`http://api.example.com:${target}/`, { dispatcher });
      expect(await body.text()).toBe('reached');
    }
    const authorization = `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`;
    // One tunnel is kept for further calls.
    expect(proxy.asked).toEqual([{ target: `api.example.com:${target}`, authorization }]);
    await dispatcher.close();
  });

  it('verifies the certificate of the target inside the tunnel', async () => {
    const options = { key: own.key, cert: own.certificate };
    const target = await listen(
      createHttps(options, (_request, response) => void response.end('secret')),
    );
    const proxy = await startProxy();
    const dispatcher = through(`http://127.0.0.1:${proxy.port}`, {
      allow: ['127.0.0.1'],
      resolve: to('127.0.0.1'),
    });
    const { body } = await request(`https://localhost:${target}/`, { dispatcher });
    expect(await body.text()).toBe('secret');
    const other = request(`https://other.example.com:${target}/`, { dispatcher });
    expect(await failure(other)).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    await dispatcher.close();
  });

  it('reaches a proxy that speaks TLS', async () => {
    const target = await listen(createHttp((_request, response) => void response.end('reached')));
    const server = createHttps({ key: own.key, cert: own.certificate });
    const proxy = await startProxy(undefined, server);
    const dispatcher = through(`https://localhost:${proxy.port}`);
    const { body } = await request(`http://api.example.com:${target}/`, { dispatcher });
    expect(await body.text()).toBe('reached');
    await dispatcher.close();
  });

  it('streams a file in both directions', async () => {
    const chunk = Buffer.alloc(1_048_576, 7);
    let received = 0;
    const target = await listen(
      createHttp((incoming, response) => {
        incoming.on('data', (part: Buffer) => (received += part.length));
        incoming.on('end', () => {
          for (let count = 0; count < 20; count += 1) response.write(chunk);
          response.end();
        });
      }),
    );
    const proxy = await startProxy();
    const dispatcher = through(`http://127.0.0.1:${proxy.port}`);
    async function* file() {
      for (let count = 0; count < 20; count += 1) yield chunk;
    }
    const { body } = await request(`http://files.example.com:${target}/`, {
      dispatcher,
      method: 'PUT',
      body: file() as never,
    });
    let sent = 0;
    for await (const part of body) sent += (part as Buffer).length;
    expect([received, sent]).toEqual([20 * chunk.length, 20 * chunk.length]);
    await dispatcher.close();
  });
});

describe('the policy applies to the target', () => {
  it.each([
    ['http://169.254.169.254/', fails, 'metadata'],
    ['http://10.0.0.1/', fails, 'not a public address'],
    ['http://[::1]/', fails, 'not a public address'],
    ['http://[::ffff:10.0.0.1]/', fails, 'not a public address'],
    ['http://rebound.example.com/', to('10.0.0.1'), 'not a public address'],
    ['http://metadata.google.internal/', fails, 'not one of the public internet'],
    ['http://metadata.google.internal./', fails, 'not one of the public internet'],
    ['http://localhost/', fails, 'not one of the public internet'],
    ['http://intranet/', fails, 'not one of the public internet'],
  ])('%s is refused before the proxy is asked', async (url, resolve, says) => {
    const proxy = await startProxy();
    const dispatcher = through(`http://127.0.0.1:${proxy.port}`, { resolve });
    expect((await failure(request(url, { dispatcher }))).message).toContain(says);
    expect(proxy.asked).toEqual([]);
    await dispatcher.destroy();
  });

  it('and exceptions are called directly', async () => {
    const target = await listen(createHttp((_request, response) => void response.end('direct')));
    const proxy = await startProxy();
    const dispatcher = through(`http://127.0.0.1:${proxy.port}`, {
      resolve: to('127.0.0.1'),
      allow: ['127.0.0.1'],
      except: ['example.com', '127.0.0.0/8'],
    });
    for (const host of ['example.com', 'api.example.com', '127.0.0.1']) {
      const { body } = await request(`http://${host}:${target}/`, { dispatcher });
      expect(await body.text()).toBe('direct');
    }
    expect(proxy.asked).toEqual([]);
    const { body } = await request(`http://notexample.com:${target}/`, { dispatcher });
    expect(await body.text()).toBe('direct');
    expect(proxy.asked.map((one) => one.target)).toEqual([`notexample.com:${target}`]);
    await dispatcher.close();
  });
});

describe('a proxy that does not let a call through', () => {
  it.each([
    [403, 'does not connect to api.example.com:443 (403)', true],
    [502, 'does not connect to api.example.com:443 (502)', true],
    [407, 'refuses the user or the password of EGRESS_PROXY (407)', false],
  ])('with %i is named, without its password', async (status, says, isOfTarget) => {
    const proxy = await startProxy(() => status);
    const dispatcher = through(`http://user:hunter2@127.0.0.1:${proxy.port}`);
    const error = await failure(request('https://api.example.com/', { dispatcher }));
    expect(error).toBeInstanceOf(EgressProxyFailure);
    expect(error.message).toBe(`the egress proxy http://127.0.0.1:${proxy.port} ${says}`);
    expect(error).toMatchObject({ isOfTarget });
    expect(hostFailureOf(error, false)).toBe(isOfTarget ? undefined : error.message);
    await dispatcher.destroy();
  });

  it('is asked for an address of IPv6 in brackets', async () => {
    const proxy = await startProxy(() => 403);
    const dispatcher = through(`http://127.0.0.1:${proxy.port}`);
    const error = await failure(request('https://[2600::1]/', { dispatcher }));
    expect(error.message).toContain('does not connect to [2600::1]:443 (403)');
    await dispatcher.destroy();
  });

  it('because it hangs, before or after it is connected to, is named in time', async () => {
    const proxy = await startProxy(() => 'nothing');
    const silent = createTcp((socket: Socket) => void sockets.add(socket)) as unknown as Server;
    for (const address of [
      `http://user:hunter2@127.0.0.1:${proxy.port}`,
      `https://user:hunter2@127.0.0.1:${await listen(silent)}`,
    ]) {
      const dispatcher = through(address, { timeoutMs: 1_000 });
      const error = await failure(request('https://api.example.com/', { dispatcher }));
      expect(error.message).toMatch(
        /^the egress proxy https?:\/\/127\.0\.0\.1:\d+ does not answer in time$/,
      );
      await dispatcher.destroy();
    }
  });

  it('because it is not there is named, also by the check of readiness', async () => {
    const address = `http://user:hunter2@127.0.0.1:${await freePort()}`;
    const dispatcher = through(address);
    const error = await failure(request('https://api.example.com/', { dispatcher }));
    expect(error.message).toMatch(
      /^the egress proxy http:\/\/127\.0\.0\.1:\d+ is not reached \(ECONNREFUSED\)$/,
    );
    const check = await failure(new EgressProxy(address).check());
    expect(check.message).toBe(error.message);
    await dispatcher.destroy();
    const proxy = await startProxy();
    await new EgressProxy(`http://127.0.0.1:${proxy.port}`).check();
  });

  it('because its setting is invalid is an error that names the setting, without its password', () => {
    for (const address of [
      'proxy:3128',
      'socks5://u:hunter2@proxy',
      'http://u:hunter2@proxy/x',
      '',
    ])
      try {
        new EgressProxy(address);
        throw new Error('accepted');
      } catch (error) {
        expect((error as Error).message).toMatch(/^EGRESS_PROXY must be/);
        expect((error as Error).message).not.toContain('hunter2');
      }
    expect(() => new EgressProxy('http://p', { except: ['10.0.0.0/40'] })).toThrow(
      'EGRESS_PROXY_EXCEPT',
    );
    expect(() => new EgressProxy('http://p', { except: ['https://x'] })).toThrow(
      'EGRESS_PROXY_EXCEPT',
    );
  });
});
