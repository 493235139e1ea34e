import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { ApiError } from '#contract';
import { createDispatcher, EgressPolicy, Pauses } from '#egress';
import { keyOf, Sealer } from '#secrets';
import { openStore, type Store, wholeOrganization } from '#store';
import { createMigratedDatabase, eventually, type TestDatabase } from '#test/harness';
import { AccessTokens } from '../credentials/access-tokens.js';
import type { ClientTokenRequest } from '../credentials/fetch-access-token.js';
import { PermitRefused } from './permits.js';
import { StorePermits } from './store-permits.js';

let database: TestDatabase;
/** Two replicas of a connector. */
let stores: [Store, Store];
const signal = new AbortController().signal;
const soon = () => Date.now() + 5_000;

beforeAll(async () => {
  database = await createMigratedDatabase();
  stores = [await openStore({ url: database.url }), await openStore({ url: database.url })];
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(
    `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
     values ('org_1', 'acme', 'Acme', 'root', 'tok_1', now(), now())`,
  );
  await owner.end();
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

describe('the limits of a provider, over two replicas', () => {
  it('let so many calls through in a period, and say how long it is to the next', async () => {
    const permits = stores.map((store) => new StorePermits(store));
    const place = { organizationId: 'org_1', key: 'crd_rate' };
    const limits = { budgets: [{ requests: 4, periodMs: 60_000 }] };
    for (let made = 0; made < 4; made += 1)
      (await permits[made % 2]?.acquire(place, limits, soon(), signal))?.();
    const refused = permits[0]?.acquire(place, limits, soon(), signal);
    await expect(refused).rejects.toBeInstanceOf(PermitRefused);
    await Promise.resolve(refused).catch((error: PermitRefused) => {
      expect(error.retryAfterMs).toBeGreaterThan(50_000);
      expect(error.retryAfterMs).toBeLessThanOrEqual(66_000);
    });
    await permits[1]?.acquire({ ...place, key: 'crd_other' }, limits, soon(), signal);
  });

  it('count several requests at once only where all of them have room, and each budget by its name', async () => {
    const permits = new StorePermits(stores[0]);
    const place = { organizationId: 'org_1', key: 'crd_budgets' };
    const [reads, all] = [
      { name: 'reads', requests: 3, periodMs: 60_000 },
      { requests: 5, periodMs: 60_000 },
    ];
    await permits.acquire(place, { budgets: [reads, all], count: 2 }, soon(), signal);
    const tooMany = permits.acquire(place, { budgets: [reads], count: 2 }, soon(), signal);
    await expect(tooMany).rejects.toBeInstanceOf(PermitRefused);
    await permits.acquire(place, { budgets: [reads, all] }, soon(), signal);
    await permits.acquire(place, { budgets: [all], count: 2 }, soon(), signal);
    await permits.acquire(place, { budgets: [all], count: 0 }, soon(), signal); // counted before
    const last = permits.acquire(place, { budgets: [all] }, soon(), signal);
    await expect(last).rejects.toBeInstanceOf(PermitRefused);
  });

  it('let jobs have half of what other calls leave, one request at least, and refuse them at once', async () => {
    const permits = stores.map((store) => new StorePermits(store));
    const limits = { budgets: [{ requests: 10, periodMs: 60_000 }] };
    const place = { organizationId: 'org_1', key: 'crd_jobs' };
    const call = (job?: { answered: boolean }) =>
      permits[0]?.acquire({ ...place, job }, limits, Date.now() + 1_000, signal);
    for (let made = 0; made < 4; made += 1) await call();
    const first = { answered: false };
    for (let made = 0; made < 3; made += 1) await call(first); // half of six
    // Two minutes of patience would not help: before its first answer a job does not wait.
    const patient = permits[1]?.acquire(
      { ...place, job: first },
      limits,
      Date.now() + 120_000,
      signal,
    );
    await expect(patient).rejects.toBeInstanceOf(PermitRefused);
    for (let made = 0; made < 3; made += 1) await call(); // what jobs left
    await expect(call()).rejects.toBeInstanceOf(PermitRefused);
    const alone = { organizationId: 'org_1', key: 'crd_one' };
    const one = { budgets: [{ requests: 1, periodMs: 60_000 }] };
    await permits[0]?.acquire({ ...alone, job: first }, one, soon(), signal);
  });

  it('let a job that has been answered wait for the next period, so that its page ends', async () => {
    const permits = new StorePermits(stores[0]);
    const place = { organizationId: 'org_1', key: 'crd_page', job: { answered: true } };
    const limits = { budgets: [{ requests: 2, periodMs: 300 }] };
    for (let made = 0; made < 3; made += 1) await permits.acquire(place, limits, soon(), signal);
  });

  it('wait for the next period when the deadline lets them', async () => {
    const permits = new StorePermits(stores[0]);
    const place = { organizationId: 'org_1', key: 'crd_wait' };
    const limits = { budgets: [{ requests: 1, periodMs: 300 }] };
    await permits.acquire(place, limits, soon(), signal);
    const begun = Date.now();
    await permits.acquire(place, limits, soon(), signal);
    expect(Date.now() - begun).toBeGreaterThan(150);
  });

  it('hold a permit for as long as a file passes, whatever the deadline', async () => {
    const [store] = stores;
    const place = { organizationId: 'org_1', key: 'crd_file' };
    const until = () =>
      store.read(wholeOrganization('org_1'), async (tx) => {
        const [row] = await tx.query<{ until: Date }>(
          `select until from provider_leases where key = 'crd_file'`,
        );
        return row?.until.getTime() ?? 0;
      });
    const limits = { concurrency: 1 };
    const permits = new StorePermits(store, new Pauses(), 200);
    const release = await permits.acquire(place, limits, Date.now() + 100, signal);
    const first = await until();
    await eventually(async () => expect((await until()) - first).toBeGreaterThan(300));
    release();
    await eventually(async () => expect(await until()).toBe(0));
  });

  it('refuse calls that wait long when their process ends', async () => {
    const pauses = new Pauses();
    const permits = new StorePermits(stores[0], pauses);
    const place = { organizationId: 'org_1', key: 'crd_ends' };
    const limits = { budgets: [{ requests: 1, periodMs: 3_600_000 }] };
    const acquire = () => permits.acquire(place, limits, Date.now() + 7_200_000, signal);
    await acquire();
    const waiting = Promise.resolve(acquire()).catch((error: unknown) => error);
    pauses.end();
    expect(await waiting).toBeInstanceOf(PermitRefused);
  });

  it('are looked for less and less often by a call that waits for one', async () => {
    let looks = 0;
    const store: Pick<Store, 'write'> = {
      write: async (scope, work) => {
        looks += 1;
        return await stores[0].write(scope, work);
      },
    };
    const permits = new StorePermits(store as Store);
    const place = { organizationId: 'org_1', key: 'crd_waits' };
    const limits = { concurrency: 1 };
    const release = await permits.acquire(place, limits, soon(), signal);
    looks = 0;
    const late = permits.acquire(place, limits, Date.now() + 2_000, signal);
    await expect(late).rejects.toBeInstanceOf(PermitRefused);
    expect(looks).toBeLessThanOrEqual(8); // 0, 50, 150, 350, 750, 1,550 and 2,000 ms
    const next = permits.acquire(place, limits, soon(), signal);
    release();
    (await next)();
  });

  it('let so many calls run at the same time', async () => {
    const permits = stores.map((store) => new StorePermits(store));
    const place = { organizationId: 'org_1', key: 'crd_lease' };
    let running = 0;
    let highest = 0;
    const call = async (index: number) => {
      const release = await permits[index % 2]?.acquire(
        place,
        { concurrency: 3 },
        Date.now() + 20_000,
        signal,
      );
      running += 1;
      highest = Math.max(highest, running);
      await new Promise((done) => setTimeout(done, 30));
      running -= 1;
      release?.();
    };
    await Promise.all(Array.from({ length: 16 }, (_, index) => call(index)));
    expect(highest).toBeLessThanOrEqual(3);
    expect(highest).toBeGreaterThan(1);
  });
});

describe('access tokens of client credentials', () => {
  let server: Server;
  let asked: URLSearchParams[] = [];
  let answer: object = {};
  const request = (): ClientTokenRequest => ({
    organizationId: 'org_1',
    accountId: 'acc_1',
    credentialId: `crd_${randomBytes(4).toString('hex')}`,
    isStored: true,
    tokenUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    clientId: 'us',
    clientSecret: 'hush-hush',
    scope: 'read write',
    parameters: [['audience', 'things']],
    client: 'body',
  });
  const sealer = new Sealer(keyOf(randomBytes(32)));
  const policy = new EgressPolicy(['127.0.0.1']);
  const dispatcher = createDispatcher(policy);
  const replicas = () =>
    stores.map((store) => new AccessTokens(store, sealer, systemClock, { dispatcher, policy }));

  beforeAll(async () => {
    server = createServer((incoming, response) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.on('end', () => {
        asked.push(new URLSearchParams(body));
        response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' });
        setTimeout(() => response.end(JSON.stringify(answer)), 50);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  beforeEach(() => {
    asked = [];
    answer = {
      access_token: `t-${Math.trunc(performance.now())}`,
      token_type: 'Bearer',
      expires_in: 3600,
    };
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await dispatcher.destroy();
  });

  it('are fetched once for all replicas, and kept sealed', async () => {
    const wanted = request();
    const tokens = await Promise.all(
      replicas().flatMap((one) =>
        [one, one, one].map((each) => each.get(wanted, undefined, signal)),
      ),
    );
    expect(new Set(tokens).size).toBe(1);
    expect(asked.map((one) => Object.fromEntries(one))).toEqual([
      {
        grant_type: 'client_credentials',
        client_id: 'us',
        client_secret: 'hush-hush',
        scope: 'read write',
        audience: 'things',
      },
    ]);
    const rows = await stores[0].write({ organizationId: 'org_1', accounts: 'all' }, (tx) =>
      tx.query<{ sealed: string }>('select sealed from provider_tokens'),
    );
    expect(JSON.stringify(rows)).not.toContain(tokens[0]);
  });

  it('are fetched anew when the provider has refused the one there was, or it is about to expire', async () => {
    const wanted = request();
    const [one, other] = replicas();
    const first = (await one?.get(wanted, undefined, signal)) ?? '';
    answer = { access_token: 'second', token_type: 'Bearer', expires_in: 30 };
    expect(await other?.get(wanted, first, signal)).toBe('second');
    answer = { access_token: 'third', token_type: 'Bearer', expires_in: 3600 };
    expect(await other?.get(wanted, undefined, signal)).toBe('third');
    expect(asked).toHaveLength(3);
  });

  it('are fetched anew for another secret, and stay for those who wait when one hangs up', async () => {
    const wanted = request();
    const [one] = replicas();
    const caller = new AbortController();
    const gone = one?.get(wanted, undefined, caller.signal);
    const stays = one?.get(wanted, undefined, signal);
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    const first = await stays;
    answer = { access_token: 'of the new secret', token_type: 'Bearer', expires_in: 3600 };
    expect(await one?.get({ ...wanted, clientSecret: 'new' }, undefined, signal)).toBe(
      'of the new secret',
    );
    expect(await one?.get(wanted, undefined, signal)).toBe(first);
    expect(asked).toHaveLength(2);
  });

  it('are not read beyond what a token takes, and not asked for where nothing may be called', async () => {
    answer = { access_token: 'x'.repeat(300_000), token_type: 'Bearer' };
    await expect(replicas()[0]?.get(request(), undefined, signal)).rejects.toThrow(
      'gives no access token',
    );
    const inside = { ...request(), tokenUrl: 'http://169.254.169.254/token' };
    await expect(replicas()[0]?.get(inside, undefined, signal)).rejects.toThrow('metadata address');
  });

  it('that are not given are a 502 which names the credential and never the secret', async () => {
    answer = { error: 'invalid_client', error_description: 'unknown client hush-hush' };
    const wanted = request();
    const failure = await replicas()[0]
      ?.get(wanted, undefined, signal)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect((failure as ApiError).status).toBe(502);
    expect((failure as ApiError).message).toContain(wanted.credentialId);
    expect((failure as ApiError).message).toContain('invalid_client unknown client [secret]');
    expect((failure as ApiError).message).not.toContain('hush');
    answer = { access_token: 'after', token_type: 'Bearer' };
    expect(await replicas()[0]?.get(wanted, undefined, signal)).toBe('after');
  });
});
