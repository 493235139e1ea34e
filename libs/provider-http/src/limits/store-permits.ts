import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '#config';
import type { CallAborts } from '#contract';
import { Pauses, sleep } from '#egress';
import { providerLimitQueries, type Scope, type Store, wholeOrganization } from '#store';
import { countRequests } from './count-requests.js';
import {
  type PermitLimits,
  type PermitPlace,
  PermitRefused,
  type Permits,
  type RequestBudget,
} from './permits.js';
import { Turns } from './turns.js';

/** A call ends at its deadline. A permit that is held longer than this after it belongs to a process that died. */
const graceMs = 5_000;
/** How soon a call that waits looks again. The wait doubles, because thousands may wait for hosts that do not answer. */
const minPollMs = 50;
const maxPollMs = 1_000;

const unlimited = (): void => undefined;

/** Limits of which nothing is left to be assumed. */
interface CountedLimits {
  budgets: readonly RequestBudget[];
  concurrency: number | undefined;
  count: number;
}

/** Counts permits in the database, so that all replicas together keep to a provider's limits. Without limits no statement is sent. */
export class StorePermits implements Permits {
  /** Calls of one credential in this process ask the database one after the other. */
  private readonly turns = new Turns();
  /** Wakes the call that waits for a permit of a credential, when one is given back in this process. */
  private readonly waiting = new Map<string, () => void>();

  constructor(
    private readonly store: Store,
    private readonly pauses = new Pauses(),
    private readonly renewMs = 20_000,
    /** Sets the time of deadlines and budgets; when absent, budgets go by the clock of the database, which replicas share. */
    private readonly clock?: Clock,
  ) {}

  acquire(
    place: PermitPlace,
    limits: PermitLimits,
    deadline: number,
    signal: CallAborts,
  ): (() => void) | Promise<() => void> {
    const { concurrency, count = 1 } = limits;
    const budgets = count === 0 ? [] : (limits.budgets ?? []);
    if (budgets.length === 0 && concurrency === undefined) return unlimited;
    return this.take(place, { budgets, concurrency, count }, deadline, signal);
  }

  private async take(
    place: PermitPlace,
    { budgets, concurrency, count }: CountedLimits,
    deadline: number,
    signal: CallAborts,
  ): Promise<() => void> {
    // The longest first: a request that waits for it does not count in a short period that is over when it is sent.
    const ordered = [...budgets].sort((one, other) => other.periodMs - one.periodMs);
    for (const budget of ordered) {
      const counter = budget.name === undefined ? place.key : `${place.key} ${budget.name}`;
      // A request does not wait behind those of another budget.
      await this.turns.take(`requests of ${counter}`, () =>
        this.countRequests({ ...place, key: counter }, budget, count, deadline, signal),
      );
    }
    if (concurrency === undefined) return unlimited;
    return await this.turns.take(place.key, () => this.lease(place, concurrency, deadline, signal));
  }

  private async countRequests(
    { organizationId, key, job }: PermitPlace,
    budget: RequestBudget,
    count: number,
    deadline: number,
    signal: CallAborts,
  ): Promise<void> {
    const wanted = { count, isJob: job !== undefined };
    for (;;) {
      signal.throwIfAborted();
      const leftMs = await this.store.write(wholeOrganization(organizationId), (tx) =>
        countRequests(tx, key, budget, wanted, this.clock?.now()),
      );
      if (leftMs === undefined) return;
      const isImpatient = job?.answered === false;
      if (isImpatient || this.now() + leftMs >= deadline) throw new PermitRefused(leftMs);
      if (!(await this.pauses.take(leftMs + 1, signal))) throw new PermitRefused(leftMs);
    }
  }

  private async lease(
    { organizationId, key }: PermitPlace,
    maxConcurrency: number,
    deadline: number,
    signal: CallAborts,
  ): Promise<() => void> {
    const holder = randomUUID();
    const scope = wholeOrganization(organizationId);
    const remainingMs = () => deadline - this.now() + graceMs;
    for (let waitMs = minPollMs; ; waitMs = Math.min(2 * waitMs, maxPollMs)) {
      signal.throwIfAborted();
      const isMine = await this.store.write(scope, (tx) =>
        providerLimitQueries.lease(tx, { key, holder, remainingMs, maxConcurrency }),
      );
      if (isMine) break;
      const leftMs = deadline - this.now();
      if (leftMs <= minPollMs) throw new PermitRefused(1000);
      await this.wait(key, Math.min(waitMs, leftMs), signal);
    }
    // A file may pass for longer than the deadline of its call.
    const renewal = setInterval(() => this.renew(scope, key, holder), this.renewMs).unref();
    return () => {
      clearInterval(renewal);
      // If this fails, the lease expires.
      this.store
        .write(scope, (tx) => providerLimitQueries.endLease(tx, { key, holder }))
        .catch(() => undefined)
        .finally(() => this.waiting.get(key)?.());
    };
  }

  private now(): number {
    return (this.clock ?? systemClock).now();
  }

  private async wait(key: string, ms: number, signal: CallAborts): Promise<void> {
    const woken = new Promise<void>((resolve) => this.waiting.set(key, resolve));
    try {
      await Promise.race([woken, sleep(ms, signal)]);
    } finally {
      this.waiting.delete(key);
    }
  }

  private renew(scope: Scope, key: string, holder: string): void {
    // If renewal fails the lease expires, and one extra call may get through.
    const ms = 2 * this.renewMs + graceMs;
    this.store
      .write(scope, (tx) => providerLimitQueries.renewLease(tx, { key, holder, ms }))
      .catch(() => undefined);
  }
}
