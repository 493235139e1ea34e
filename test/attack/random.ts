/** Seeded random source: the same seed makes the same requests on every machine. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
    for (let round = 0; round < 4; round += 1) this.next(); // Similar seeds have similar first values.
  }

  /** Returns a number from 0 up to 1, by mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from 0 up to, but not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('cannot pick from an empty list');
    return items[this.below(items.length)] as T;
  }

  /** Picks one of several choices by their weights. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    const total = choices.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.next() * total;
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return this.pick(choices)[1];
  }
}

/** Returns the random source of one request of a run, so that each can be repeated alone. */
export function randomOf(seed: number, index: number): Random {
  return new Random((Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0);
}
