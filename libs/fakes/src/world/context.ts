const dayMs = 86_400_000;

/** The arguments of a world, and how its times follow from them. */
export class WorldContext {
  private readonly midnight: number;

  constructor(
    readonly start: number,
    readonly scale: number,
    readonly seed: number,
  ) {
    this.midnight = Math.floor(start / dayMs) * dayMs;
  }

  /** A time of day (UTC) on a day counted from the day of the start: `at(-1, '09:02')` is yesterday. Always before the start. */
  at(day: number, time: string): number {
    const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
    return this.midnight + day * dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  }

  /** A time a number of minutes before the start, in whole seconds. */
  minutesAgo(minutes: number): number {
    return Math.floor(this.start / 1_000) * 1_000 - Math.round(minutes * 60) * 1_000;
  }

  daysAgo(days: number): number {
    return this.minutesAgo(days * 1_440);
  }
}

/** One instant as the two fields that vendors' formats are made from: `created_at` (ISO 8601) and `created_ms`. */
export type Stamp<Name extends string> = Record<`${Name}_at`, string> &
  Record<`${Name}_ms`, number>;

export function stamp<Name extends string>(name: Name, ms: number): Stamp<Name> {
  return { [`${name}_at`]: new Date(ms).toISOString(), [`${name}_ms`]: ms } as Stamp<Name>;
}

/** As `stamp`, for an instant that may not have come: both fields are null. */
export type MaybeStamp<Name extends string> = Record<`${Name}_at`, string | null> &
  Record<`${Name}_ms`, number | null>;

export function maybeStamp<Name extends string>(name: Name, ms: number | null): MaybeStamp<Name> {
  return (
    ms === null ? { [`${name}_at`]: null, [`${name}_ms`]: null } : stamp(name, ms)
  ) as MaybeStamp<Name>;
}
