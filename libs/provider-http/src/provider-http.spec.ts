import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Pauses } from '#egress';
import { until } from '#test/harness';
import type { Authentication } from './credentials/authentication.js';
import type { Permit, Permits } from './limits/permits.js';
import { json, refusal, useTestProvider } from './provider-http.fixture.js';
import { ProviderHttp } from './provider-http.js';
import type { ProviderRequest } from './provider-request.js';

const provider = useTestProvider();

describe('a call of a provider', () => {
  it('gives its answer, large integers as they are', async () => {
    provider.handler = (_request, response) => response.end('{"id":9007199254740993}');
    const { body } = await provider.http.send(provider.get(), provider.options());
    expect(body).toEqual({ id: 9007199254740993n });
  });

  it('is repeated when that is safe, and stops after the attempts', async () => {
    provider.handler = (_request, response, at) => json(response, at < 3 ? 503 : 200, { at });
    expect((await provider.http.send(provider.get(), provider.options())).body).toEqual({ at: 3 });
    provider.count = 0;
    provider.handler = (_request, response) => json(response, 503, { why: 'tired' });
    const error = await refusal(provider.http.send(provider.get(), provider.options()));
    expect([error.status, provider.count]).toEqual([503, 3]);
  });

  it('that was counted before it was sent is counted when it is repeated', async () => {
    const permits: (Permit | undefined)[] = [];
    const acquire: Permits['acquire'] = (_place, { reserved }) => {
      permits.push(reserved);
      return () => undefined;
    };
    provider.http = new ProviderHttp({ ...provider.parts(), permits: { acquire } });
    provider.handler = (_request, response, at) => json(response, at < 3 ? 503 : 200, {});
    const reserved = () => undefined;
    const budgets = [{ requests: 9, periodMs: 60_000 }];
    await provider.http.send(provider.get(), provider.options({ limits: { budgets, reserved } }));
    expect(permits).toEqual([reserved, undefined, undefined]);
  });

  it('tells its permit when it is sent and answered, and what the provider says of its limits', async () => {
    const told: unknown[] = [];
    const permit = (): Permit =>
      Object.assign(() => void told.push('released'), {
        sent: () => void told.push('sent'),
        answered: (seen: object) => void told.push(seen),
        status: () => [],
      });
    const acquire: Permits['acquire'] = permit;
    provider.http = new ProviderHttp({ ...provider.parts(), permits: { acquire } });
    provider.handler = (_request, response, at) =>
      at === 1
        ? json(response, 429, {}, { 'retry-after': '0.01' })
        : json(response, 200, {}, { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '20' });
    await provider.http.send(provider.get(), provider.options());
    expect(told).toEqual([
      'sent',
      { left: undefined, pausedMs: 10 },
      'released',
      'sent',
      { left: { requests: 3, forMs: 20_000 }, pausedMs: undefined },
      'released',
    ]);
  });

  it('that creates is not repeated after a failure, but is after a 429', async () => {
    provider.handler = (_request, response) => json(response, 503, {});
    const post = provider.get({ method: 'POST', body: '{}', repeatable: false });
    expect([
      (await refusal(provider.http.send(post, provider.options()))).status,
      provider.count,
    ]).toEqual([503, 1]);
    provider.count = 0;
    provider.handler = (_request, response, at) =>
      at === 1 ? json(response, 429, {}, { 'retry-after': '0' }) : json(response, 201, { at });
    expect((await provider.http.send(post, provider.options())).body).toEqual({ at: 2 });
  });

  it('waits as long as the provider asks for', async () => {
    const begun = Date.now();
    provider.handler = (_request, response, at) =>
      at === 1 ? json(response, 429, {}, { 'retry-after': '1' }) : json(response, 200, {});
    await provider.http.send(provider.get(), provider.options());
    expect(Date.now() - begun).toBeGreaterThanOrEqual(950);
  });

  it('ends while it waits for the next attempt when its caller leaves', async () => {
    const caller = new AbortController();
    provider.handler = (_request, response) => {
      json(response, 429, {}, { 'retry-after': '3600' });
      setImmediate(() => caller.abort(new Error('gone')));
    };
    const later = provider.options({ signal: caller.signal, deadline: Date.now() + 7_200_000 });
    await expect(provider.http.send(provider.get(), later)).rejects.toThrow('gone');
    expect(provider.count).toBe(1);
  });

  it('answers 429 with the wait when its process ends meanwhile', async () => {
    const pauses = new Pauses();
    provider.http = new ProviderHttp({ ...provider.parts(), pauses });
    provider.handler = (_request, response) => json(response, 429, {}, { 'retry-after': '60' });
    const sent = refusal(
      provider.http.send(provider.get(), provider.options({ deadline: Date.now() + 120_000 })),
    );
    await until(() => provider.count === 1);
    pauses.end();
    expect((await sent).options.headers).toEqual({ 'retry-after': '60' });
  });

  it('answers 429 with the wait when the deadline does not let it wait', async () => {
    provider.handler = (_request, response) => json(response, 429, {}, { 'retry-after': '120' });
    const error = await refusal(provider.http.send(provider.get(), provider.options()));
    expect(error.status).toBe(429);
    expect(error.options.headers).toEqual({ 'retry-after': '120' });
    expect(provider.count).toBe(1);
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
      provider.handler = (_request, response) => json(response, status, { error: 'own words' });
      const error = await refusal(
        provider.http.send(
          provider.get(),
          provider.options({ interpret: () => ({ message: 'own words' }) }),
        ),
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
    provider.handler = (_request, response) => json(response, 200, { error: 'busy' });
    const seen: number[] = [];
    let interpreted = 0;
    const error = await refusal(
      provider.http.send(
        provider.get(),
        provider.options({
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
    expect([provider.count, interpreted, seen]).toEqual([2, 2, [503, 503]]);
  });

  it('that is garbage, or half, is a 502 that shows the beginning', async () => {
    provider.handler = (_request, response) => response.end('<html>sign in</html>');
    const garbage = await refusal(provider.http.send(provider.get(), provider.options()));
    expect(garbage.status).toBe(502);
    expect(garbage.options.context?.raw_error).toBe('<html>sign in</html>');
    provider.handler = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"half":');
      setTimeout(() => response.destroy(), 20);
    };
    const half = await refusal(provider.http.send(provider.get(), provider.options()));
    expect([half.status, half.message]).toEqual([
      502,
      expect.stringContaining('cannot be reached'),
    ]);
  });

  it('that never ends is a 504 after its time', async () => {
    provider.handler = () => undefined;
    // The time of the request ends it: the deadline of the call is later than that of this test.
    const error = await refusal(
      provider.http.send(
        provider.get(),
        provider.options({
          timeoutMs: 300,
          deadline: Date.now() + 600_000,
          retry: { attempts: 1, statuses: [], resets: [] },
        }),
      ),
    );
    expect([error.status, provider.count]).toEqual([504, 1]);
  });

  it('that is 200 MB is cut off, and takes no more memory than its limit', async () => {
    let sent = 0;
    provider.handler = (request, response) => {
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
    const error = await refusal(provider.http.send(provider.get(), provider.options()));
    expect([error.status, error.message]).toEqual([502, expect.stringContaining('too much')]);
    expect(sent).toBeLessThan(100);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });

  it('of a failure is read up to a limit, and is told', async () => {
    provider.handler = (_request, response) => {
      response.writeHead(409, { 'content-type': 'text/plain' });
      response.end(`taken ${'x'.repeat(1_000_000)}`);
    };
    const error = await refusal(provider.http.send(provider.get(), provider.options()));
    expect(error.options.context?.raw_error).toMatch(/^taken x/);
    provider.handler = (_request, response) => json(response, 200, { next: true });
    expect((await provider.http.send(provider.get(), provider.options())).body).toEqual({
      next: true,
    });
  });

  it('follows a redirect without what identifies us, and none to a private address', async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers['x-key'] as string | undefined);
      json(response, 200, { there: true });
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const there = `http://127.0.0.1:${(other.address() as AddressInfo).port}/there`;
    provider.handler = (_request, response) => json(response, 303, {}, { location: there });
    const request = provider.get({ headers: { 'x-key': 'k' }, secretHeaders: ['x-key'] });
    expect((await provider.http.send(request, provider.options())).body).toEqual({ there: true });
    expect(seen).toEqual([undefined]);
    other.closeAllConnections();
    other.close();

    provider.handler = (_request, response) =>
      json(response, 302, {}, { location: 'http://169.254.169.254/latest/meta-data' });
    const error = await refusal(provider.http.send(provider.get(), provider.options()));
    expect([error.status, error.message]).toEqual([502, expect.stringContaining('metadata')]);
    expect(provider.count).toBe(2);
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
        const error = await refusal(
          provider.http.send(provider.get(), provider.options({ authentication })),
        );
        expect([error.status, error.message]).toEqual([
          400,
          'the credential crd_1 cannot be sent in the header authorization',
        ]);
      }
      provider.handler = (_request, response) => json(response, 200, {});
      expect((await provider.http.send(provider.get(), provider.options())).status).toBe(200);
      expect(provider.count).toBe(1);
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
    provider.handler = (request, response) =>
      json(response, request.headers.authorization === 'Bearer 2' ? 200 : 401, { well: true });
    const post = () => provider.get({ method: 'POST', repeatable: false });
    expect((await provider.http.send(post(), provider.options({ authentication }))).body).toEqual({
      well: true,
    });
    expect(provider.count).toBe(2);
    provider.handler = (_request, response) => json(response, 401, {});
    const error = await refusal(provider.http.send(post(), provider.options({ authentication })));
    expect([error.status, provider.count]).toEqual([502, 4]);
    expect(error.message).toContain('refuses the credential crd_1');
  });

  it('of one tenant does not wait for the thousand of another, in any replica', async () => {
    provider.handler = (_request, response) => void setTimeout(() => json(response, 200, {}), 20);
    const replicas = [provider.http, new ProviderHttp(provider.parts())];
    const done: string[] = [];
    const call = async (replica: ProviderHttp, tenant: string) => {
      const patient = { timeoutMs: 60_000, deadline: Date.now() + 60_000 }; // A busy machine may take its time.
      const place = { organizationId: tenant, key: tenant };
      await replica.send(provider.get(), provider.options({ place, ...patient }));
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
    provider.handler = () => undefined;
    const caller = new AbortController();
    const running = provider.http.send(provider.get(), provider.options({ signal: caller.signal }));
    setTimeout(() => caller.abort(new Error('gone')), 50);
    await expect(running).rejects.toThrow();
  });
});
