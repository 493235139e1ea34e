import { createHmac, randomUUID } from 'node:crypto';
import type { Clock } from '#config';
import type { CallAborts } from '#contract';
import { Pauses } from '#egress';
import type { Keys } from '#secrets';
import { providerLimitQueries, type Store, wholeOrganization } from '#store';
import { type BudgetCall, BudgetShare, type Use } from './budget-share.js';
import {
  type BudgetAnswer,
  type BudgetReport,
  type BudgetState,
  shareBudget,
} from './budget-state.js';
import type {
  BudgetStatus,
  Permit,
  PermitLimits,
  PermitPlace,
  Permits,
  RequestBudget,
  SeenLimits,
} from './permits.js';

const unlimited: Permit = () => undefined;
/** Goes on evenly where the clock of the machine is set. */
const steadyClock: Clock = { now: () => performance.timeOrigin + performance.now() };

interface Taken {
  share: BudgetShare;
  uses: readonly Use[];
}

/**
 * Keeps the budgets of credentials over all processes and tenants. A process has a share of each budget that it uses, and asks for it ahead, so
 * that most calls wait for nothing; the shares of all are a row of the database (`shareBudget`).
 */
export class Governor implements Permits {
  private readonly process = randomUUID();
  private readonly shares = new Map<string, BudgetShare>();
  private readonly percentages: ReadonlyMap<string, number>;

  constructor(
    private readonly store: Store,
    private readonly parts: {
      /** Keys of the hash that names a credential. */
      keys: Keys;
      pauses?: Pauses;
      /** Percentages of budgets, as `id:percentage`: of an integration, else of its account, its organization or `*`. */
      percentages?: readonly string[];
      /** Sets the time of the process and of the database. */
      clock?: Clock;
    },
  ) {
    this.percentages = new Map(
      (parts.percentages ?? []).map((one) => {
        const [id = '', percentage] = one.split(':');
        return [id, Number(percentage)];
      }),
    );
  }

  /** Budgets that this process has a share of, requests that it holds, and calls that wait. */
  get held(): { budgets: number; requests: number; waiting: number } {
    let [requests, waiting] = [0, 0];
    for (const share of this.shares.values()) {
      requests += share.held;
      waiting += share.waiting;
    }
    return { budgets: this.shares.size, requests, waiting };
  }

  acquire(
    place: PermitPlace,
    limits: PermitLimits,
    deadline: number,
    signal: CallAborts,
  ): Permit | Promise<Permit> {
    const { count = 1, reserved } = limits;
    const budgets = this.budgetsOf(place, limits);
    if (budgets.length === 0) return reserved ?? unlimited;
    signal.throwIfAborted();
    const { organizationId, key, job, caller } = place;
    const call: BudgetCall = {
      account: caller?.account ?? key,
      integration: caller?.integration ?? key,
      isJob: job !== undefined,
      isImpatient: job?.answered === false,
      // More than a period has would wait for ever.
      size: Math.min(count, ...budgets.map(({ requests }) => requests)),
      deadline,
      signal,
    };
    const named = this.nameOf(place);
    const take = (budget: RequestBudget) => {
      const share = this.share(organizationId, named, budget);
      return { share, uses: share.take(call) };
    };
    const taken: Taken[] = [];
    try {
      for (const [at, budget] of budgets.entries()) {
        const { share, uses } = take(budget);
        if (uses instanceof Promise) {
          const rest = budgets.slice(at + 1).map((one) => () => take(one));
          return takeRest(taken, [() => ({ share, uses }), ...rest], reserved);
        }
        taken.push({ share, uses });
      }
    } catch (error) {
      giveUp(taken);
      throw error;
    }
    return permitOf(taken, reserved);
  }

  /** Returns the budgets that have to have room, as far as the operator allows. */
  private budgetsOf(
    { organizationId, caller }: PermitPlace,
    { concurrency, budgets = [], reserved }: PermitLimits,
  ): RequestBudget[] {
    if (reserved !== undefined) budgets = [];
    if (budgets.length === 0 && concurrency === undefined) return [];
    const ids = [caller?.integration ?? '', caller?.account ?? '', organizationId, '*'];
    const known = ids.find((id) => this.percentages.has(id)) ?? '';
    const part = (this.percentages.get(known) ?? 100) / 100;
    // The longest first: a request that waits for it does not count in a short period that is over when it is sent.
    const ordered = [...budgets].sort((one, other) => other.periodMs - one.periodMs);
    if (concurrency !== undefined)
      ordered.push({ name: 'concurrency', requests: concurrency, periodMs: 0 });
    if (part === 1) return ordered;
    return ordered.map((one) => ({
      ...one,
      requests: Math.max(1, Math.floor(one.requests * part)),
    }));
  }

  /** Gives the shares of the process back. */
  end(): void {
    for (const share of this.shares.values()) share.end();
  }

  /** Names a credential without telling it. */
  private nameOf({ credential, organizationId, key }: PermitPlace): string {
    const text = credential?.() ?? `${organizationId} ${key}`;
    return createHmac('sha256', this.parts.keys.current.bytes).update(text).digest('base64url');
  }

  private share(organizationId: string, named: string, budget: RequestBudget): BudgetShare {
    const { name = '', periodMs } = budget;
    const key = `${named} ${periodMs} ${name}`;
    const id = `${key} ${budget.requests}`;
    const known = this.shares.get(id);
    if (known !== undefined) return known;
    const { pauses = new Pauses(), clock = steadyClock } = this.parts;
    const share = new BudgetShare({
      process: `${this.process} ${budget.requests}`,
      budget,
      clock,
      pauses,
      exchange: (report) => this.exchange(organizationId, key, budget, report),
      ended: () => this.shares.delete(id),
    });
    this.shares.set(id, share);
    return share;
  }

  private async exchange(
    organizationId: string,
    key: string,
    budget: RequestBudget,
    report: BudgetReport,
  ): Promise<BudgetAnswer> {
    return await this.store.write(wholeOrganization(organizationId), async (tx) => {
      const found = await providerLimitQueries.lockBudget<BudgetState>(tx, key);
      const now = this.parts.clock?.now() ?? found.now;
      const { state, answer } = shareBudget(found.state ?? {}, budget, now, report);
      await providerLimitQueries.saveBudget(tx, key, state);
      return answer;
    });
  }
}

type Take = () => { share: BudgetShare; uses: Use[] | Promise<Use[]> };

/** Takes requests of one budget after the other, each when the one before has room: a share may have ended meanwhile. */
async function takeRest(
  taken: Taken[],
  rest: readonly Take[],
  reserved: Permit | undefined,
): Promise<Permit> {
  try {
    for (const take of rest) {
      const { share, uses } = take();
      taken.push({ share, uses: await uses });
    }
  } catch (error) {
    giveUp(taken);
    throw error;
  }
  return permitOf(taken, reserved);
}

function giveUp(taken: readonly Taken[]): void {
  for (const { share, uses } of taken) for (const use of uses) share.release(use);
}

function permitOf(taken: readonly Taken[], reserved: Permit | undefined): Permit {
  const count = taken[0]?.uses.length ?? 1;
  const each = Array.from({ length: count }, (_, at) => {
    const uses = taken.flatMap(({ share, uses }) => {
      const use = uses[at];
      return use === undefined ? [] : [{ share, use }];
    });
    return new RequestPermit(uses, reserved).permit;
  });
  const [only] = each;
  if (only !== undefined && count === 1) return only;
  return Object.assign(() => each.forEach((permit) => permit()), { each });
}

/** The permit of one request in all of its budgets. */
class RequestPermit {
  constructor(
    private readonly taken: readonly { share: BudgetShare; use: Use }[],
    private readonly reserved: Permit | undefined,
  ) {}

  get permit(): Permit {
    return Object.assign(() => this.release(), {
      sent: () => this.sent(),
      answered: (seen: SeenLimits) => this.answered(seen),
      status: () => this.status(),
    });
  }

  private release(): void {
    for (const { share, use } of this.taken) share.release(use);
    this.reserved?.();
  }

  private sent(): void {
    for (const { share, use } of this.taken) share.sent(use);
    this.reserved?.sent?.();
  }

  private answered(seen: SeenLimits): void {
    for (const { share, use } of this.taken) share.answered(use);
    // A limit that the document names is nearer to the request than that of all.
    const counted = this.taken.filter(({ share }) => share.budget.periodMs > 0);
    const named = counted.filter(({ share }) => share.budget.name !== undefined);
    for (const { share } of named.length > 0 ? named : counted) share.see(seen);
    this.reserved?.answered?.(seen);
  }

  private status(): BudgetStatus[] {
    return [...this.taken.map(({ share }) => share.status()), ...(this.reserved?.status?.() ?? [])];
  }
}
