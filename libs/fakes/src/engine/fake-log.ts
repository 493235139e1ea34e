/** A request as it arrived, and how it was answered. */
export interface LoggedRequest {
  number: number;
  at: string;
  method: string;
  path: string;
  query: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string>>;
  /** As text, cut off after {@link maxLoggedBytes}. */
  body: string;
  /** Key of the route; null where none fits. */
  route: string | null;
  /** Null when no response was sent. */
  status: number | null;
  /** Kind of the fault that the request met. */
  fault: string | null;
}

/** A fault of the fake itself: an expression that failed. */
export interface Violation {
  request: number;
  place: string;
  message: string;
}

const defaultMaxKept = 10_000;
/** Maximum length of a body in the log: the log holds many requests. */
export const maxLoggedBytes = 65_536;

/** Requests that arrived, and faults of the fake itself. */
export class FakeLog {
  requests: LoggedRequest[] = [];
  violations: Violation[] = [];
  private count = 0;

  /** @param maxKept requests and faults that are kept; 0 for none */
  constructor(
    private readonly maxKept = defaultMaxKept,
    private readonly onViolation?: (violation: Violation) => void,
  ) {}

  /** @returns the entry, whose status is set when it is known */
  add(entry: Omit<LoggedRequest, 'number'>): LoggedRequest {
    this.count += 1;
    const logged = { number: this.count, ...entry };
    this.requests.push(logged);
    if (this.requests.length > this.maxKept) this.requests.shift();
    return logged;
  }

  violate(violation: Violation): void {
    this.onViolation?.(violation);
    this.violations.push(violation);
    if (this.violations.length > this.maxKept) this.violations.shift();
  }

  clear(): void {
    this.requests = [];
    this.violations = [];
  }
}
