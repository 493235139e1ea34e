import type { Problem } from '#contract';

/** A fact that the caller of a successful request has to know. */
export interface InformationalProblem extends Pick<
  Problem,
  'message' | 'detail' | 'remediation' | 'context'
> {
  /** Identifies the kind of problem, such as `poll-timeout-capped`. */
  instance: string;
}

/** Maximum number of problems that a response names. */
const maxNamed = 20;

/**
 * Collects the informational problems of one operation's run, which are `messages.problems` of its response. Whoever runs a part of the
 * operation adds to it: `call.problems.add({ message, detail, instance: 'list-cut' })`. A response names at most {@link maxNamed} and
 * counts the rest, so adding many costs no memory.
 */
export class Problems {
  private readonly kinds = new Map<string, { named: InformationalProblem[]; count: number }>();

  /** Adds a problem. Its texts reach the caller: they must not contain secrets. */
  add(problem: InformationalProblem): void {
    const kind = this.kinds.get(problem.instance) ?? { named: [], count: 0 };
    this.kinds.set(problem.instance, kind);
    kind.count += 1;
    if (kind.named.length < maxNamed) kind.named.push(problem);
  }

  /** Returns the first problem of a kind. */
  firstOf(instance: string): InformationalProblem | undefined {
    return this.kinds.get(instance)?.named[0];
  }

  /** Returns `messages` of the response; undefined without problems, as for nearly every request. */
  render(now: number): { problems: Problem[] } | undefined {
    if (this.kinds.size === 0) return undefined;
    const named = this.choose();
    const rest = this.countRest(named);
    const common = { status: 200, occurred_at: new Date(now).toISOString() };
    return {
      problems: (rest === undefined ? named : [...named, rest]).map((one) => ({
        ...one,
        ...common,
      })),
    };
  }

  /** Takes one problem of each kind in turn: many of one kind must not hide the only one of another. */
  private choose(): InformationalProblem[] {
    const kinds = [...this.kinds.values()];
    const numbers = Array.from({ length: maxNamed }, (_, index) => index);
    return numbers
      .flatMap((index) => kinds.flatMap(({ named }) => named[index] ?? []))
      .slice(0, maxNamed);
  }

  private countRest(named: readonly InformationalProblem[]): InformationalProblem | undefined {
    const counts = [...this.kinds].flatMap(([instance, { count }]) => {
      const unnamed = count - named.filter((one) => one.instance === instance).length;
      return unnamed === 0 ? [] : [{ instance, unnamed }];
    });
    if (counts.length === 0) return undefined;
    const total = counts.reduce((sum, { unnamed }) => sum + unnamed, 0);
    return {
      message: `${total} more problems were left out`,
      detail: counts.map(({ instance, unnamed }) => `${instance}: ${unnamed}`).join(', '),
      instance: 'more-problems',
    };
  }
}
