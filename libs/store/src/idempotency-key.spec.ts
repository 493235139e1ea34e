import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createIds } from '#config';
import type { Call } from '#contract';
import { keyOf, Sealer } from '#secrets';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import {
  connectDatabase,
  type HeldKey,
  IdempotencyKey,
  organizationIds,
  type Scope,
  Store,
  wholeOrganization,
} from './index.js';

const ids = createIds();
const sealer = new Sealer(keyOf(Buffer.alloc(32, 1)));
const start = Date.parse('2026-01-01T00:00:00Z');
let time = start;
let testDatabase: TestDatabase;
let store: Store;
let scope: Scope;

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  store = new Store(await connectDatabase({ url: testDatabase.url }));
});
afterAll(async () => {
  await store.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  time = start;
  scope = wholeOrganization(ids.next(organizationIds));
  await store.write(scope, (tx) =>
    tx.query(
      `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
       values ($1, $1, $1, 'root', 'tok', $2, $2)`,
      [scope.organizationId, new Date(time)],
    ),
  );
});

function keyFor(body: string, usedBy = 'int_1'): IdempotencyKey {
  const call = {
    operation: 'accounts_create',
    caller: { organizationId: scope.organizationId },
    path: {},
    query: {},
    rawBody: Buffer.from(body),
  } as unknown as Call;
  const owners = { usedBy, sealedFor: scope.organizationId };
  return new IdempotencyKey('key', call, owners, { sealer, clock: { now: () => time } });
}
const claim = (body: string, usedBy?: string) =>
  store.write(scope, (tx) => keyFor(body, usedBy).claim(tx));

describe('an Idempotency-Key', () => {
  it('gives the first answer to the same request, and refuses another', async () => {
    expect(await claim('a')).toBeUndefined();
    await store.write(scope, (tx) => keyFor('a').keep(tx, { id: 1 }));
    expect(await claim('a')).toEqual({ answer: { id: 1 } });
    await expect(claim('b')).rejects.toThrow('used before with another request');
    expect(await claim('b', 'int_2')).toBeUndefined();
  });

  it('is under way until there is an answer, and free when it failed', async () => {
    await claim('a');
    await expect(claim('a')).rejects.toMatchObject({
      status: 409,
      options: { headers: { 'retry-after': '1' } },
    });
    await expect(claim('b')).rejects.toThrow('used before with another request');
    await store.write(scope, (tx) => keyFor('a').free(tx));
    expect(await claim('b')).toBeUndefined();
  });

  it('waits for the transaction that holds it', async () => {
    let second: Promise<unknown> | undefined;
    await store.write(scope, async (tx) => {
      await keyFor('a').claim(tx);
      second = claim('a');
      await tx.query('select pg_sleep(0.2)');
      await keyFor('a').keep(tx, 1);
    });
    expect(await second).toEqual({ answer: 1 });
  });

  it('is held again when its call died, by one call at a time and with the same marker', async () => {
    const hold = (key: IdempotencyKey) =>
      store.write(scope, (tx) => key.hold(tx, time + 60_000)) as Promise<HeldKey>;
    const dead = keyFor('a');
    const first = await hold(dead);
    expect(first.isUnsettled).toBe(false);
    await expect(hold(keyFor('a'))).rejects.toThrow('still under way');
    time += 60_001;
    await expect(hold(keyFor('b'))).rejects.toThrow('used before with another request');
    const settling = keyFor('a');
    const second = await hold(settling);
    expect(second).toEqual({ marker: first.marker, since: new Date(start), isUnsettled: true });
    await expect(hold(keyFor('a'))).rejects.toThrow('still under way');
    // The call that was believed dead is late: the key is not its own any more.
    await store.write(scope, (tx) => dead.keep(tx, { id: 'late' }));
    await store.write(scope, (tx) => dead.free(tx));
    await store.write(scope, (tx) => settling.keep(tx, { id: 'found' }));
    expect(await hold(keyFor('a'))).toEqual({ answer: { id: 'found' } });
  });

  it('is held again at once when its call left it, and by another owner apart from it', async () => {
    const first = keyFor('a');
    const { marker } = (await store.write(scope, (tx) => first.hold(tx, time + 60_000))) as HeldKey;
    await store.write(scope, (tx) => first.leave(tx));
    const other = await store.write(scope, (tx) => keyFor('a', 'int_2').hold(tx, time + 60_000));
    expect(other).toMatchObject({ isUnsettled: false });
    const again = await store.write(scope, (tx) => keyFor('a').hold(tx, time + 60_000));
    expect(again).toMatchObject({ marker, isUnsettled: true });
    expect((other as HeldKey).marker).not.toBe(marker);
  });

  it('keeps neither the request nor the answer in clear', async () => {
    await claim('a password');
    await store.write(scope, (tx) => keyFor('a password').keep(tx, { secret: 'given out once' }));
    const rows = await store.read(scope, (tx) =>
      tx.query<{ request_hash: string; reply: string }>(
        'select request_hash, reply from idempotency_keys',
      ),
    );
    expect(rows).toHaveLength(1);
    for (const text of Object.values(rows[0] ?? {})) expect(text).toMatch(/^v1\./);
  });
});
