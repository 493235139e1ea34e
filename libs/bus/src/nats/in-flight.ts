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

/** Work under way that is looked at all at once, in no order. Not a Set, as above. */
export class Underway<T extends { place: number }> {
  private readonly all: T[] = [];

  add(work: T): void {
    work.place = this.all.push(work) - 1;
  }

  /** Removes work, if it is there. */
  delete(work: T): void {
    const { place } = work;
    if (this.all[place] !== work) return;
    const last = this.all.pop();
    if (last === undefined || last === work) return;
    this.all[place] = last;
    last.place = place;
  }

  /** Returns a copy, so that work may end while it is read. */
  list(): T[] {
    return [...this.all];
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
