import type { FakeDocument, Limit } from '../document/fake-document.js';

/** Where a principal is in a window. */
export interface Allowance {
  limit: number;
  /** Below 0 when the request is one too many. */
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  wait: number;
  /** End of the window in seconds since 1970. */
  reset: number;
}

/** Counts requests in windows, in this process only: exact counting over replicas is not worth a write. */
export class RateLimits {
  private readonly windows = new Map<string, { endsAt: number; used: number }>();
  /** Set by a test in place of the document's limits. */
  override: Limit | undefined;

  constructor(private readonly limits: FakeDocument['limits']) {}

  /** Counts a request; undefined where there is no limit. */
  count(bucket: string, principal: string, now: number): Allowance | undefined {
    const limit = this.override ?? this.limits?.buckets.get(bucket) ?? this.limits?.fallback;
    if (limit === undefined) return undefined;
    const key = `${bucket} ${principal}`;
    let window = this.windows.get(key);
    if (window === undefined || now >= window.endsAt) {
      window = { endsAt: now + limit.seconds * 1_000, used: 0 };
      this.windows.set(key, window);
    }
    window.used += 1;
    return {
      limit: limit.requests,
      remaining: limit.requests - window.used,
      wait: Math.max(1, Math.ceil((window.endsAt - now) / 1_000)),
      reset: Math.ceil(window.endsAt / 1_000),
    };
  }

  clear(): void {
    this.windows.clear();
  }
}
