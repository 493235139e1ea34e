import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Client } from './client.js';
import { natsUser, type Onefold, startDistributed } from './onefold.js';
import { type Running, startApp } from './processes.js';
import { readExposition } from '../tools/promql/recorded-series.js';

/** Longer than a token is remembered where changes are not certain. */
const rememberedMs = 1_500;

/**
 * Maximum time that a revoked token may still work. It is promised to callers (SECURITY.md), so it is measured here; the rest is
 * for a busy machine and the last request.
 */
const maxAcceptedMs = 1_000;
const graceMs = 2_000;

let onefold: Onefold;
let more: Running[];
let gateways: Client[];
let database: pg.Client;

/** Starts two gateways and two of management. */
async function start(asUsers: boolean | ((permissions: string) => string)): Promise<void> {
  onefold = await startDistributed({}, { worker: false, asUsers });
  more = (['gateway', 'management'] as const).map((app) =>
    startApp(app, [], { ...onefold.env, ...(asUsers && natsUser(app)), PORT: '0' }),
  );
  await Promise.all(more.map((one) => one.says(/"message":"ready"/)));
  const [, url = ''] = (await more[0]?.says(/"address":"([^"]+)"/)) ?? [];
  gateways = [onefold.api, new Client(url)];
  database = new pg.Client({ connectionString: onefold.env?.['DATABASE_URL'] });
  await database.connect();
}

async function stop(): Promise<void> {
  await database.end();
  for (const one of more) await one.stop();
  await onefold.stop();
}

const create = async () => {
  const { result } = await onefold.api.call('tokens_create_token', {
    body: { permission_set: 'viewer', resources: { organizations: { ids: ['*'] } } },
  });
  return { id: result.id, secret: result.primary.access.secret };
};
const statusAt = async (gateway: Client, secret: string) =>
  (await gateway.as(secret).send('accounts_list', { query: { limit: 1 } })).status;

/** Has each gateway remember the token for longer than it would if changes were not certain. @returns look-ups meanwhile */
async function useFor(ms: number, secret: string): Promise<number> {
  const before = await countLookUps();
  for (const end = performance.now() + ms; performance.now() < end; await sleep(20))
    for (const gateway of gateways) expect(await statusAt(gateway, secret)).toBe(200);
  return (await countLookUps()) - before;
}

/** Counts the look-ups of tokens that all processes of management have answered. */
async function countLookUps(): Promise<number> {
  const counts = [onefold.processes['management'], more[1]].map(async (one) => {
    const [, observe = ''] = (await one?.says(/"observe":"([^"]+)"/)) ?? [];
    const samples = readExposition(await (await fetch(`${observe}/metrics`)).text());
    return samples
      .filter(({ labels }) => labels['__name__'] === 'onefold_request_duration_seconds_count')
      .filter(({ labels }) => labels['operation'] === 'tokens.introspect')
      .reduce((sum, { value }) => sum + value, 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Measures how long each gateway still accepts the token after its revocation; both remember it. */
async function takenFor(revoke: (id: string) => Promise<unknown>): Promise<number[]> {
  const { id, secret } = await create();
  await useFor(rememberedMs, secret);
  await revoke(id);
  const revoked = performance.now();
  return await Promise.all(
    gateways.map(async (gateway) => {
      // The start of the last accepted call counts: a slow machine delays responses, but not the refusal of a token.
      for (let last = revoked; ; await sleep(5)) {
        const begun = performance.now();
        if ((await statusAt(gateway, secret)) !== 200) return last - revoked;
        last = begun;
      }
    }),
  );
}

const byApi = (id: string) => onefold.api.call('tokens_delete', { path: { refreshTokenId: id } });
const byHand = (id: string) => database.query('delete from tokens where id = $1', [id]);

async function measure(rounds: number, revoke: typeof byHand | typeof byApi): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round += 1) taken.push(...(await takenFor(revoke)));
  return taken.sort((one, other) => one - other);
}

describe('a revoked token', () => {
  beforeAll(() => start(false));
  afterAll(stop);

  it('is looked up once by each gateway while it is used for seconds', async () => {
    const { secret } = await create();
    for (const gateway of gateways) expect(await statusAt(gateway, secret)).toBe(200);
    await useFor(rememberedMs, secret);
    // One a second and gateway would be 10; a gateway that is kept from the processor for long may make one.
    expect(await useFor(5_000, secret)).toBeLessThanOrEqual(2);
  });

  it.each([
    ['by the API', byApi],
    ['in the database by hand', byHand],
  ])('%s is refused by every gateway within a second, usually at once', async (_how, revoke) => {
    const taken = await measure(8, revoke);
    expect(taken.at(-1)).toBeLessThan(maxAcceptedMs + graceMs);
    // Half of the time between two confirmations shows that gateways are notified, on a busy machine too.
    expect(taken[Math.floor(taken.length / 4)]).toBeLessThan(150);
  });

  it('is refused by a gateway that was away from the bus meanwhile', async () => {
    const { id, secret } = await create();
    await useFor(rememberedMs, secret);
    await onefold.nats?.stop();
    await byHand(id);
    const revoked = performance.now();
    await onefold.nats?.start();
    for (const gateway of gateways) {
      let begun = 0;
      for (let status = 0; status !== 401;) {
        begun = performance.now();
        status = await statusAt(gateway, secret);
        // A call that was accepted before waits for the bus, and is answered once it is back.
        if (status === 200) expect(begun - revoked).toBeLessThan(maxAcceptedMs + graceMs);
      }
    }
  });
});

describe('a revoked token whose event is lost', () => {
  // No process may send or hear the event.
  beforeAll(() =>
    start((permissions) => permissions.replaceAll(/^.*event\.records\.changed.*\n/gm, '')),
  );
  afterAll(stop);

  it('is refused by every gateway within a second', async () => {
    const taken = await measure(8, byApi);
    expect(taken.at(-1)).toBeLessThan(maxAcceptedMs + graceMs);
    expect(taken.at(-1)).toBeGreaterThan(50); // The event was really lost.
  });
});
