import { type Limits, limitProcess, shareOfLimits } from './limits.js';

/** The id that stands for every run. */
const everyRun = '*';

/** Parts of the limits that runs get, by the ids of those they run for, such as an integration and its organization. */
export class Budgets {
  private readonly percents: ReadonlyMap<string, number>;

  /** @param entries `id:percent` */
  constructor(entries: readonly string[] = []) {
    this.percents = new Map(
      entries.map((entry) => {
        const [id = '', percent] = entry.split(':');
        return [id, Number(percent)] as const;
      }),
    );
  }

  /** Applies the budget of `*` to all runs of this process, whoever they are for. */
  limitProcess(): this {
    limitProcess(this.percents.get(everyRun) ?? 100);
    return this;
  }

  /** Returns the limits of a run, which are the lowest budget of its ids; undefined when they have none. */
  limitsOf(...ids: readonly string[]): Limits | undefined {
    if (this.percents.size === 0) return undefined; // as for most installations, at every call
    const found = ids.flatMap((id) => this.percents.get(id) ?? []);
    return found.length === 0 ? undefined : shareOfLimits(Math.min(...found));
  }
}
