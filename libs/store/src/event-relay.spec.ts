import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase, eventually, type TestDatabase, until } from '#test/harness';
import { EventRelay } from './event-relay.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
});

/** A way to the database that can be cut. */
async function cable() {
  const { hostname, port } = new URL(database.url);
  const open = new Set<Socket>();
  const state = { cut: false, attempts: 0 };
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    state.attempts += 1;
    if (state.cut) return void socket.destroy();
    const far = connect(Number(port || 5432), hostname);
    far.on('error', () => socket.destroy());
    far.on('close', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      far.destroy();
    });
    open.add(socket);
    socket.pipe(far).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, server, open, state };
}

describe('the event relay', () => {
  it('comes back once after an outage, says that events may be missing, and hears again', async () => {
    const { url, server, open, state } = await cable();
    const heard: unknown[] = [];
    let missed = 0;
    const relay = new EventRelay(
      url,
      (event) => heard.push(event),
      () => (missed += 1),
    );
    await relay.start();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      state.cut = true;
      for (const socket of open) socket.destroy();
      await until(() => state.attempts > 2);
      expect(state.attempts).toBeLessThan(7);
      state.cut = false;
      await until(() => missed > 0);
      await sleep(300);
      expect(missed).toBe(1);
      expect(open.size).toBe(1);
      const event = { event: 'bridge.changed', payload: { organizationId: 'org' } };
      await client.query('select pg_notify($1, $2)', ['onefold', JSON.stringify(event)]);
      await eventually(() => expect(heard).toEqual([event]));
    } finally {
      await client.end();
      await relay.stop();
      server.close();
    }
    expect(open.size).toBe(0);
  });

  it('stays stopped when it is stopped during an outage', async () => {
    const { url, server, open, state } = await cable();
    const relay = new EventRelay(
      url,
      () => undefined,
      () => undefined,
    );
    await relay.start();
    state.cut = true;
    for (const socket of open) socket.destroy();
    await sleep(50);
    await relay.stop();
    state.cut = false;
    const { attempts } = state;
    await sleep(700);
    expect(state.attempts).toBe(attempts);
    server.close();
  });
});
