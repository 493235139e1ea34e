/**
 * Values by a text, of work that is under way. Not a Map: with Maps and Sets a connector kept 15.1 kB of objects per call until a full collection, and
 * 6.7 kB without. Our reading: V8 links each table that a Map has replaced to the next one, and tables of entries that come and go are replaced
 * every few dozen calls.
 */
export class InFlight<T> {
  private readonly values: Record<string, T | undefined> = Object.create(null) as Record<string, T>;

  get(key: string): T | undefined {
    return this.values[key];
  }

  has(key: string): boolean {
    return key in this.values;
  }

  set(key: string, value: T): void {
    this.values[key] = value;
  }

  delete(key: string): void {
    delete this.values[key];
  }
}

/** Counts work, and waits for its end. */
export class Running {
  private count = 0;
  private waiting: (() => void)[] = [];

  /** @param work never rejects */
  add(work: Promise<void>): void {
    this.count += 1;
    void work.then(this.leave);
  }

  /** Resolves when nothing runs any more, what began meanwhile included. */
  async ended(): Promise<void> {
    if (this.count > 0) await new Promise<void>((settle) => this.waiting.push(settle));
  }

  private readonly leave = (): void => {
    this.count -= 1;
    if (this.count === 0) for (const settle of this.waiting.splice(0)) settle();
  };
}
