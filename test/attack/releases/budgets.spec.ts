import { setMaxListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Governor } from '#provider-http';
import { keyOf, onlyKey } from '#secrets';
import { openStore } from '#store';
import { until } from '#test/harness';
import { maxWaitingCalls } from '../../../libs/provider-http/src/limits/budget-share.js';
import { useReplicas } from '../../../libs/provider-http/src/two-replicas.fixture.js';

const used = useReplicas();
const keys = onlyKey(keyOf(Buffer.alloc(32, 5)));

async function takePermit(
  permits: Governor,
  limits: { concurrency: number },
  signal: AbortSignal,
  ms = 60_000,
) {
  const place = { organizationId: 'org_1', key: 'crd_1' };
  return await permits.acquire(place, limits, Date.now() + ms, signal);
}

describe('a call that waits for a budget of a provider', () => {
  const limits = { concurrency: 1 };

  it('is refused beyond the bound, and leaves with its turn, with its caller and at its deadline', async () => {
    const permits = new Governor(used.stores[0], { keys });
    const { signal } = new AbortController();
    const release = await takePermit(permits, limits, signal);
    const callers = new AbortController();
    setMaxListeners(0, callers.signal);
    const waiting = Array.from({ length: maxWaitingCalls }, () =>
      takePermit(permits, limits, callers.signal).catch(String),
    );
    expect(permits.held.waiting).toBe(maxWaitingCalls);
    await expect(takePermit(permits, limits, signal)).rejects.toMatchObject({ reason: 'full' });
    callers.abort(new Error('left'));
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['Error: left']));
    expect(permits.held.waiting).toBe(0);
    const next = takePermit(permits, limits, signal);
    release();
    const releaseNext = await next;
    await expect(takePermit(permits, limits, signal, 100)).rejects.toThrow('used up');
    expect(permits.held.waiting).toBe(0);
    releaseNext();
    permits.end();
  });
});

describe('a permit of a credential', () => {
  const concurrency = 3;
  const limits = { concurrency };
  const held = async () => {
    const { owner } = used;
    const { rows } = await owner.query<{ state: BudgetRow }>('select state from provider_budgets');
    return rows
      .flatMap(({ state }) => Object.values(state.holders ?? {}))
      .reduce((sum, { stock, busy }) => sum + stock + busy, 0);
  };
  const take = (permits: Governor, signal: AbortSignal, ms?: number) =>
    takePermit(permits, limits, signal, ms);

  it('is free when its call ends, when its caller leaves the line, and when a process that was killed does not come back', async () => {
    const {
      stores: [store],
      owner,
      database,
    } = used;
    const permits = new Governor(store, { keys });
    const { signal } = new AbortController();
    const releases: (() => void)[] = [];
    for (let n = 0; n < concurrency; n += 1) releases.push(await take(permits, signal));
    expect(await held()).toBe(concurrency);
    const caller = new AbortController();
    const beyond = take(permits, caller.signal);
    setTimeout(() => caller.abort(new Error('left')), 100);
    await expect(beyond).rejects.toThrow('left');
    await expect(take(permits, signal, 100)).rejects.toThrow('used up');
    expect(permits.held).toMatchObject({ requests: concurrency, waiting: 0 });
    for (const release of releases) release();
    permits.end();
    await until(async () => (await held()) === 0);
    // Permits that nobody releases, of a process whose share is over.
    const other = await openStore({ url: database.url });
    const killed = new Governor(other, { keys });
    for (let n = 0; n < concurrency; n += 1) await take(killed, signal);
    await other.close();
    await owner.query(
      `update provider_budgets set state = replace(state::text, '"until":', '"until": 1, "was":')::jsonb`,
    );
    const survivor = new Governor(store, { keys });
    (await take(survivor, signal))();
    survivor.end();
    await until(async () => (await held()) === 0);
  });
});

interface BudgetRow {
  holders?: Record<string, { stock: number; busy: number }>;
}
