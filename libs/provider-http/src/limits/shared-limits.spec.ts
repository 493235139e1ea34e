import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Pauses } from '#egress';
import { keyOf, type Keys, onlyKey } from '#secrets';
import type { Store } from '#store';
import { useReplicas } from '../two-replicas.fixture.js';
import { maxWaitingCalls } from './budget-share.js';
import { Governor } from './governor.js';
import { type Permit, type PermitLimits, type PermitPlace, PermitRefused } from './permits.js';

const used = useReplicas();
const signal = new AbortController().signal;
const soon = () => Date.now() + 5_000;
/** For calls that wait for each other: the machine may be busy. */
const later = () => Date.now() + 60_000;
const rowsOf = async (statement: string) => (await used.owner.query<object>(statement)).rows;

const keys = onlyKey(keyOf(randomBytes(32)));
const governors: Governor[] = [];
const replica = (at: 0 | 1, options: { pauses?: Pauses; keys?: Keys } = {}) => {
  const governor = new Governor(used.stores[at], { keys, ...options });
  governors.push(governor);
  return governor;
};
afterAll(() => {
  for (const governor of governors) governor.end();
});

/** A replica, with the number of times that it has asked for its shares. */
function counted() {
  let asked = 0;
  const store: Pick<Store, 'write'> = {
    write: async (scope, work) => {
      asked += 1;
      return await used.stores[0].write(scope, work);
    },
  };
  const governor = new Governor(store as Store, { keys });
  governors.push(governor);
  return { governor, asks: () => asked };
}

/** Acquires a permit, and sends a request that the provider answers. */
async function make(
  governor: Governor,
  place: PermitPlace,
  limits: PermitLimits,
  deadline = soon(),
): Promise<Permit> {
  const permit = await governor.acquire(place, limits, deadline, signal);
  permit.sent?.();
  permit.answered?.({});
  permit();
  return permit;
}

describe('the limits of a provider, over two replicas', () => {
  it('let so many calls through in a period, and say how long it is to the next and whose limit it is', async () => {
    const replicas = [replica(0), replica(1)] as const;
    const place = { organizationId: 'org_1', key: 'crd_rate' };
    const limits = { budgets: [{ requests: 4, periodMs: 60_000 }] };
    for (let made = 0; made < 4; made += 1) await make(replicas[made % 2 ? 1 : 0], place, limits);
    const refused = await make(replicas[0], place, limits).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PermitRefused);
    const { retryAfterMs, budget } = refused as PermitRefused;
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(66_000);
    expect(budget).toMatchObject({ requests: 4, periodMs: 60_000, left: 0 });
    await make(replicas[1], { ...place, key: 'crd_other' }, limits);
  });

  it('are those of a credential, whoever holds it, and are kept without it', async () => {
    const limits = { budgets: [{ requests: 1, periodMs: 60_000 }] };
    const place = (key: string, credential: string) => ({
      organizationId: 'org_1',
      key,
      credential: () => credential,
    });
    await make(replica(0), place('crd_a', 'https://one.example hush-hush'), limits);
    await expect(
      make(replica(1), place('crd_b', 'https://one.example hush-hush'), limits),
    ).rejects.toBeInstanceOf(PermitRefused);
    await make(replica(1), place('crd_b', 'https://two.example hush-hush'), limits);
    const rows = await rowsOf('select * from provider_budgets');
    expect(JSON.stringify(rows)).not.toContain('hush');
  });

  it('are raised for who has bought more, and lowered for who calls by other programs too', async () => {
    const limits = { budgets: [{ requests: 2, periodMs: 60_000 }] };
    const place = (organizationId: string, integration: string) => ({
      organizationId,
      key: `crd_of_${integration}`,
      caller: { account: 'acc_1', integration },
    });
    const governor = new Governor(used.stores[0], { keys, percentages: ['int_more:200', '*:50'] });
    governors.push(governor);
    for (let made = 0; made < 4; made += 1)
      await make(governor, place('org_1', 'int_more'), limits);
    await expect(make(governor, place('org_1', 'int_more'), limits)).rejects.toMatchObject({
      budget: { requests: 4 },
    });
    await make(governor, place('org_1', 'int_other'), limits);
    await expect(make(governor, place('org_1', 'int_other'), limits)).rejects.toMatchObject({
      budget: { requests: 1 },
    });
  });

  it('count several requests at once only where all of them have room, and each budget by its name', async () => {
    const governor = replica(0);
    const place = { organizationId: 'org_1', key: 'crd_budgets' };
    const [reads, all] = [
      { name: 'reads', requests: 3, periodMs: 60_000 },
      { requests: 5, periodMs: 60_000 },
    ];
    const two = await governor.acquire(place, { budgets: [reads, all], count: 2 }, soon(), signal);
    expect(two.each).toHaveLength(2);
    const later = Date.now() + 500;
    const tooMany = governor.acquire(place, { budgets: [reads], count: 2 }, later, signal);
    await expect(tooMany).rejects.toBeInstanceOf(PermitRefused);
    await make(governor, place, { budgets: [reads, all] });
    const [reserved] = two.each ?? [];
    await make(governor, place, { budgets: [reads, all], reserved });
    await governor.acquire(place, { budgets: [all], count: 2 }, soon(), signal);
    await expect(
      make(governor, place, { budgets: [all] }, Date.now() + 500),
    ).rejects.toBeInstanceOf(PermitRefused);
  });

  it('let jobs have half of what other calls leave, one request at least, and refuse them soon', async () => {
    const [one, other] = [replica(0), replica(1)];
    const limits = { budgets: [{ requests: 10, periodMs: 60_000 }] };
    const place = { organizationId: 'org_1', key: 'crd_jobs' };
    const call = (job?: { answered: boolean }) =>
      make(one, { ...place, job }, limits, Date.now() + 1_000);
    for (let made = 0; made < 4; made += 1) await call();
    const first = { answered: false };
    for (let made = 0; made < 3; made += 1) await call(first); // half of six
    // Two minutes of patience would not help: before its first answer a job does not wait for a period.
    const patient = make(other, { ...place, job: first }, limits, Date.now() + 120_000);
    await expect(patient).rejects.toBeInstanceOf(PermitRefused);
    for (let made = 0; made < 3; made += 1) await call(); // what jobs left
    await expect(call()).rejects.toBeInstanceOf(PermitRefused);
    const alone = { organizationId: 'org_1', key: 'crd_one' };
    const single = { budgets: [{ requests: 1, periodMs: 60_000 }] };
    await make(one, { ...alone, job: first }, single);
  });

  it('let a job that has been answered wait for the next period, so that its page ends', async () => {
    const place = { organizationId: 'org_1', key: 'crd_page', job: { answered: true } };
    const governor = replica(0);
    for (let made = 0; made < 3; made += 1)
      await make(governor, place, { budgets: [{ requests: 2, periodMs: 300 }] }, later());
  });

  it('wait for the next period when the deadline lets them', async () => {
    const governor = replica(0);
    const place = { organizationId: 'org_1', key: 'crd_wait' };
    const limits = { budgets: [{ requests: 1, periodMs: 300 }] };
    await make(governor, place, limits, later());
    const begun = performance.now();
    await make(governor, place, limits, later());
    expect(performance.now() - begun).toBeGreaterThan(150);
  });

  it('count a request from its answer on, for the provider may have counted it only then', async () => {
    const governor = replica(0);
    const place = { organizationId: 'org_1', key: 'crd_slow' };
    const limits = { budgets: [{ requests: 1, periodMs: 300 }] };
    const slow = await governor.acquire(place, limits, later(), signal);
    slow.sent?.();
    let isNext = false;
    const next = Promise.resolve(make(replica(1), place, limits, later())).then(
      () => (isNext = true),
    );
    await sleep(900);
    expect(isNext).toBe(false);
    const answered = performance.now();
    slow.answered?.({});
    await next;
    expect(performance.now() - answered).toBeGreaterThanOrEqual(290);
  });

  it('are lowered by what the provider says, in all replicas', async () => {
    const [one, other] = [replica(0), replica(1)];
    const limits = { budgets: [{ requests: 100, periodMs: 60_000 }] };
    const paused = { organizationId: 'org_1', key: 'crd_paused' };
    const permit = await one.acquire(paused, limits, soon(), signal);
    permit.sent?.();
    permit.answered?.({ pausedMs: 40_000 });
    permit();
    await expect(make(one, paused, limits)).rejects.toBeInstanceOf(PermitRefused);
    await expect(make(other, paused, limits)).rejects.toMatchObject({
      budget: { left: 0 },
    });
  });

  it('keep nothing ahead where calls wait, and ask for nothing where calls do not', async () => {
    const { governor, asks } = counted();
    const place = { organizationId: 'org_1', key: 'crd_cheap' };
    const limits = { concurrency: 16, budgets: [{ requests: 60_000, periodMs: 60_000 }] };
    for (let made = 0; made < 300; made += 1) await make(governor, place, limits, later());
    expect(asks()).toBeLessThan(60);
    const free = governor.acquire(place, {}, soon(), signal);
    expect(free).not.toBeInstanceOf(Promise);
  });

  it('refuse calls beyond a thousand that wait, and all that wait long when their process ends', async () => {
    const pauses = new Pauses();
    const governor = replica(0, { pauses });
    const place = { organizationId: 'org_1', key: 'crd_ends' };
    const limits = { budgets: [{ requests: 1, periodMs: 3_600_000 }] };
    await make(governor, place, limits);
    const waiting = Array.from({ length: maxWaitingCalls }, () =>
      Promise.resolve(governor.acquire(place, limits, Date.now() + 7_200_000, signal)).catch(
        (error: unknown) => error,
      ),
    );
    expect(() => governor.acquire(place, limits, Date.now() + 7_200_000, signal)).toThrow(
      PermitRefused,
    );
    pauses.end();
    const refused = (await Promise.all(waiting)).filter((one) => one instanceof PermitRefused);
    expect(refused).toHaveLength(maxWaitingCalls);
    expect(governor.held.waiting).toBe(0);
  });

  it('are asked for less and less often by a call that waits', async () => {
    const { governor, asks } = counted();
    const place = { organizationId: 'org_1', key: 'crd_waits' };
    const limits = { concurrency: 1 };
    const release = await governor.acquire(place, limits, soon(), signal);
    const before = asks();
    const late = governor.acquire(place, limits, Date.now() + 2_000, signal);
    await expect(late).rejects.toBeInstanceOf(PermitRefused);
    expect(asks() - before).toBeLessThanOrEqual(9); // 0, 50, 150, 350, 750, 1,550 and 1,950 ms
    const next = governor.acquire(place, limits, soon(), signal);
    release();
    (await next)();
  });

  it('let so many calls run at the same time', async () => {
    const replicas = [replica(0), replica(1)];
    const place = { organizationId: 'org_1', key: 'crd_lease' };
    let [running, highest] = [0, 0];
    const call = async (index: number) => {
      const release = await replicas[index % 2]?.acquire(
        place,
        { concurrency: 3 },
        later(),
        signal,
      );
      running += 1;
      highest = Math.max(highest, running);
      await sleep(30);
      running -= 1;
      release?.();
    };
    await Promise.all(Array.from({ length: 16 }, (_, index) => call(index)));
    expect(highest).toBeLessThanOrEqual(3);
    expect(highest).toBeGreaterThan(1);
  });

  it('serve callers in turn over both replicas, and give none a request too many', async () => {
    const replicas = [replica(0), replica(1)] as const;
    const [requests, periodMs] = [10, 500];
    const limits = { budgets: [{ requests, periodMs }] };
    const served = new Map<string, number>();
    /** When the provider counted each request: at some time between its sending and its answer. */
    const counted: number[] = [];
    const loop = async (account: string, at: 0 | 1) => {
      const caller = { account, integration: account };
      const place = { organizationId: 'org_1', key: 'crd_fair', caller };
      while (counted.length < 150) {
        const permit = await replicas[at].acquire(place, limits, later(), signal);
        permit.sent?.();
        await sleep((counted.length * 7) % 40);
        counted.push(performance.now());
        served.set(account, (served.get(account) ?? 0) + 1);
        await sleep((counted.length * 11) % 40);
        permit.answered?.({});
        permit();
      }
    };
    const loops = [0, 1, 2, 3, 4].map((n) => loop(`acc_${n}`, n < 4 ? 0 : 1));
    for (let n = 0; n < 20; n += 1) loops.push(loop('acc_many', n % 2 ? 1 : 0));
    await Promise.all(loops);
    const early = counted.filter((at, n) => at - (counted[n - requests] ?? 0) < periodMs);
    expect(early).toEqual([]);
    expect(served.size).toBe(6);
    const few = [0, 1, 2, 3, 4].map((n) => served.get(`acc_${n}`) ?? 0);
    expect(Math.max(...few) / Math.min(...few)).toBeLessThanOrEqual(1.3);
  });

  it('give the share of a killed replica back', async () => {
    const killed = replica(0);
    const place = { organizationId: 'org_1', key: 'crd_killed' };
    const limits = { concurrency: 3 };
    for (let n = 0; n < 3; n += 1) await killed.acquire(place, limits, later(), signal);
    const survivor = replica(1);
    const begun = Date.now();
    await expect(
      Promise.resolve(survivor.acquire(place, limits, begun + 500, signal)),
    ).rejects.toBeInstanceOf(PermitRefused);
    await rowsOf(
      `update provider_budgets set state = replace(state::text, '"until":', '"until": 1, "was":')::jsonb`,
    );
    (await survivor.acquire(place, limits, later(), signal))();
  });
});
