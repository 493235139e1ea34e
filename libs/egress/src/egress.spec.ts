import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { interceptors, request } from 'undici';
import { hostileUrls } from './hostile-addresses.fixture.js';
import { createDispatcher, EgressPolicy, EgressRefused } from './index.js';

const fakeDns = (...addresses: string[]) => {
  const found: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  let asked = 0;
  const resolve = (_host: string, done: (error: null, all: LookupAddress[]) => void) => {
    asked += 1;
    done(null, found);
  };
  return { resolve, asked: () => asked };
};

const lookup = (policy: EgressPolicy, host: string) =>
  new Promise<unknown>((settle, fail) =>
    policy.lookup(host, { all: true }, (error, found) => (error ? fail(error) : settle(found))),
  );

describe('the egress policy', () => {
  it('is tested with at least a hundred hostile addresses', () => {
    expect(new Set(hostileUrls).size).toBeGreaterThanOrEqual(100);
  });

  it.each(hostileUrls)('refuses %s', (url) => {
    expect(() => new EgressPolicy().checkUrl(url)).toThrow(EgressRefused);
  });

  it.each([
    'https://example.com/',
    'http://example.com:8080/a?b=c',
    'https://93.184.215.14/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://[64:ff9b::5db8:d70e]/',
    'https://172.32.0.1/',
    'https://100.128.0.1/',
  ])('allows %s', (url) => {
    expect(new EgressPolicy().checkUrl(url).href).toBe(url);
  });

  it.each([
    ['127.0.0.1'],
    ['93.184.215.14', '10.0.0.1'],
    ['::ffff:169.254.169.254'],
    ['fe80::1'],
    ['169.254.169.254'],
  ])('refuses a name that resolves to %s', async (...addresses) => {
    const policy = new EgressPolicy([], fakeDns(...addresses).resolve);
    await expect(lookup(policy, 'rebind.example.com')).rejects.toThrow(EgressRefused);
  });

  it('checks where the host of a URL is now; one that does not resolve in time passes', async () => {
    const url = 'https://rebind.example.com/';
    const inside = new EgressPolicy([], fakeDns('93.184.215.14', '10.0.0.1').resolve);
    await expect(inside.checkTarget(url)).rejects.toThrow(EgressRefused);
    await expect(inside.checkTarget('http://10.0.0.1/')).rejects.toThrow(EgressRefused);
    const outside = new EgressPolicy([], fakeDns('93.184.215.14').resolve);
    expect((await outside.checkTarget(url)).href).toBe(url);
    const unknown = new EgressPolicy([], (_host, done) => done(new Error('ENOTFOUND'), []));
    expect((await unknown.checkTarget(url)).href).toBe(url);
    const silent = new EgressPolicy([], () => undefined);
    expect((await silent.checkTarget(url, 1)).href).toBe(url);
  });

  it('names the address, the reason and the setting that can allow it', () => {
    expect(() => new EgressPolicy().checkUrl('https://10.1.2.3/x')).toThrow(
      'refused to connect to 10.1.2.3: it is not a public address (private); the operator may allow its range with EGRESS_ALLOW',
    );
  });

  it('opens the ranges that an operator allows, and no others', () => {
    const policy = new EgressPolicy(['10.20.0.0/16', '127.0.0.1', 'fd12::/16']);
    for (const open of ['http://10.20.255.1/', 'http://127.0.0.1/', 'http://[fd12::9]/'])
      expect(policy.checkUrl(open).hostname).toBeTruthy();
    for (const closed of ['http://10.21.0.1/', 'http://127.0.0.2/', 'http://[fd13::9]/'])
      expect(() => policy.checkUrl(closed)).toThrow(EgressRefused);
  });

  it('keeps metadata addresses closed inside an allowed range', () => {
    const policy = new EgressPolicy(['169.254.0.0/16', '0.0.0.0/0', '::/0']);
    for (const url of ['http://169.254.169.254/', 'http://[::ffff:169.254.169.254]/'])
      expect(() => policy.checkUrl(url)).toThrow('which no setting can allow');
  });

  it('names the entry of its setting that is invalid', () => {
    expect(() => new EgressPolicy(['10.0.0.0/33'])).toThrow('"10.0.0.0/33" is not a valid address');
    expect(() => new EgressPolicy(['intranet'])).toThrow('"intranet"');
  });

  it('refuses every private address in every notation that URL accepts', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const spell = fc.constantFrom(
      (n: number) => `${n}`,
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
    );
    fc.assert(
      fc.property(octet, octet, octet, spell, spell, (b, c, d, one, two) => {
        const host = `${one(10)}.${two(b)}.${one(c)}.${two(d)}`;
        expect(() => new EgressPolicy().checkUrl(`http://${host}/`)).toThrow(EgressRefused);
      }),
    );
  });
});

describe('a dispatcher behind the policy', () => {
  const servers: Server[] = [];
  const listen = async (handle: RequestListener) => {
    const server = createServer(handle);
    servers.push(server);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return (server.address() as AddressInfo).port;
  };
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  it('connects to an allowed address by name, and resolves the name once per connection', async () => {
    const port = await listen((_request, response) => response.end('reached'));
    const dns = fakeDns('127.0.0.1');
    const dispatcher = createDispatcher(new EgressPolicy(['127.0.0.1'], dns.resolve), {
      connections: 1,
    });
    for (let call = 0; call < 3; call += 1) {
      const answer = await request(`http://service.example.com:${port}/`, { dispatcher });
      expect(await answer.body.text()).toBe('reached');
    }
    expect(dns.asked()).toBe(1);
    await dispatcher.close();
  });

  it('opens no socket to a refused address, literal or resolved', async () => {
    let reached = 0;
    const port = await listen((_request, response) => ((reached += 1), response.end()));
    const dispatcher = createDispatcher(new EgressPolicy([], fakeDns('127.0.0.1').resolve));
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'service.example.com'])
      await expect(request(`http://${host}:${port}/`, { dispatcher })).rejects.toThrow(
        'refused to connect to',
      );
    expect(reached).toBe(0);
    await dispatcher.destroy();
  });

  it('keeps the connections to a host that requests with invalid headers are meant for', async () => {
    const url = `http://127.0.0.1:${await listen((_request, response) => response.end())}/`;
    const dispatcher = createDispatcher(new EgressPolicy(['127.0.0.1']), { connections: 2 });
    for (let count = 0; count < 5; count += 1)
      await expect(request(url, { dispatcher, headers: { 'a b': 'c' } })).rejects.toThrow(
        'invalid header key',
      );
    const { statusCode, body } = await request(url, { dispatcher });
    await body.dump();
    expect(statusCode).toBe(200);
    await dispatcher.close();
  });

  it('checks the target of a redirect like any other URL', async () => {
    let reached = 0;
    const inner = await listen((_request, response) => ((reached += 1), response.end('secret')));
    const outer = await listen((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.2:${inner}/` }).end(),
    );
    const dispatcher = createDispatcher(new EgressPolicy(['127.0.0.1']));
    const following = dispatcher.compose(interceptors.redirect({ maxRedirections: 3 }));
    await expect(request(`http://127.0.0.1:${outer}/`, { dispatcher: following })).rejects.toThrow(
      'refused to connect to 127.0.0.2',
    );
    expect(reached).toBe(0);
    await dispatcher.destroy();
  });
});
