import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '#test/harness';
import { ChangeFeed, feedLimits } from './change-feed.js';
import { EventRelay } from './event-relay.js';

let database: TestDatabase;
let client: pg.Client;
const relays: EventRelay[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.stop();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function start() {
  const told: string[] = [];
  const relay = new EventRelay(
    database.url,
    (event) => void feed.hear(event),
    () => feed.reset(),
  );
  const feed = new ChangeFeed(
    (event) => relay.notify(event),
    (changes) => told.push(...changes),
    () => relay.giveUp(),
  );
  await relay.start();
  relays.push(relay);
  return { feed, told, relay };
}

const change = async (id: string, by = client) =>
  await by.query(`select pg_notify('onefold_changes', $1)`, [
    JSON.stringify({ event: 'records.changed', payload: { change: id } }),
  ]);

describe('the feed of changes', () => {
  it('confirms each change that was committed before, once, in order', async () => {
    const { feed, told } = await start();
    let { position, changes } = await feed.confirm(undefined);
    expect(changes).toBeUndefined();
    for (let n = 0; n < 20; n += 1) {
      await change(`a${n} 1`);
      await change(`b${n} 1`);
      ({ position, changes } = await feed.confirm(position));
      expect(changes).toEqual([`a${n} 1`, `b${n} 1`]);
    }
    expect((await feed.confirm(position)).changes).toEqual([]);
    await eventually(() => expect(told).toHaveLength(40));
  });

  it('has what is committed behind a position, though the transaction began before it', async () => {
    const { feed } = await start();
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query('begin');
    await change('slow 1', other);
    const { position } = await feed.confirm(undefined);
    await other.query('commit');
    expect((await feed.confirm(position)).changes).toEqual(['slow 1']);
    await other.end();
  });

  it('knows positions of other processes, and not those of before its start', async () => {
    const first = await start();
    const before = await first.feed.confirm(undefined);
    const second = await start();
    expect((await second.feed.confirm(before.position)).changes).toBeUndefined();
    const { position } = await first.feed.confirm(before.position);
    await change('c 1');
    expect((await second.feed.confirm(position)).changes).toEqual(['c 1']);
  });

  it('forgets positions when its connection was lost, as changes may be missing', async () => {
    const { feed, relay } = await start();
    const { position } = await feed.confirm(undefined);
    relay.giveUp();
    await expect(feed.confirm(position)).rejects.toThrow();
    await eventually(async () => expect((await feed.confirm(position)).changes).toBeUndefined());
  });

  it('serves callers that come together with one message, and refers to all records where there are too many changes', async () => {
    const { feed } = await start();
    const { position } = await feed.confirm(undefined);
    const together = await Promise.all(Array.from({ length: 50 }, () => feed.confirm(position)));
    expect(new Set(together.map((one) => one.position)).size).toBe(1);
    for (let n = 0; n <= feedLimits.maxTold; n += 1)
      feed.hear({ event: 'records.changed', payload: { change: `d${n} 1` } });
    expect((await feed.confirm(position)).changes).toBeUndefined();
    for (let n = 0; n <= 2 * feedLimits.maxKept; n += 1)
      feed.hear({ event: 'records.changed', payload: { change: `e${n} 1` } });
    expect((await feed.confirm(together[0]?.position)).changes).toBeUndefined();
  });
});
