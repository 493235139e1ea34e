/**
 * Values by a text, of work that is under way. Not a Map: V8 links each table of a Map that it has replaced to the next one, entries that come and go fill
 * a table within some dozen calls, and once a table is in the old space, the links keep all later ones and their entries until a full collection.
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
