import type { Metrics } from '#observe';

const minuteMs = 60_000;
/** Series of each metric besides `other`, for each gateway. */
const maxShown = 10;
/** Organizations that are counted apart in a minute. */
const maxCounted = 10_000;
const other = 'other';

interface Counts {
  requests: number;
  seconds: number;
  failures: number;
}

/**
 * Shows which organizations use a gateway most: the ten that took the most time in the last whole minute, and all others together. Ten are
 * enough to find who is noisy, and keep the number of series small whatever the number of organizations.
 */
export class BusiestOrganizations {
  private minute = new Map<string, Counts>();
  private last: [string, Counts][] = [];
  private begun: number;

  constructor(
    metrics: Metrics,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.begun = now();
    const show = (name: string, help: string, value: keyof Counts) =>
      metrics.gaugeBy(name, help, ['organization'], () =>
        this.shown().map(([id, counts]) => [[id], counts[value]] as const),
      );
    const of = 'in the last whole minute, of the ten organizations that took the most time.';
    show('onefold_organization_requests', `Requests that ended ${of}`, 'requests');
    show('onefold_organization_request_seconds', `Seconds of the requests ${of}`, 'seconds');
    show('onefold_organization_failures', `Requests that ended with 5xx ${of}`, 'failures');
  }

  /** Counts a request that has ended. @param organizationId undefined for a request without a known token */
  count(organizationId: string | undefined, status: number, seconds: number): void {
    this.turn();
    const isRoom = this.minute.size < maxCounted;
    const known = organizationId !== undefined && (isRoom || this.minute.has(organizationId));
    add(this.minute, known ? organizationId : other, {
      requests: 1,
      seconds,
      failures: status >= 500 ? 1 : 0,
    });
  }

  private shown(): [string, Counts][] {
    this.turn();
    return this.last;
  }

  /** Ends the minute if it is over. */
  private turn(): void {
    const passedMs = this.now() - this.begun;
    if (passedMs < minuteMs) return;
    const isLast = passedMs < 2 * minuteMs; // or a whole minute without a request has passed
    this.last = isLast ? busiest(this.minute) : [];
    this.minute = new Map();
    this.begun += Math.floor(passedMs / minuteMs) * minuteMs;
  }
}

function busiest(counted: ReadonlyMap<string, Counts>): [string, Counts][] {
  const sorted = [...counted]
    .filter(([id]) => id !== other)
    .sort(([, one], [, two]) => two.seconds - one.seconds);
  const shown = new Map(sorted.slice(0, maxShown));
  const rest = [...sorted.slice(maxShown), ...[...counted].filter(([id]) => id === other)];
  for (const [, counts] of rest) add(shown, other, counts);
  return [...shown];
}

function add(to: Map<string, Counts>, id: string, more: Counts): void {
  const counts = to.get(id);
  if (counts === undefined) return void to.set(id, { ...more });
  counts.requests += more.requests;
  counts.seconds += more.seconds;
  counts.failures += more.failures;
}
