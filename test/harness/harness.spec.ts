import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import {
  createTestDatabase,
  freePort,
  isInShare,
  isWhole,
  readShareSeed,
  startNats,
  testNatsUrl,
} from './index.js';

describe('the share of a campaign', () => {
  it('is another one for another number, and all numbers together have every place', () => {
    const places = Array.from({ length: 12 }, (_, place) => place);
    const times = places.map(
      (place) => [7, 8, 9, 10].filter((seed) => isInShare(place, 4, 0, seed)).length,
    );
    expect(times).toEqual(places.map(() => (isWhole ? 4 : 1)));
  });

  it('has a whole number', () => {
    expect(readShareSeed('417')).toBe(417);
    for (const text of ['', '-1', '1.5', 'one', '1e3', '12345678901'])
      expect(() => readShareSeed(text)).toThrow('SHARE_SEED');
  });
});

describe('test harness', () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  it('creates a separate database for each caller and drops it despite open connections', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    cleanups.push(two.drop);
    expect(one.name).toMatch(/^onefold_test_/);
    expect(one.name).not.toBe(two.name);
    const client = new pg.Client({ connectionString: one.url });
    client.on('error', () => undefined); // its session is ended below
    await client.connect();
    await client.query('create table mine (id int)');
    await one.drop();
    const other = new pg.Client({ connectionString: two.url });
    await other.connect();
    const { rows } = await other.query<{ found: string | null; left: number }>(
      `select to_regclass('mine')::text as found, (select count(*)::int from pg_database where datname = '${one.name}') as left`,
    );
    await other.end();
    expect(rows[0]).toEqual({ found: null, left: 0 });
  });

  it('shares one real NATS between all specs', async () => {
    const connection = await connect({ servers: await testNatsUrl() });
    cleanups.push(() => connection.close());
    const subscription = connection.subscribe('harness.echo', {
      callback: (_error, message) => void message.respond(message.data),
    });
    const answer = await connection.request('harness.echo', 'hello');
    expect(answer.string()).toBe('hello');
    subscription.unsubscribe();
  });

  it('starts a NATS that a test can stop and start again on the same port', async () => {
    const server = await startNats();
    cleanups.push(server.stop);
    await (await connect({ servers: server.url })).close();
    await server.stop();
    await expect(connect({ servers: server.url, reconnect: false })).rejects.toThrow();
    await server.start();
    await (await connect({ servers: server.url })).close();
  });

  it('gives each caller another port, of those that no system takes by itself, and passes over what is taken', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    expect(new Set(ports).size).toBe(20);
    for (const port of ports) expect(port).toBeLessThan(32_000);
    const workers = 32;
    const next = 20_000 + (((ports.at(-1) ?? 0) - 20_000 + workers) % 12_000);
    const server = createServer().listen(next, '127.0.0.1');
    cleanups.push(async () => void server.close());
    await once(server, 'listening').catch(() => undefined); // Another program has it, which is as well.
    expect(await freePort()).not.toBe(next);
  });
});
