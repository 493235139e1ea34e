const windowMs = 60_000;
const mostFailures = 30;
const mostAddresses = 100_000;

/** Slows down who tries tokens or passwords: after thirty wrong ones in a minute an address has to wait. */
export class FailureBrake {
  private readonly failures = new Map<string, { count: number; until: number }>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Seconds an address has to wait; 0 when it may go on. */
  waitSeconds(address: string): number {
    const entry = this.failures.get(address);
    if (entry === undefined || entry.count < mostFailures) return 0;
    const left = entry.until - this.now();
    return left > 0 ? Math.ceil(left / 1_000) : 0;
  }

  failed(address: string): void {
    const now = this.now();
    const entry = this.failures.get(address);
    if (entry && entry.until > now) {
      entry.count += 1;
      return;
    }
    if (this.failures.size >= mostAddresses) this.failures.clear();
    this.failures.set(address, { count: 1, until: now + windowMs });
  }
}
