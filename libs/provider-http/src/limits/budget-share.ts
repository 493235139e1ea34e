import type { Clock } from '#config';
import type { CallAborts } from '#contract';
import type { Pauses } from '#egress';
import type { BudgetAnswer, BudgetReport } from './budget-state.js';
import {
  type BudgetStatus,
  PermitRefused,
  type RequestBudget,
  type SeenLimits,
} from './permits.js';
import { type WaitingCall, WaitingLines } from './waiting-lines.js';

/** A share that its process does not confirm ends after this time: what a killed process held comes back. */
export const shareTtlMs = 20_000;
/** A share that is used is confirmed so often. */
const renewMs = 6_000;
/** A share that was not used for so long is given back. */
const idleMs = 10_000;
/** Calls that wait for a budget of a credential, in one process. */
export const maxWaitingCalls = 1_000;
/** How soon a process with calls that wait asks again; the wait doubles. */
const minPollMs = 50;
const maxPollMs = 1_000;
/** The calls of a process that stands still for a moment keep their turns. */
const waitsMs = 4_000;
/** A provider counts a request when it comes, and not when a long answer ends: nothing takes longer to get there. */
const maxTravelMs = 5_000;
/** A job that the provider has not answered holds a place of the worker, so it waits for a turn and no longer. */
const maxJobPatienceMs = 2_000;
/** Requests of a period, and requests at the same time, that a process keeps for calls to come: one of so many. */
const keptOfPeriod = 8;
const keptOfConcurrency = 4;
const maxGoal = 10_000;
const maxReportedCallers = 300;
/** A provider that pauses for longer is asked again after this time. */
const maxPauseMs = 3_600_000;

/** A call that wants requests of the budget. */
export interface BudgetCall extends Omit<WaitingCall, 'since'> {
  /** Epoch milliseconds. */
  deadline: number;
  /** A job that may be tried later. */
  isImpatient: boolean;
  signal: CallAborts;
}

interface Waiter extends BudgetCall, WaitingCall {
  grant: (uses: Use[]) => void;
  refuse: (error: Error) => void;
}

/** A request that was given out. */
export interface Use {
  readonly isJob: boolean;
  readonly account: string;
  /** A request that is not sent by then counts as if it was. */
  sendBy: number;
  sentAt?: number;
}

export interface ShareParts {
  process: string;
  budget: RequestBudget;
  clock: Clock;
  pauses: Pauses;
  /** Reports to the budget that all processes share. */
  exchange: (report: BudgetReport) => Promise<BudgetAnswer>;
  /** Called when nothing is held any more. */
  ended: () => void;
}

const never = new AbortController().signal;

/** The share that this process has of a budget. A call takes a request out of its stock, or waits in line. */
export class BudgetShare {
  private stock = 0;
  private stockUntil = 0;
  private pausedUntil = 0;
  private readonly busy = new Set<Use>();
  private used: { at: number; isJob: boolean }[] = [];
  private readonly lines = new WaitingLines<Waiter>();
  private readonly callers = new Set<string>();
  private seen: Pick<BudgetReport, 'lowered' | 'pausedMs'> = {};
  private last: BudgetAnswer | undefined;
  private taken = 0;
  /** Requests to keep for calls to come. It grows with each call that has to wait, and shrinks where few are used. */
  private goal = 1;
  private lastUsedAt = 0;
  private pollMs = minPollMs;
  private isAsking = false;
  private asksAgain = false;
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private isOver = false;

  constructor(private readonly parts: ShareParts) {}

  get budget(): RequestBudget {
    return this.parts.budget;
  }

  get waiting(): number {
    return this.lines.size;
  }

  /** Requests that are given out, and kept. */
  get held(): number {
    return this.busy.size + this.stock;
  }

  /** @returns the requests; a promise of them where the call has to wait @throws PermitRefused */
  take(call: BudgetCall): Use[] | Promise<Use[]> {
    const now = this.now();
    this.lastUsedAt = now;
    this.taken += call.size;
    const isFree = !call.isJob && this.lines.interactive === 0 && now >= this.pausedUntil;
    if (isFree && now < this.stockUntil && this.stock >= call.size) {
      this.stock -= call.size;
      const uses = this.usesOf(call, now);
      if (this.stock * 2 < this.target()) this.ask(); // with the uses in its report
      return uses;
    }
    if (this.lines.size >= maxWaitingCalls) throw this.refusal('full');
    // More is kept from now on, as far as others leave it.
    if (!call.isJob && this.last?.isContended === false)
      this.goal = Math.min(2 * this.goal, maxGoal);
    return this.wait(call, now);
  }

  /** A request is on its way. */
  sent(use: Use): void {
    use.sentAt = this.now();
  }

  /** The provider has counted a request: from now on it counts for a period. */
  answered(use: Use): void {
    if (this.parts.budget.periodMs > 0) this.count(use);
  }

  /** A request is over, or was not sent. */
  release(use: Use): void {
    // One that was sent may have been counted, even where no answer came.
    if (this.parts.budget.periodMs > 0 && use.sentAt !== undefined) this.count(use);
    else if (this.busy.delete(use)) this.giveBack(1);
  }

  /** Notes what the provider says of its own count. */
  see({ left, pausedMs }: SeenLimits): void {
    const { periodMs } = this.parts.budget;
    // A count that ends much later is that of another limit.
    if (left !== undefined && left.forMs <= 2 * Math.max(periodMs, 1_000))
      this.seen.lowered = { left: left.requests, forMs: left.forMs };
    if (pausedMs === undefined) return;
    this.seen.pausedMs = Math.min(pausedMs, maxPauseMs);
    this.pausedUntil = this.now() + this.seen.pausedMs;
    this.ask();
  }

  status(): BudgetStatus {
    const { name, requests, periodMs } = this.parts.budget;
    const { left = 0, callers = 1, waitMs } = this.last ?? {};
    const share = Math.floor((left + this.stock) / Math.max(1, callers));
    const isPaused = this.now() < this.pausedUntil;
    const own = this.lines.size > 0 || isPaused ? 0 : Math.min(requests, Math.max(0, share));
    const resetMs = isPaused ? this.pausedUntil - this.now() : own === 0 ? waitMs : undefined;
    return { name, requests, periodMs, left: own, resetMs: resetMs ?? periodMs };
  }

  /** Gives the share back as far as it can be. */
  end(): void {
    clearTimeout(this.timer);
    this.isOver = true;
    this.stock = 0;
    this.ask();
  }

  private wait(call: BudgetCall, now: number): Promise<Use[]> {
    call.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const done = () => call.signal.removeEventListener('abort', leave);
      const waiter: Waiter = {
        ...call,
        since: now,
        grant: (uses) => {
          done();
          resolve(uses);
        },
        refuse: (error) => {
          done();
          reject(error);
        },
      };
      const leave = () => {
        this.lines.remove(waiter);
        reject(call.signal.reason);
      };
      const isFirst = call.isJob ? this.lines.size === 0 : this.lines.interactive === 0;
      this.lines.add(waiter);
      call.signal.addEventListener('abort', leave, { once: true });
      if (!isFirst) return; // The process asks for those before it.
      this.pollMs = minPollMs;
      this.ask();
    });
  }

  private usesOf({ size, isJob, account, deadline }: BudgetCall, now: number): Use[] {
    this.callers.add(account);
    // Requests that were counted at once are sent one after the other.
    const periodMs = this.parts.budget.periodMs;
    const sendBy = size > 1 ? Math.min(deadline, now + periodMs) : deadline;
    const uses = Array.from({ length: size }, (): Use => ({ isJob, account, sendBy }));
    for (const use of uses) this.busy.add(use);
    return uses;
  }

  private count(use: Use): void {
    if (this.busy.delete(use)) this.used.push({ at: this.now(), isJob: use.isJob });
  }

  private giveBack(count: number): void {
    if (this.now() < this.stockUntil) this.stock += count;
    if (this.lines.size > 0 || this.stock > 2 * this.target()) this.ask();
  }

  /** Requests to keep for calls to come: a part of the budget at most. */
  private target(): number {
    const { requests, periodMs } = this.parts.budget;
    if (this.isOver || this.last?.isContended === true) return 0;
    const max = Math.ceil(requests / (periodMs === 0 ? keptOfConcurrency : keptOfPeriod));
    return Math.min(max, this.goal);
  }

  private ask(): void {
    if (this.isAsking) {
      this.asksAgain = true;
      return;
    }
    this.isAsking = true;
    clearTimeout(this.timer);
    void this.exchange().finally(() => {
      this.isAsking = false;
      const asks = this.asksAgain;
      this.asksAgain = false;
      if (asks) this.ask();
      else this.plan();
    });
  }

  private async exchange(): Promise<void> {
    const begun = this.now();
    const report = this.report(begun);
    const { used, seen } = this;
    this.used = [];
    this.seen = {};
    this.callers.clear();
    if (4 * this.taken < this.goal) this.goal = Math.max(1, Math.floor(this.goal / 2));
    this.taken = 0;
    try {
      this.apply(await this.parts.exchange(report), begun);
    } catch (error) {
      this.used.push(...used);
      this.seen = { ...seen, ...this.seen };
      const failure = error instanceof Error ? error : new Error(String(error));
      for (const waiter of this.lines.all()) this.drop(waiter, failure);
    }
  }

  private report(now: number): BudgetReport {
    const { process, budget } = this.parts;
    this.countLateUses(now);
    const target = this.isIdle(now) ? 0 : this.target();
    const mayKeep = this.lines.size === 0 && now < this.stockUntil && now >= this.pausedUntil;
    this.stock = mayKeep ? Math.min(this.stock, target) : 0;
    let jobs = 0;
    for (const { isJob } of this.busy) if (isJob) jobs += 1;
    return {
      process,
      used: this.used.map(({ at, isJob }) => ({
        ageMs: Math.max(0, now - at),
        count: 1,
        jobs: isJob ? 1 : 0,
      })),
      stock: this.stock,
      busy: this.busy.size,
      jobs,
      waiting: this.lines.report(now),
      ahead: Math.min(budget.requests, Math.max(0, target - this.stock)),
      callers: [...this.callers].slice(0, maxReportedCallers),
      ...this.seen,
      ttlMs: shareTtlMs,
      waitsMs,
    };
  }

  private apply(answer: BudgetAnswer, begun: number): void {
    this.last = answer;
    this.stockUntil = begun + shareTtlMs - 1_000;
    this.stock += answer.ahead;
    const now = this.now();
    for (const grant of answer.grants) {
      const waiter = this.lines.take(grant);
      if (waiter === undefined) this.stock += grant.size;
      else waiter.grant(this.usesOf(waiter, now));
    }
    if (answer.grants.length > 0) this.pollMs = minPollMs;
    for (const waiter of this.lines.all())
      this.refuseLate(waiter, now, waiter.isJob ? answer.jobWaitMs : answer.waitMs);
  }

  /** Refuses a call that cannot be served in time. */
  private refuseLate(waiter: Waiter, now: number, waitMs: number | undefined): void {
    const endsAt = now + (waitMs ?? 0);
    const isImpatient = waiter.isImpatient && endsAt > waiter.since + maxJobPatienceMs;
    const isEnding = this.parts.pauses.isEnding && (waitMs ?? 0) > maxPollMs;
    const isLate =
      waitMs === undefined ? now >= waiter.deadline - minPollMs : endsAt >= waiter.deadline;
    if (isLate || isImpatient || isEnding) this.drop(waiter, this.refusal('late'));
  }

  private refusal(reason: 'late' | 'full'): PermitRefused {
    const { budget } = this.parts;
    const lines = this.lines.size;
    const roundMs = Math.floor(lines / budget.requests) * budget.periodMs;
    return new PermitRefused((this.last?.waitMs ?? 1_000) + roundMs, this.status(), reason);
  }

  private drop(waiter: Waiter, error: Error): void {
    this.lines.remove(waiter);
    waiter.refuse(error);
  }

  /** Requests whose answers take long count from when they must have come, and requests that nobody sends from when they were to be sent. */
  private countLateUses(now: number): void {
    if (this.parts.budget.periodMs === 0) return;
    for (const use of this.busy) {
      const { sentAt, sendBy } = use;
      if (now >= (sentAt === undefined ? sendBy : sentAt + maxTravelMs)) this.count(use);
    }
  }

  /** Asks again: soon while calls wait, and otherwise in time to keep the share. */
  private plan(): void {
    clearTimeout(this.timer);
    if (this.lines.size > 0) {
      if (!this.isPolling) void this.poll();
      return;
    }
    if (this.held === 0 && this.used.length === 0 && this.isIdle(this.now())) {
      this.parts.ended();
      return;
    }
    this.timer = setTimeout(() => this.ask(), renewMs).unref();
  }

  private async poll(): Promise<void> {
    this.isPolling = true;
    const { periodMs } = this.parts.budget;
    const maxWaitMs = periodMs === 0 ? maxPollMs : Math.max(minPollMs, periodMs / 10);
    let waitMs = Math.min(this.pollMs, maxWaitMs, maxPollMs, (this.last?.waitMs ?? maxPollMs) + 1);
    for (const { deadline } of this.lines.all())
      waitMs = Math.max(1, Math.min(waitMs, deadline - minPollMs - this.now()));
    this.pollMs = Math.min(2 * this.pollMs, maxPollMs);
    await this.parts.pauses.take(waitMs, never);
    this.isPolling = false;
    this.ask();
  }

  private isIdle(now: number): boolean {
    if (this.isOver) return this.lines.size === 0;
    return this.lines.size === 0 && now - this.lastUsedAt > idleMs;
  }

  private now(): number {
    return this.parts.clock.now();
  }
}
