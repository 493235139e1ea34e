/** The queue of a {@link ConcurrencyLimiter} is full. */
export class TooManyWaiting extends Error {}

/** Limits how much work runs at the same time. A limited amount of work waits, and anything beyond that is rejected. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: { running: number; waiting: number }) {}

  /** @throws TooManyWaiting */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.acquireSlot();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next)
        next(); // the slot is handed over directly, so that new work cannot overtake
      else this.running -= 1;
    }
  }

  private async acquireSlot(): Promise<void> {
    if (this.running < this.limits.running) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= this.limits.waiting) throw new TooManyWaiting();
    await new Promise<void>((go) => this.waiting.push(go));
  }
}
