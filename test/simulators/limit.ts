import type { Allowance } from './vendor.js';

/** Requests per window, for all callers: vendors count per credential, and tests have one. */
export class Limit {
  private windowEndsAt = 0;
  private used = 0;

  constructor(
    private readonly requests = 5_000,
    private readonly windowMs = 3_600_000,
  ) {}

  /** Counts a request; `remaining` is -1 above the limit. */
  count(now = Date.now()): Allowance {
    if (now >= this.windowEndsAt) {
      this.windowEndsAt = now + this.windowMs;
      this.used = 0;
    }
    this.used += 1;
    return {
      limit: this.requests,
      remaining: Math.max(-1, this.requests - this.used),
      resetsAt: this.windowEndsAt,
    };
  }
}
