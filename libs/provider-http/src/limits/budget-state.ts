/** Requests that the provider counted in one slot of time. */
export interface UsedSlot {
  /** Number of the slot since 1970. */
  at: number;
  used: number;
  /** Those of jobs among them. */
  jobs: number;
}

/** Requests of one caller that wait at a process: how many each of them counts, in their order. */
interface WaitingLine {
  caller: string;
  isJob: boolean;
  sizes: number[];
  /** Since when the oldest waits, by the clock of the database; not in rows of the version before. */
  since?: number;
}

/** The same in the report of the process, whose clock is another one. */
export interface WaitingCaller extends Omit<WaitingLine, 'since'> {
  /** How long the oldest waits. */
  waitedMs: number;
}

/** Requests that one waiting call may send. */
export interface Grant {
  caller: string;
  isJob: boolean;
  size: number;
}

/** A request that waits, and where. */
interface WaitingRequest extends Grant {
  process: string;
  since: number;
}

/** The share of a process. It ends by itself where the process does not come back. */
interface Holder {
  /** Requests that it may send without asking. */
  stock: number;
  /** Requests that it has sent, and that the provider may count now or later. */
  busy: number;
  /** Those of jobs among them. */
  jobs: number;
  /** Requests that were granted to its waiting calls, until it asks again. */
  granted: Grant[];
  until: number;
  waiting: WaitingLine[];
  waitsUntil: number;
}

/** The turns that a caller has had, as a virtual time: who has had fewest is next. */
interface CallerTurns {
  served: number;
  at: number;
}

/** A budget of a credential as all processes know it: a row of the database. Times are those of the database, in epoch milliseconds. */
export interface BudgetState {
  slots?: UsedSlot[];
  holders?: Record<string, Holder>;
  /** By caller, and by class: jobs have turns of their own. */
  turns?: Record<string, CallerTurns>;
  /** The virtual time of the last turn: who was away begins there. */
  served?: number;
  /** Counts turns, some of which belong to jobs. */
  grants?: number;
  /** The provider takes no call before. */
  pausedUntil?: number;
  /** Requests that are left by the provider's own count. */
  lowered?: { left: number; until: number };
}

/** Report of a process that asks for its share. */
export interface BudgetReport {
  process: string;
  /** Requests that the provider counted since the process asked last: how long ago at most, how many, and how many of jobs. */
  used: { ageMs: number; count: number; jobs: number }[];
  stock: number;
  busy: number;
  /** Requests of jobs among the busy ones. */
  jobs: number;
  waiting: WaitingCaller[];
  /** Requests that it wants to keep beside those of waiting calls. */
  ahead: number;
  /** Callers that have used the budget since. */
  callers: string[];
  /** The provider said that so many requests are left for so long. */
  lowered?: { left: number; forMs: number } | undefined;
  /** The provider said that it takes none for so long. */
  pausedMs?: number | undefined;
  /** How long the share is kept. */
  ttlMs: number;
  /** How long its waiting calls are remembered. */
  waitsMs: number;
}

/** The share that it gets. */
export interface BudgetAnswer {
  grants: Grant[];
  ahead: number;
  /** Requests that nobody holds. */
  left: number;
  /** Callers that use the budget now. */
  callers: number;
  /** How long until there is room for the first of its calls, and of its jobs; undefined where that depends on answers that nobody has yet. */
  waitMs: number | undefined;
  jobWaitMs: number | undefined;
  /** Calls wait somewhere: nobody keeps requests for later. */
  isContended: boolean;
}

/** A budget; one without a period limits requests at the same time. */
export interface StateLimits {
  requests: number;
  periodMs: number;
}

const slotsPerPeriod = 20;
/** Where both wait, every fourth turn belongs to a job. */
const turnsPerJob = 4;
/** Turns in one answer; further ones follow with the next. */
const maxGrants = 500;
/** A caller counts as active for so long at least. */
const minActiveMs = 10_000;
/** Callers whose turns are remembered. */
const maxCallers = 2_000;

/**
 * Takes the report of a process, and gives it and others their shares. The requests that all may send, those that may be under way, and those
 * that the provider counted in any span of a period are never more than the budget: a request counts from when it is given out until a period
 * after its answer, wherever the provider begins its periods and however long the request was on its way.
 * @param state is used up: what it holds is changed
 */
export function shareBudget(
  state: BudgetState,
  limits: StateLimits,
  now: number,
  report: BudgetReport,
): { state: BudgetState; answer: BudgetAnswer } {
  const share = new Sharing(state, limits, now);
  share.dropExpired();
  const own = share.take(report);
  const mine = share.serve(report.process);
  own.granted = [];
  for (const { size, isJob } of mine) {
    own.busy += size;
    if (isJob) own.jobs += size;
  }
  const isContended = share.waiting().length > 0;
  const ahead = isContended ? 0 : Math.max(0, Math.min(report.ahead, Math.floor(share.free() / 2)));
  own.stock += ahead;
  share.lower(ahead);
  const callers = share.countCallers();
  const left = Math.max(0, share.free());
  const [waitMs, jobWaitMs] = [false, true].map((isJob) => share.waitMs(report.process, isJob));
  return {
    state: share.state(),
    answer: { grants: mine, ahead, left, callers, waitMs, jobWaitMs, isContended },
  };
}

class Sharing {
  private slots: UsedSlot[];
  private readonly holders: Map<string, Holder>;
  private readonly turns: Map<string, CallerTurns>;
  private readonly slotMs: number;
  private served: number;
  private grants: number;
  private pausedUntil: number | undefined;
  private lowered: { left: number; until: number } | undefined;

  constructor(
    state: BudgetState,
    private readonly limits: StateLimits,
    private readonly now: number,
  ) {
    this.slots = state.slots ?? [];
    this.holders = new Map(Object.entries(state.holders ?? {}));
    this.turns = new Map(Object.entries(state.turns ?? {}));
    this.slotMs = limits.periodMs / slotsPerPeriod;
    this.served = state.served ?? 0;
    this.grants = state.grants ?? 0;
    this.pausedUntil = state.pausedUntil;
    this.lowered = state.lowered;
  }

  state(): BudgetState {
    return {
      slots: this.slots,
      holders: Object.fromEntries(this.holders),
      turns: Object.fromEntries(this.turns),
      served: this.served,
      grants: this.grants,
      ...(this.pausedUntil === undefined ? {} : { pausedUntil: this.pausedUntil }),
      ...(this.lowered === undefined ? {} : { lowered: this.lowered }),
    };
  }

  /** Ends shares of processes that did not come back. Their requests may have been sent until then, so they count from there. */
  dropExpired(): void {
    const { now, limits } = this;
    for (const [id, holder] of this.holders) {
      if (holder.waitsUntil <= now) holder.waiting = [];
      if (holder.until > now) continue;
      this.use(holder.until, heldBy(holder), holder.jobs);
      this.holders.delete(id);
    }
    this.slots = this.slots.filter(({ at }) => (at + 1) * this.slotMs + limits.periodMs > now);
    if (this.pausedUntil !== undefined && this.pausedUntil <= now) this.pausedUntil = undefined;
    if (this.lowered !== undefined && this.lowered.until <= now) this.lowered = undefined;
    const activeMs = Math.max(limits.periodMs, minActiveMs);
    for (const [id, { at }] of this.turns) if (at + activeMs < now) this.turns.delete(id);
  }

  /** Notes what a process says of itself. */
  take(report: BudgetReport): Holder {
    const { now } = this;
    const before = this.holders.get(report.process);
    const holder: Holder = {
      stock: report.stock,
      busy: report.busy,
      jobs: report.jobs,
      granted: before?.granted ?? [],
      until: now + report.ttlMs,
      waiting: report.waiting.map(({ waitedMs, ...line }) => ({ ...line, since: now - waitedMs })),
      waitsUntil: now + report.waitsMs,
    };
    for (const { ageMs, count, jobs } of report.used) this.use(now - ageMs, count, jobs);
    this.holders.set(report.process, holder);
    const { lowered, pausedMs } = report;
    if (pausedMs !== undefined) this.pausedUntil = Math.max(this.pausedUntil ?? 0, now + pausedMs);
    if (lowered !== undefined) {
      // The provider may have counted none of the requests that are under way.
      const left = Math.max(0, lowered.left - this.held());
      this.lowered = { left, until: now + lowered.forMs };
    }
    for (const caller of report.callers) this.see(caller);
    return holder;
  }

  /** Grants what is free to those whose turn it is, wherever they wait. @returns the grants of this process, also those of before */
  serve(process: string): Grant[] {
    const mine = this.holders.get(process)?.granted ?? [];
    for (const { caller, isJob, size } of mine) this.drop(process, caller, isJob, size);
    for (let turn = 0; turn < maxGrants; turn += 1) {
      const next = this.next();
      if (next === undefined) break;
      const { process: at, caller, isJob, size } = next;
      if (!this.hasRoom(size, isJob)) break;
      this.drop(at, caller, isJob, size);
      this.holders.get(at)?.granted.push({ caller, isJob, size });
      this.lower(size);
      this.grants += 1;
      const turns = this.see(turnKey(caller, isJob));
      this.served = Math.max(this.served, turns.served);
      turns.served = this.served + size;
    }
    return [...mine];
  }

  /** Those who wait, at all processes, with what the first of their calls counts. */
  waiting(): WaitingRequest[] {
    const found: WaitingRequest[] = [];
    for (const [process, { waiting }] of this.holders)
      for (const { caller, isJob, sizes, since = this.now } of waiting)
        if (sizes[0] !== undefined) found.push({ process, caller, isJob, size: sizes[0], since });
    return found;
  }

  /** Requests that nobody holds, and that the provider would take. */
  free(): number {
    if (this.pausedUntil !== undefined) return 0;
    const used = this.slots.reduce((sum, slot) => sum + slot.used, 0);
    const free = this.limits.requests - used - this.held();
    return this.lowered === undefined ? free : Math.min(free, this.lowered.left);
  }

  /** Counts requests that are given out against what the provider said is left. */
  lower(count: number): void {
    if (this.lowered !== undefined) this.lowered.left = Math.max(0, this.lowered.left - count);
  }

  countCallers(): number {
    const ids = new Set([...this.turns.keys()].map((key) => key.replace(/^job /, '')));
    return ids.size;
  }

  /** How long until there is room for the first call or job of a process, if it is known. */
  waitMs(process: string, isJob: boolean): number | undefined {
    const { now, limits, slotMs } = this;
    const first = this.holders.get(process)?.waiting.find((one) => one.isJob === isJob);
    const size = first?.sizes[0] ?? 1;
    if (this.pausedUntil !== undefined) return this.pausedUntil - now;
    if (this.lowered !== undefined && this.lowered.left < size) return this.lowered.until - now;
    if (limits.periodMs === 0) return undefined;
    const slots = [...this.slots].sort((one, other) => one.at - other.at);
    let missing = size - this.free();
    let missingJobs = isJob ? size - this.jobRoom() : 0;
    if (missing <= 0 && missingJobs <= 0) return 1;
    for (const { at, used, jobs } of slots) {
      missing -= used;
      missingJobs -= jobs;
      if (missing <= 0 && missingJobs <= 0)
        return Math.max(1, (at + 1) * slotMs + limits.periodMs - now);
    }
    return undefined;
  }

  private held(): number {
    let held = 0;
    for (const holder of this.holders.values()) held += heldBy(holder);
    return held;
  }

  private use(at: number, count: number, jobs: number): void {
    if (this.limits.periodMs === 0 || count === 0) return;
    const slot = Math.floor(at / this.slotMs);
    const known = this.slots.find((one) => one.at === slot);
    if (known === undefined) this.slots.push({ at: slot, used: count, jobs });
    else {
      known.used += count;
      known.jobs += jobs;
    }
  }

  private hasRoom(size: number, isJob: boolean): boolean {
    return size <= this.free() && (!isJob || size <= this.jobRoom());
  }

  /** Jobs may use half of what interactive calls leave, and one request at least, so that an interactive call finds room. */
  private jobRoom(): number {
    const { requests, periodMs } = this.limits;
    if (periodMs === 0) return requests;
    let [used, jobs] = [0, 0];
    for (const slot of this.slots) {
      used += slot.used;
      jobs += slot.jobs;
    }
    for (const holder of this.holders.values()) {
      const granted = holder.granted.reduce((sum, { size, isJob }) => sum + (isJob ? size : 0), 0);
      used += holder.busy + granted;
      jobs += holder.jobs + granted;
    }
    return Math.max(1, Math.floor((requests - (used - jobs)) / 2)) - jobs;
  }

  /**
   * Finds whose turn it is: interactive callers first, every fourth time a job; among them who has had fewest turns. One who waits at several
   * processes is served where the wait is longest, so that no call is passed by until its deadline.
   */
  private next(): WaitingRequest | undefined {
    const waiting = this.waiting();
    const calls = waiting.filter(({ isJob }) => !isJob);
    const room = this.jobRoom();
    const jobs = waiting.filter(({ isJob, size }) => isJob && size <= room);
    const isTurnOfJob = this.grants % turnsPerJob === turnsPerJob - 1;
    const [first, second] = isTurnOfJob ? [jobs, calls] : [calls, jobs];
    const among = first.length > 0 ? first : second;
    let found: WaitingRequest | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const one of among) {
      const served = this.turns.get(turnKey(one.caller, one.isJob))?.served ?? 0;
      const isNext = served < fewest || (served === fewest && one.since < (found?.since ?? 0));
      if (isNext) [found, fewest] = [one, served];
    }
    return found;
  }

  /** Takes a call out of those that wait at a process. */
  private drop(process: string, caller: string, isJob: boolean, size: number): void {
    const waiting = this.holders.get(process)?.waiting ?? [];
    const line = waiting.find((one) => one.caller === caller && one.isJob === isJob);
    const at = line?.sizes.indexOf(size) ?? -1;
    if (line === undefined || at < 0) return;
    line.sizes.splice(at, 1);
    delete line.since; // The next report says how long the others wait.
  }

  private see(key: string): CallerTurns {
    const known = this.turns.get(key);
    const turns = known ?? { served: this.served, at: this.now };
    turns.at = this.now;
    if (known === undefined && this.turns.size < maxCallers) this.turns.set(key, turns);
    return turns;
  }
}

function heldBy({ stock, busy, granted }: Holder): number {
  return stock + busy + granted.reduce((sum, { size }) => sum + size, 0);
}

function turnKey(caller: string, isJob: boolean): string {
  return isJob ? `job ${caller}` : caller;
}
