/** Why work is not taken right now. */
export class TooManyWaiting extends Error {}

/** Lets work through a few at a time; a limited number waits, and who comes after is turned away. */
export class FewAtOnce {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: { running: number; waiting: number }) {}

  /** @throws TooManyWaiting */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next)
        next(); // the place is handed over, not given back: nobody slips in between
      else this.running -= 1;
    }
  }

  private async enter(): Promise<void> {
    if (this.running < this.limits.running) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= this.limits.waiting) throw new TooManyWaiting();
    await new Promise<void>((go) => this.waiting.push(go));
  }
}
