import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { createDispatcher, EgressPolicy, Pauses } from '#egress';
import { until } from '#test/harness';
import type { TokenSource } from './credentials/access-tokens.js';
import type { Authentication } from './credentials/authentication.js';
import type { Permits } from './limits/permits.js';
import { json, refusal } from './provider-http.fixture.js';
import { ProviderHttp, type SendOptions } from './provider-http.js';
import type { ProviderRequest } from './provider-request.js';
import { Redactor } from './redact.js';

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

let server: Server;
let url: string;
let handler: Handler;
let count = 0;
const dispatcher = createDispatcher(new EgressPolicy(['127.0.0.1']));
let http: ProviderHttp;

beforeAll(async () => {
  server = createServer((request, response) => {
    count += 1;
    handler(request, response, count);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  count = 0;
  http = new ProviderHttp(parts());
});

/** The parts that each replica has for itself; they share one pool of connections here. */
function parts(): ConstructorParameters<typeof ProviderHttp>[0] {
  return {
    dispatcher,
    policy: new EgressPolicy(['127.0.0.1']),
    permits: { acquire: () => Promise.resolve(() => undefined) },
    clock: systemClock,
    tokens: undefined as unknown as TokenSource,
  };
}

afterAll(async () => {
  server.closeAllConnections();
  await dispatcher.destroy();
  await new Promise((done) => server.close(done));
});

function get(more: Partial<ProviderRequest> = {}): ProviderRequest {
  return {
    method: 'GET',
    url: new URL('/things', url),
    headers: {},
    secretHeaders: [],
    answer: 'json',
    accept: new Set(),
    repeatable: true,
    ...more,
  };
}

function options(more: Partial<SendOptions> = {}): SendOptions {
  const redactor = new Redactor();
  return {
    call: {
      provider: 'Things',
      method: 'GET',
      address: `${url}/things`,
      credentialId: 'crd_1',
      needs: 'Read things',
      redactor,
    },
    place: { organizationId: 'org_1', key: 'crd_1' },
    authentication: undefined,
    redactor,
    signal: new AbortController().signal,
    deadline: Date.now() + 10_000,
    timeoutMs: 5_000,
    maxBytes: 1_000_000,
    limits: {},
    retry: { attempts: 3, statuses: [429, 502, 503, 504], resets: [] },
    interpret: () => ({}),
    onResponse: () => undefined,
    ...more,
  };
}

describe('a call of a provider', () => {
  it('gives its answer, large integers as they are', async () => {
    handler = (_request, response) => response.end('{"id":9007199254740993}');
    const { body } = await http.send(get(), options());
    expect(body).toEqual({ id: 9007199254740993n });
  });

  it('is repeated when that is safe, and stops after the attempts', async () => {
    handler = (_request, response, at) => json(response, at < 3 ? 503 : 200, { at });
    expect((await http.send(get(), options())).body).toEqual({ at: 3 });
    count = 0;
    handler = (_request, response) => json(response, 503, { why: 'tired' });
    const error = await refusal(http.send(get(), options()));
    expect([error.status, count]).toEqual([503, 3]);
  });

  it('that was counted before it was sent is counted when it is repeated', async () => {
    const counts: (number | undefined)[] = [];
    const acquire: Permits['acquire'] = (_place, limits) => {
      counts.push(limits.count);
      return () => undefined;
    };
    http = new ProviderHttp({ ...parts(), permits: { acquire } });
    handler = (_request, response, at) => json(response, at < 3 ? 503 : 200, {});
    const budgets = [{ requests: 9, periodMs: 60_000 }];
    await http.send(get(), options({ limits: { budgets, count: 0 } }));
    expect(counts).toEqual([0, 1, 1]);
  });

  it('that creates is not repeated after a failure, but is after a 429', async () => {
    handler = (_request, response) => json(response, 503, {});
    const post = get({ method: 'POST', body: '{}', repeatable: false });
    expect([(await refusal(http.send(post, options()))).status, count]).toEqual([503, 1]);
    count = 0;
    handler = (_request, response, at) =>
      at === 1 ? json(response, 429, {}, { 'retry-after': '0' }) : json(response, 201, { at });
    expect((await http.send(post, options())).body).toEqual({ at: 2 });
  });

  it('waits as long as the provider asks for', async () => {
    const begun = Date.now();
    handler = (_request, response, at) =>
      at === 1 ? json(response, 429, {}, { 'retry-after': '1' }) : json(response, 200, {});
    await http.send(get(), options());
    expect(Date.now() - begun).toBeGreaterThanOrEqual(950);
  });

  it('ends while it waits for the next attempt when its caller leaves', async () => {
    const caller = new AbortController();
    handler = (_request, response) => {
      json(response, 429, {}, { 'retry-after': '3600' });
      setImmediate(() => caller.abort(new Error('gone')));
    };
    const later = options({ signal: caller.signal, deadline: Date.now() + 7_200_000 });
    await expect(http.send(get(), later)).rejects.toThrow('gone');
    expect(count).toBe(1);
  });

  it('answers 429 with the wait when its process ends meanwhile', async () => {
    const pauses = new Pauses();
    http = new ProviderHttp({ ...parts(), pauses });
    handler = (_request, response) => json(response, 429, {}, { 'retry-after': '60' });
    const sent = refusal(http.send(get(), options({ deadline: Date.now() + 120_000 })));
    await until(() => count === 1);
    pauses.end();
    expect((await sent).options.headers).toEqual({ 'retry-after': '60' });
  });

  it('answers 429 with the wait when the deadline does not let it wait', async () => {
    handler = (_request, response) => json(response, 429, {}, { 'retry-after': '120' });
    const error = await refusal(http.send(get(), options()));
    expect(error.status).toBe(429);
    expect(error.options.headers).toEqual({ 'retry-after': '120' });
    expect(count).toBe(1);
  });

  it.each([
    [401, 502, /refuses the credential crd_1/, /secret/],
    [403, 502, /does not permit/, /"Read things"/],
    [404, 404, /no such record/, /List/],
    [422, 400, /refuses the request/, /raw_error/],
    [409, 409, /refuses the request/, /raw_error/],
    [500, 502, /answers 500/, /raw_error/],
  ])(
    'that ends with %i is a %i with the provider’s own words',
    async (status, ours, message, remedy) => {
      handler = (_request, response) => json(response, status, { error: 'own words' });
      const error = await refusal(
        http.send(get(), options({ interpret: () => ({ message: 'own words' }) })),
      );
      expect(error.status).toBe(ours);
      expect(error.message).toMatch(message);
      expect(error.message).toContain('own words');
      expect(error.options.remediation).toMatch(remedy);
      expect(error.options.context).toMatchObject({
        raw_error: '{"error":"own words"}',
        provider_details: { provider: 'Things', status: String(status), credential_id: 'crd_1' },
      });
    },
  );

  it('is interpreted once, and retried, noted and told by that', async () => {
    handler = (_request, response) => json(response, 200, { error: 'busy' });
    const seen: number[] = [];
    let interpreted = 0;
    const error = await refusal(
      http.send(
        get(),
        options({
          retry: { attempts: 2, statuses: [503], resets: [] },
          interpret: () => {
            interpreted += 1;
            return { status: 503, message: 'own words' };
          },
          onResponse: (_url, _answer, status) => seen.push(status),
        }),
      ),
    );
    expect([error.status, error.message]).toEqual([503, 'Things is not available: own words']);
    expect([count, interpreted, seen]).toEqual([2, 2, [503, 503]]);
  });

  it('that is garbage, or half, is a 502 that shows the beginning', async () => {
    handler = (_request, response) => response.end('<html>sign in</html>');
    const garbage = await refusal(http.send(get(), options()));
    expect(garbage.status).toBe(502);
    expect(garbage.options.context?.raw_error).toBe('<html>sign in</html>');
    handler = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"half":');
      setTimeout(() => response.destroy(), 20);
    };
    const half = await refusal(http.send(get(), options()));
    expect([half.status, half.message]).toEqual([
      502,
      expect.stringContaining('cannot be reached'),
    ]);
  });

  it('that never ends is a 504 after its time', async () => {
    handler = () => undefined;
    // The time of the request ends it: the deadline of the call is later than that of this test.
    const error = await refusal(
      http.send(
        get(),
        options({
          timeoutMs: 300,
          deadline: Date.now() + 600_000,
          retry: { attempts: 1, statuses: [], resets: [] },
        }),
      ),
    );
    expect([error.status, count]).toEqual([504, 1]);
  });

  it('that is 200 MB is cut off, and takes no more memory than its limit', async () => {
    let sent = 0;
    handler = (request, response) => {
      const chunk = Buffer.alloc(1_000_000, 0x61);
      const more = () => {
        while (sent < 200 && !response.destroyed) {
          sent += 1;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      request.resume();
      more();
    };
    const before = process.memoryUsage().arrayBuffers;
    const error = await refusal(http.send(get(), options()));
    expect([error.status, error.message]).toEqual([502, expect.stringContaining('too much')]);
    expect(sent).toBeLessThan(100);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });

  it('of a failure is read up to a limit, and is told', async () => {
    handler = (_request, response) => {
      response.writeHead(409, { 'content-type': 'text/plain' });
      response.end(`taken ${'x'.repeat(1_000_000)}`);
    };
    const error = await refusal(http.send(get(), options()));
    expect(error.options.context?.raw_error).toMatch(/^taken x/);
    handler = (_request, response) => json(response, 200, { next: true });
    expect((await http.send(get(), options())).body).toEqual({ next: true });
  });

  it('follows a redirect without what identifies us, and none to a private address', async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers['x-key'] as string | undefined);
      json(response, 200, { there: true });
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const there = `http://127.0.0.1:${(other.address() as AddressInfo).port}/there`;
    handler = (_request, response) => json(response, 303, {}, { location: there });
    const request = get({ headers: { 'x-key': 'k' }, secretHeaders: ['x-key'] });
    expect((await http.send(request, options())).body).toEqual({ there: true });
    expect(seen).toEqual([undefined]);
    other.closeAllConnections();
    other.close();

    handler = (_request, response) =>
      json(response, 302, {}, { location: 'http://169.254.169.254/latest/meta-data' });
    const error = await refusal(http.send(get(), options()));
    expect([error.status, error.message]).toEqual([502, expect.stringContaining('metadata')]);
    expect(count).toBe(2);
  });

  it('is refused for a while after ten failures in a row of its host, with the last of them', async () => {
    handler = (_request, response) => json(response, 500, {});
    const once = options({ retry: { attempts: 1, statuses: [], resets: [] } });
    for (let failed = 0; failed < 10; failed += 1) await refusal(http.send(get(), once));
    const error = await refusal(http.send(get(), once));
    expect([error.status, count]).toEqual([503, 10]);
    expect(error.message).toMatch(/paused.*it answered 500/);
    const other = { ...once, place: { organizationId: 'org_2', key: 'crd_2' } };
    expect((await refusal(http.send(get(), other))).message).toContain('Things answers 500');
  });

  it('is not refused for limits that a host tells with a status of failures', async () => {
    handler = (_request, response) => json(response, 503, { __type: 'ThrottlingException' });
    const limited = options({
      retry: { attempts: 1, statuses: [], resets: [] },
      interpret: () => ({ status: 429 }),
    });
    for (let count = 0; count < 12; count += 1)
      expect((await refusal(http.send(get(), limited))).status).toBe(429);
    expect(count).toBe(12);
  });

  it('whose own retry meets the pause that it caused says how the host failed', async () => {
    handler = (_request, response) => json(response, 503, { why: 'tired' });
    for (let call = 0; call < 4; call += 1) {
      const error = await refusal(http.send(get(), options()));
      expect([error.status, error.message]).toEqual([503, 'Things is not available']);
    }
    expect(count).toBe(10);
    expect((await refusal(http.send(get(), options()))).message).toMatch(/paused.*it answered 503/);
  });

  it.each(['key\n', 'key\r\nx-other: 1', 'key \u0000', 'schlüssel €'])(
    'with the secret %j, which fits into no header, is a 400 and pauses nobody',
    async (secret) => {
      const authentication = {
        credentialId: 'crd_1',
        renews: false,
        apply: (request: ProviderRequest) =>
          Promise.resolve({
            ...request,
            headers: { authorization: `Bearer ${secret}` },
            secretHeaders: ['authorization'],
          }),
      } as unknown as Authentication;
      for (let call = 0; call < 12; call += 1) {
        const error = await refusal(http.send(get(), options({ authentication })));
        expect([error.status, error.message]).toEqual([
          400,
          'the credential crd_1 cannot be sent in the header authorization',
        ]);
      }
      handler = (_request, response) => json(response, 200, {});
      expect((await http.send(get(), options())).status).toBe(200);
      expect(count).toBe(1);
    },
  );

  it('that is refused for its access token is made once more with a new one, and only once', async () => {
    let token = 1;
    const authentication = {
      credentialId: 'crd_1',
      renews: true,
      apply: (request: ProviderRequest) =>
        Promise.resolve({ ...request, headers: { authorization: `Bearer ${token}` } }),
      renew: () => (token += 1),
    } as unknown as Authentication;
    handler = (request, response) =>
      json(response, request.headers.authorization === 'Bearer 2' ? 200 : 401, { well: true });
    const post = () => get({ method: 'POST', repeatable: false });
    expect((await http.send(post(), options({ authentication }))).body).toEqual({ well: true });
    expect(count).toBe(2);
    handler = (_request, response) => json(response, 401, {});
    const error = await refusal(http.send(post(), options({ authentication })));
    expect([error.status, count]).toEqual([502, 4]);
    expect(error.message).toContain('refuses the credential crd_1');
  });

  it('of one tenant does not wait for the thousand of another, in any replica', async () => {
    handler = (_request, response) => void setTimeout(() => json(response, 200, {}), 20);
    const replicas = [http, new ProviderHttp(parts())];
    const done: string[] = [];
    const call = async (replica: ProviderHttp, tenant: string) => {
      const patient = { timeoutMs: 60_000, deadline: Date.now() + 60_000 }; // A busy machine may take its time.
      const place = { organizationId: tenant, key: tenant };
      await replica.send(get(), options({ place, ...patient }));
      done.push(tenant);
    };
    const busy = Array.from({ length: 500 }, (_, index) =>
      call(replicas[index % 2] as ProviderHttp, 'busy'),
    );
    await Promise.all(replicas.map((replica) => call(replica, 'quiet')));
    // As many were under way in each when the quiet one came, and it was the next.
    expect(done.filter((tenant) => tenant === 'busy').length).toBeLessThan(300);
    await Promise.all(busy);
    expect(done).toHaveLength(502);
  });

  it('ends at once when the caller hangs up', async () => {
    handler = () => undefined;
    const caller = new AbortController();
    const running = http.send(get(), options({ signal: caller.signal }));
    setTimeout(() => caller.abort(new Error('gone')), 50);
    await expect(running).rejects.toThrow();
  });
});
