import type { Limits, Value } from '@onefold/mapping';
import { type CompiledProvider, evaluate } from '#provider-document';
import type { Permit, RequestBudget } from '#provider-http';
import type { RequestStep } from './build-request.js';

/** The budgets of a provider that the requests of a call belong to, and requests that were counted before they are sent. */
export class CallBudgets {
  /** Permits of requests that were counted, by the place of their step. */
  private readonly counted = new Map<string, Permit[]>();

  constructor(
    private readonly provider: CompiledProvider,
    private readonly config: Value,
    private readonly limits: Limits | undefined,
  ) {}

  /** Returns the budgets of a step, as the configuration has them. */
  of({ budgets = [] }: RequestStep): RequestBudget[] {
    const { limits } = this.provider.source.http;
    const all =
      limits?.requests === undefined
        ? []
        : [{ requests: limits.requests, periodMs: (limits.period ?? 60) * 1000 }];
    const own = budgets.flatMap(({ source: { name, requests: constant, period }, ...one }) => {
      const requests =
        one.requests === undefined
          ? constant
          : evaluate(one.requests, { config: this.config }, one.place, this.limits);
      return requests === null
        ? []
        : [{ name, requests: Number(requests), periodMs: period * 1000 }];
    });
    return [...all, ...own];
  }

  /** Returns the budgets of the next request of a step, and its permit where it was counted before. */
  take(step: RequestStep): { budgets: RequestBudget[]; reserved: Permit | undefined } {
    return { budgets: this.of(step), reserved: this.counted.get(step.place)?.pop() };
  }

  /** Returns what has to be counted before a step sends several requests, as far as a period has room for them; undefined for nothing. */
  toReserve(
    step: RequestStep,
    count: number,
    isJob: boolean,
  ): { budgets: RequestBudget[]; count: number } | undefined {
    const budgets = this.of(step);
    // Jobs leave half of a period to other calls.
    const maxCounts = budgets.map(({ requests }) => (isJob ? Math.floor(requests / 2) : requests));
    const counted = Math.min(count, ...maxCounts);
    return budgets.length === 0 || counted < 2 ? undefined : { budgets, count: counted };
  }

  /** Notes that requests of a step were counted. */
  add({ place }: RequestStep, permits: readonly Permit[]): void {
    this.counted.set(place, [...(this.counted.get(place) ?? []), ...permits]);
  }

  /** Gives back what was counted for requests that are not sent. */
  end({ place }: RequestStep): void {
    for (const permit of this.counted.get(place) ?? []) permit();
    this.counted.delete(place);
  }
}
